"""Pearson's r from sums alone: of one sample, of a weighted one, and of many metrics over many samples at once.

A sample is a row of weights, one a story: 0 or 1 where stories are kept or left, a count where they are drawn with
replacement. r needs six sums of each pair of columns, so that all samples of all metrics are one matrix product.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from core.arrays import Bools, Floats, Ints
from core.scores import ScoreColumn

CONSTANT = 1e-10
"""A spread below this share of the mean square counts as none: what is left of it is rounding."""


def pearson_of_sums(
    products: Floats, squares_x: "Floats | float", squares_y: "Floats | float", defined: "Bools | bool" = True
) -> Floats:
    """Pearson's r from sums of products and of squares about the means, or of what is proportional to them.

    NaN where not `defined`. Rounding may carry it a hair beyond -1 and 1.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(defined, products / np.sqrt(squares_x * squares_y), np.nan))


def weighted_pearson(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Pearson's r for each row of weights (draws x stories); x and y one row for all, or one row per draw."""
    total = weights.sum(1, keepdims=True)
    x = x - (weights * x).sum(1, keepdims=True) / total
    y = y - (weights * y).sum(1, keepdims=True) / total
    wx, wy = weights * x, weights * y
    own_x, own_y = (wx * x).sum(1), (wy * y).sum(1)
    defined = np.sqrt(own_x * own_y) > 1e-12 * total[:, 0]
    return np.clip(pearson_of_sums((wx * y).sum(1), own_x, own_y, defined), -1, 1)


class RunningPearson:
    """Pearson's r of pairs that come block by block: in two passes of a block, around its own means, and these put
    together (Chan, Golub and LeVeque 1983), in the longest numbers that the machine has, which no square overflows.
    """

    def __init__(self) -> None:
        self.n = 0
        self._means = np.zeros(2, dtype=np.longdouble)
        self._products = np.zeros((2, 2), dtype=np.longdouble)
        self._lowest, self._highest = np.full(2, np.inf), np.full(2, -np.inf)

    def add(self, x: Floats, y: Floats) -> None:
        """Take in pairs, those with a gap left out."""
        both = np.vstack([x, y])[:, np.isfinite(x) & np.isfinite(y)]
        n = both.shape[1]
        if not n:
            return
        self._lowest = np.minimum(self._lowest, both.min(1))
        self._highest = np.maximum(self._highest, both.max(1))
        wide = both.astype(np.longdouble)
        means = wide.mean(1)
        apart = wide - means[:, None]
        gap, total = means - self._means, self.n + n
        self._products += apart @ apart.T + np.outer(gap, gap) * (np.longdouble(self.n) * n / total)
        self._means += gap * n / total
        self.n = total

    @property
    def constant(self) -> tuple[bool, bool]:
        """Whether all that came so far is the same, on either side."""
        same = self._lowest == self._highest
        return bool(same[0]), bool(same[1])

    @property
    def spread(self) -> float | None:
        """The standard deviation of the first numbers; None of fewer than two."""
        return float(np.sqrt(self._products[0, 0] / (self.n - 1))) if self.n > 1 else None

    def test(self, fewest: int = 3) -> tuple[float, float] | None:
        """r and its two-sided p, those of SciPy's `pearsonr`; None of fewer pairs, or where one side is constant."""
        if self.n < fewest or any(self.constant):
            return None
        r = self._products[0, 1] / (np.sqrt(self._products[0, 0]) * np.sqrt(self._products[1, 1]))
        r = float(np.clip(r, -1, 1))
        half = self.n / 2 - 1
        return r, float(2 * stats.beta.sf(abs(r), half, half, loc=-1, scale=2))


@dataclass(frozen=True)
class Moments:
    """`columns` (stories x sums): what to add up over a sample; they may be added up by prompt first.

    The first 3 p columns belong to the p different sets of stories that metrics are scored on (how many, their human
    scores, the squares); the last 3 m to the m metrics (scores, squares, products). `pattern`: each metric's set.
    """

    columns: Floats
    pattern: Ints

    def pearson(self, sums: Floats, fewest: int = 3) -> Floats:
        """r (samples x metrics) from sums (samples x sums); NaN below `fewest` stories, or where one is constant."""
        sets = int(self.pattern.max(initial=-1)) + 1
        n, y, yy = (sums[:, part * sets : (part + 1) * sets][:, self.pattern] for part in range(3))
        metrics = len(self.pattern)
        x, xx, xy = (sums[:, 3 * sets + part * metrics :][:, :metrics] for part in range(3))
        with np.errstate(invalid="ignore", divide="ignore"):
            spread_x, spread_y = xx - x * x / n, yy - y * y / n
            defined = (n >= fewest) & (spread_x > CONSTANT * xx) & (spread_y > CONSTANT * yy)
            return np.clip(pearson_of_sums(xy - x * y / n, spread_x, spread_y, defined), -1, 1)


def moments(scores: Floats, human: Floats) -> Moments:
    """The moments of `scores` (stories x metrics) and `human` (one per story); pairs with a NaN are left out.

    Columns are centred at their medians and scaled first: an outlier that a sample lacks must not drown the rest.
    """
    paired = np.isfinite(scores) & np.isfinite(human)[:, None]
    kinds: dict[bytes, int] = {}
    pattern = [kinds.setdefault(kept.tobytes(), len(kinds)) for kept in np.ascontiguousarray(paired.T)]
    x = np.column_stack([_standing(scores[:, j], paired[:, j]) for j in range(scores.shape[1])] or [scores])
    y = _standing(human, np.isfinite(human))[:, None]
    paired_rows = (
        np.array([np.frombuffer(kept, dtype=bool) for kept in kinds], dtype=np.float64)
        .reshape(len(kinds), len(human))
        .T
    )
    columns = np.hstack([paired_rows, paired_rows * y, paired_rows * y * y, x, x * x, x * y])
    return Moments(columns, np.array(pattern, dtype=np.intp))


def _standing(values: Floats, given: Bools) -> Floats:
    """Distances from the median in units of the largest; 0 where all are equal."""
    if not given.any():
        return np.zeros(len(values))
    moved = np.where(given, values - np.median(values[given]), 0.0)
    farthest = np.abs(moved).max()
    return moved / farthest if farthest else moved


def score_matrix(columns: Sequence[ScoreColumn], stories: int) -> Floats:
    """Scores (stories x metrics), columns in order."""
    return np.column_stack([column.values for column in columns]) if columns else np.empty((stories, 0))
