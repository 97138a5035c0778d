"""Whether raters of one story part because some are stricter than others, or because they see it unlike.

Strictness is a rater's mean. Taken out of their ratings, it leaves the order in which each one puts the stories: where
these orders agree, the ratings did not only because of it. Where a rater's stories are better than another's, that
goes with it, so what is left is no measure of agreement, only of what strictness explains.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judgments.rating_table import RatingTable
from core.analysis.judgments.reliability import RESAMPLES, reliability_of
from core.statistics.agreement import padded
from core.statistics.intervals import Estimate


@dataclass(frozen=True)
class Strictness:
    """Krippendorff's alpha (interval) of the ratings as they are, and `centred`: with each rater's own mean taken out
    and the mean of all put back.
    """

    alpha: Estimate
    centred: Estimate

    @property
    def explains(self) -> bool:
        """Whether ratings disagree because some raters are stricter: centred, they are shown to agree (the interval is
        above 0), and more than as they are (it leaves that alpha out too). Less is no more than the draws could give.
        """
        return self.centred.low is not None and self.centred.low > max(0.0, self.alpha.value or 0.0)


def strictness(
    rated: RatingTable, keys: Sequence[str], *, seed: int = 0, resamples: int = RESAMPLES
) -> Strictness | None:
    """Of the single ratings that count of the stories of these keys; None where it is not known who gave each, or alpha
    is undefined, as of raters with one rating each, of whom nothing is left.
    """
    wanted = set(keys)
    chosen = rated.of(np.array([key in wanted for key in rated.keys], dtype=bool))
    given = chosen.counted.single
    if not len(given.values) or (given.annotators < 0).any():
        return None
    _, whose = np.unique(given.annotators, return_inverse=True)
    own = (np.bincount(whose, given.values) / np.bincount(whose))[whose]
    centred = np.round(given.values - own + given.values.mean(), 9)  # so that equal ratings are equal
    alpha, without = (
        reliability_of(
            padded(values, given.units, len(chosen.prompts)), chosen.prompts, seed=seed, resamples=resamples
        ).alpha
        for values in (given.values, centred)
    )
    return None if alpha.value is None or without.value is None else Strictness(alpha, without)
