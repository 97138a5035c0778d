"""Prediction-powered means: people's ratings of some stories, helped by a metric's scores of all.

PPI++ (Angelopoulos, Duchi and Zrnic 2023, "PPI++: Efficient prediction-powered inference", section 3, the mean): with
Y the ratings and f the scores brought to their spread, the mean is

    mean of Y, rated  -  lambda * (mean of f, rated  -  mean of f, unrated).

The second term is 0 in expectation where it was chance which stories were rated, whatever the metric is worth, so the
mean is never biased; lambda is the value under which its estimated variance is least ("power tuning", section 6): 0 is
people alone. Three things are as few ratings and stories by prompt want them:

- the unit is the prompt: variances and covariances are of sums by prompt, so stories of one prompt, rated or not, may
  depend on one another;
- lambda is fitted on the same ratings, and the interval pays for it: its standard error is the jackknife's, which
  leaves out one prompt at a time and fits lambda anew, among the prompts with and those without a rating apart; the
  quantile is of t with two degrees fewer than there are rated prompts;
- lambda lies between 0 and 1, and is 0 wherever the interval would not be narrower for it.

Where each prompt has one story, a fixed lambda gives the paper's mean, variance and, for many stories, its lambda.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from core.arrays import Bools, Floats, Ints
from core.statistics.groups import numbered, too_few
from core.statistics.intervals import Estimate

FEWEST_PROMPTS = 15
"""With ratings and scores; with fewer the interval of a fitted lambda is too narrow."""
LEVEL = 0.975
NO_RATING = "none of its stories is rated"
ALL_RATED = "it has no story with a score and without a rating"
CONSTANT = 1e-12
"""A variance below this share of the mean square counts as none."""


@dataclass(frozen=True)
class PoweredMean:
    """The mean of ratings on `n_rated` stories, `alone` and `powered` by the scores of `n_unrated` further ones.

    Both intervals are of t, by prompt. `weight`: lambda, 0 (people alone) to 1 (a step of the metric counts as a step
    of the ratings, each in units of its own spread). `effective`: how many rated stories the powered interval is worth,
    by the squares of the standard errors. The last three are None where there is nothing to gain, and `undefined` says
    why.
    """

    n_rated: int
    n_unrated: int
    alone: Estimate
    powered: Estimate | None = None
    weight: float | None = None
    effective: float | None = None
    undefined: str | None = None

    @property
    def width_ratio(self) -> float | None:
        """The width of the powered interval over that of people alone, 0..1; None where there is neither."""
        if self.powered is None or self.alone.low is None or self.alone.high is None:
            return None
        if self.powered.low is None or self.powered.high is None or self.alone.high == self.alone.low:
            return None
        return (self.powered.high - self.powered.low) / (self.alone.high - self.alone.low)


@dataclass(frozen=True)
class _Sums:
    """Over prompts, six numbers each: rated stories and their ratings, those of them with a score and their scores,
    unrated stories with a score and their scores. `totals` (… x 6) and `products` (… x 6 x 6), of as many samples.
    """

    totals: Floats
    products: Floats

    def without(self, rows: Floats) -> "_Sums":
        """As many samples, each without one of these rows (prompts x 6)."""
        return _Sums(self.totals - rows, self.products - rows[:, :, None] * rows[:, None, :])

    def means(self) -> tuple[Floats, Floats]:
        """The powered mean of each sample, and its lambda."""
        rated, ratings, both, scores, others, theirs = np.moveaxis(self.totals, -1, 0)
        alone = ratings / rated
        # What a prompt adds to the error of people's mean, and to that of the metric's difference, which is 0 in truth.
        own = np.stack([-alone / rated, 1 / rated], axis=-1)
        gap = np.stack([-scores / both**2, 1 / both, theirs / others**2, -1 / others], axis=-1)
        covariance = np.einsum("...i,...ij,...j->...", own, self.products[..., :2, 2:], gap)
        squares = self.products[..., 2:, 2:]
        variance = np.einsum("...i,...ij,...j->...", gap, squares, gap)
        size = np.einsum("...i,...ii->...", gap**2, squares)
        varied = variance > CONSTANT * size
        weight = np.where(varied, np.clip(covariance / np.where(varied, variance, 1.0), 0.0, 1.0), 0.0)
        return alone - weight * (scores / both - theirs / others), weight


def powered_mean(ratings: ArrayLike, scores: ArrayLike, prompts: ArrayLike) -> PoweredMean:
    """The mean rating of one system's stories, by people alone and powered by a metric.

    `ratings`, `scores`: one number a story, NaN where there is none; `prompts`: a story's. Rated stories without a
    score count among people's all the same.
    """
    y, f = np.asarray(ratings, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    rated, scored = np.isfinite(y), np.isfinite(f)
    units = numbered(np.asarray(prompts).tolist())[1]
    others = scored & ~rated
    n_rated, n_unrated = int(rated.sum()), int(others.sum())
    if not n_rated:
        return PoweredMean(0, n_unrated, Estimate(None, undefined=NO_RATING), undefined=NO_RATING)
    rows, centre, unit = _rows(y, f, units)
    alone, error = _alone(rows, centre, unit)
    reason = _why_not(rated & scored, others, units)
    if reason:
        return PoweredMean(n_rated, n_unrated, alone, undefined=reason)
    powered, powered_error, weight = _powered(rows, centre, unit)
    if not _width(powered) < _width(alone):
        powered, powered_error, weight = alone, error, 0.0
    effective = n_rated * (error / powered_error) ** 2 if powered_error > 0 else float(n_rated)
    return PoweredMean(n_rated, n_unrated, alone, powered, weight, effective)


def _why_not(both: Bools, others: Bools, units: Ints) -> str | None:
    if not others.any():
        return ALL_RATED
    prompts = len(np.unique(units[both]))
    if prompts < FEWEST_PROMPTS:
        return too_few(prompts, "prompt has", "prompts have", "a story of it with rating and score", FEWEST_PROMPTS)
    if len(np.unique(units[others])) < 2:
        return "its stories that are scored and not rated are all of one prompt"
    return None


def _rows(y: Floats, f: Floats, units: Ints) -> tuple[Floats, float, float]:
    """The six numbers of each prompt that has any (prompts x 6), of ratings and scores around their mean in units of
    the ratings' spread; and that mean and unit.
    """
    rated, scored = np.isfinite(y), np.isfinite(f)
    centre, unit = _standard(y[rated])
    y = np.where(rated, (y - centre) / unit, 0.0)
    both, others = rated & scored, scored & ~rated
    middle, spread = _standard(f[both]) if both.any() else (0.0, 1.0)
    f = np.where(scored, (np.where(scored, f, 0.0) - middle) / spread, 0.0)
    columns = (rated, np.where(rated, y, 0.0), both, np.where(both, f, 0.0), others, np.where(others, f, 0.0))
    number = int(units.max()) + 1
    rows = np.zeros((number, len(columns)))
    for place, column in enumerate(columns):
        rows[:, place] = np.bincount(units, column, number)
    return rows[(rows[:, 0] > 0) | (rows[:, 4] > 0)], centre, unit


def _standard(values: Floats) -> tuple[float, float]:
    """Mean and standard deviation, 1 where nothing varies."""
    largest = float(np.abs(values).max()) or 1.0
    spread = float((values / largest).std()) * largest  # tiny and huge scores alike
    return float(values.mean()), spread if spread > CONSTANT * largest else 1.0


def _alone(rows: Floats, centre: float, unit: float) -> tuple[Estimate, float]:
    """People's mean with its interval, and its standard error in units of the spread."""
    rows = rows[rows[:, 0] > 0]
    value = centre + unit * float(rows[:, 1].sum() / rows[:, 0].sum())
    if len(rows) < 2:
        return Estimate(value), 0.0
    left = (rows[:, 1].sum() - rows[:, 1]) / (rows[:, 0].sum() - rows[:, 0])
    error = float(np.sqrt(_jackknife(left)))
    return _interval(value, error * unit, len(rows) - 1), error


