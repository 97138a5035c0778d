"""Judges with scores of few stories, such as a run that was tried on some first."""

from collections.abc import Sequence

from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import FEWEST_PROMPTS_CLAIMED
from core.arrays import Floats
from core.scores import ScoreTable
from core.statistics.correlation import PARTLY
from pages.ui.shared.text import escaped


def few_prompts(table: ScoreTable, scored: Sequence[tuple[str, Floats, int]]) -> str:
    """Which of these have scores of so few prompts, far fewer than another, that their intervals can mislead; "" where
    none has. `scored`: name, scores by story and the number of those that count.
    """
    most = max((n for _, _, n in scored), default=0)
    few = [
        name
        for name, values, n in scored
        if n < PARTLY * most and prompts_behind(table, values) < FEWEST_PROMPTS_CLAIMED
    ]
    if not few:
        return ""
    interval = f"interval of {few[0]} rests" if len(few) == 1 else f"intervals of {', '.join(few)} rest"
    return f"The {escaped(interval)} on fewer than {FEWEST_PROMPTS_CLAIMED} prompts, and can mislead."
