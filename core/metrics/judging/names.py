"""What judges are called: `judge:CRITERION`, `judge:preference` of pairs, and `judge` for what a study asks mainly."""

from functools import lru_cache

from core.annotation.criterion import LONGEST_NAME, PREFERENCE
from core.judges.template import Way
from core.metrics.base import Settings
from core.metrics.judging.base import NAME, USUAL, LanguageJudge
from core.metrics.judging.judge import Judge
from core.metrics.judging.pairs import PairJudge


@lru_cache(maxsize=256)
def judge_of(name: str) -> type[LanguageJudge] | None:
    """The class of `judge:CRITERION`; None for another name, such as `judge:8b:CRITERION` of a model called so."""
    family, _, criterion = name.rpartition(":")
    if family != NAME or criterion != criterion.strip() or not 1 <= len(criterion) <= LONGEST_NAME:
        return None
    if criterion.casefold() == PREFERENCE:
        return PairJudge
    return type("JudgeOfCriterion", (Judge,), {"name": name, "criterion_name": criterion})


def usual_judge(settings: Settings) -> str:
    """The whole name of what `judge` is with these settings: of pairs by that way, which is usual where people compare
    pairs; else of the form's main criterion.
    """
    way = (settings.options or {}).get("way", USUAL)
    of_pairs = settings.judged.scheme.unit.of_pairs
    if way == Way.PAIRS or (way == USUAL and of_pairs):
        return PairJudge.name
    return f"{NAME}:{settings.judged.criterion('').name}"