def _powered(rows: Floats, centre: float, unit: float) -> tuple[Estimate, float, float]:
    """The same of the powered mean; and its lambda."""
    sums = _Sums(rows.sum(0), rows.T @ rows)
    mean, weight = sums.means()
    with_rating = rows[:, 0] > 0
    variance = sum(_jackknife(sums.without(rows[stratum]).means()[0]) for stratum in _strata(with_rating))
    error = float(np.sqrt(variance))
    return _interval(centre + unit * float(mean), error * unit, int(with_rating.sum()) - 2), error, float(weight)


def _jackknife(left: Floats) -> float:
    """The variance of a mean from what it is without each prompt."""
    return (len(left) - 1) * float(left.var())


def _interval(value: float, error: float, freedom: int) -> Estimate:
    half = float(stats.t.ppf(LEVEL, freedom)) * error
    return Estimate(value, value - half, value + half)


def _strata(with_rating: Bools) -> list[Bools]:
    """Prompts with a rating and those without one; all together where only one is without."""
    without = ~with_rating
    if without.sum() < 2:
        return [np.ones(len(with_rating), dtype=bool)]
    return [with_rating, without]


def _width(estimate: Estimate) -> float:
    return float("inf") if estimate.low is None or estimate.high is None else estimate.high - estimate.low
