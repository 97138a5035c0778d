"""What a metric's numbers are called where they stand: its name says it, or its card."""

from core.figures.style import safe
from core.metrics import registered
from core.scores import IMPORTED, ScoreColumn


def what_a_score_is(column: ScoreColumn) -> str:
    """What one score is, in a few words: "" where the metric's name says it, or another program made the scores."""
    kind = None if column.signature.startswith(IMPORTED) else registered(column.metric)
    return kind.card.number if kind is not None else ""


def score_axis(column: ScoreColumn, name: str = "", usual: str = "raw score") -> str:
    """The title of an axis of scores, as HTML. `name`: what the metric is called; `usual`: what is said where nothing
    need be explained.
    """
    number = what_a_score_is(column)
    return f"{safe(name or column.metric)} ({f'{number}; higher is better' if number else usual})"
