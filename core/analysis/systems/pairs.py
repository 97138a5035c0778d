"""Pairs of systems: does the metric prefer the system that people prefer? After Kocmi et al. (2021)."""

from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Floats
from core.statistics.intervals import Estimate, column_ends, finite

TIE = 1e-12
"""Of the range of the systems' means: a smaller difference is rounding."""
ALL_TIED = "the metric gives every system the same mean"


@dataclass(frozen=True)
class PairAccuracy:
    """Shares (0..1) of pairs of systems that a metric puts in people's order; a tie of the metric's is wrong, and
    both are undefined where it ties them all: then it orders nothing.

    `every`: of the `pairs` whose mean judgments differ. `apart`: of the `pairs_apart` among them whose difference has
    a 95 % interval (draws of whole prompts, uncorrected for the number of pairs) without zero.
    """

    every: Estimate
    pairs: int
    apart: Estimate
    pairs_apart: int


def pair_accuracy(x: Floats, y: Floats, x_drawn: Floats, y_drawn: Floats) -> PairAccuracy:
    """`x`, `y`: the metric's and people's mean of each system, both of range 1; `…_drawn`: in each draw (draws x
    systems), NaN where a draw has no story of a system.
    """
    metric, people = _signs(x[None])[0], _signs(y[None])[0]
    low, high = column_ends(_gaps(y_drawn))
    apart = (people != 0) & ((low > 0) | (high < 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        metric_drawn, people_drawn = _signs(x_drawn), _signs(y_drawn)
        ordered = people_drawn != 0
        ordered &= np.isfinite(people_drawn) & np.isfinite(metric_drawn)
        right = (metric_drawn == people_drawn) & ordered
        drawn = np.stack([right.sum(1) / ordered.sum(1), right[:, apart].sum(1) / ordered[:, apart].sum(1)], axis=1)
    ends = np.stack(column_ends(drawn), axis=1)
    asked = people != 0
    orders = bool(metric.any())
    return PairAccuracy(
        _share(metric[asked] == people[asked], ends[0], "no two systems have different mean judgments", orders),
        int(np.count_nonzero(asked)),
        _share(metric[apart] == people[apart], ends[1], "people set no two systems apart", orders),
        int(np.count_nonzero(apart)),
    )


def kendall(x: Floats, y: Floats) -> Floats:
    """Tau-b of each row of two matrices (draws x systems) without gaps; NaN where all of a row are tied."""
    a, b = _signs(x), _signs(y)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((a * b).sum(1) / np.sqrt(np.abs(a).sum(1) * np.abs(b).sum(1)))


def _gaps(means: Floats) -> Floats:
    """Differences of all pairs of columns (rows x pairs)."""
    first, second = np.triu_indices(means.shape[1], 1)
    return np.asarray(means[:, first] - means[:, second])


def _signs(means: Floats) -> Floats:
    gaps = _gaps(means)
    gaps[np.abs(gaps) <= TIE] = 0
    return np.sign(gaps)


def _share(right: Bools, ends: Floats, otherwise: str, orders: bool) -> Estimate:
    if not len(right):
        return Estimate(None, undefined=otherwise)
    if not orders:
        return Estimate(None, undefined=ALL_TIED)
    return Estimate(float(right.mean()), finite(ends[0]), finite(ends[1]))
