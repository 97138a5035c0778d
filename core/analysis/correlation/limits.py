"""The two lines a metric is compared with: one human rater, and the most that noisy judgments let any metric reach."""

from dataclasses import dataclass

from core.analysis.judgments.reliability import reliability
from core.scores import ScoreTable
from core.statistics.agreement import ceiling, draws_of_one, single_rater


@dataclass(frozen=True)
class Limits:
    """Correlations with the human judgment, None where undefined.

    `single_rater`: one rating, drawn at random a story, with the mean of the story's others; no ceiling, metrics can
    pass it. `ceiling`: sqrt(ICC(1,k)), what a perfect metric could reach against these noisy means; known for
    Pearson's r only. Of means, and of ratings that do not agree, neither can be known: both are None, and `caution`
    says so.
    """

    one_rater: float | None
    ceiling: float | None
    caution: str | None = None

    @property
    def lines(self) -> str:
        """What a figure's grey lines are, "" where it has none."""
        known = (("one human rater dashed", self.one_rater), ("the ceiling dotted", self.ceiling))
        return ", ".join(words for words, value in known if value is not None)


NO_LIMITS = Limits(None, None)


def limits(table: ScoreTable, coefficient: str = "pearson", *, seed: int = 0) -> Limits:
    """The limits for these stories' ratings, in one coefficient; undefined without ratings."""
    caution = reliability(table, seed=seed).caution
    if caution:
        return Limits(None, None, caution)
    if not table.ratings.size:
        return NO_LIMITS
    draws = draws_of_one(table.ratings)
    value = single_rater(table.ratings, seed=seed, draws=draws, coefficient=coefficient)
    return Limits(value, ceiling(table.ratings) if coefficient == "pearson" else None)
