"""The power of a t-test: how likely it finds a difference that is there, for few cases too (the noncentral t).

Power counts both sides, as the tests do; that of the wrong side is next to nothing.
"""

from collections.abc import Callable
from functools import cache
from math import ceil, inf, sqrt

import numpy as np
from scipy import optimize, special, stats

from core.arrays import Floats

MOST = 10_000_000
"""Cases: a design that needs more is none."""
LARGE = 100_000
"""Degrees of freedom from which on t is the normal distribution to five digits."""
NODES = 400
"""Of the integral over what the estimated standard error may be."""


def power_of_t(noncentrality: float, freedom: float, alpha: float) -> float:
    """The power, 0..1, of a two-sided t-test at `alpha` whose t is so far from 0 in standard errors.

    The mean of the normal distribution's power over what the estimated standard error may be: for few degrees of
    freedom SciPy's noncentral t has no number far out.
    """
    if freedom <= 0:
        return 0.0
    critical = _critical(freedom, alpha) * _spreads(freedom)
    found = special.ndtr(noncentrality - critical) + special.ndtr(-noncentrality - critical)
    return float(_nodes()[1] @ found)


@cache
def _nodes() -> tuple[Floats, Floats]:
    """The nodes of an integral over probabilities, 0..1, and their weights: worked out when they are first needed."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return nodes / 2 + 0.5, weights / 2


@cache
def _critical(freedom: float, alpha: float) -> float:
    return float(stats.t.isf(alpha / 2, freedom))


@cache
def _spreads(freedom: float) -> Floats:
    """What an estimated standard error may be, in units of the true one, at the nodes of the integral."""
    return np.asarray(np.sqrt(stats.chi2.ppf(_nodes()[0], freedom) / freedom))


@cache
def needed_noncentrality(freedom: float, power: float, alpha: float) -> float:
    """How far from 0 in standard errors a difference has to be to be found with this `power` (above `alpha`, below 1);
    infinite without a degree of freedom.
    """
    if freedom <= 0:
        return inf
    highest = 8.0
    while power_of_t(highest, freedom, alpha) < power:
        highest *= 2
    return float(optimize.brentq(lambda far: power_of_t(far, freedom, alpha) - power, 0.0, highest, xtol=1e-9))


def fewest(enough: Callable[[int], bool], least: int) -> int | None:
    """The fewest cases, from `least` on, that are `enough`, which more cases always are too; None above `MOST`."""
    high = least
    while not enough(high):
        if high >= MOST:
            return None
        high = min(MOST, high * 2)
    low = max(least - 1, high // 2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def pairs_needed(difference: float, variance: float, power: float, alpha: float) -> int | None:
    """How many pairs a paired t-test needs to find a mean difference; `variance`: of a pair's difference.

    At least two; None where more than `MOST` were needed.
    """
    if variance <= 0:
        return 2
    rough = (needed_noncentrality(float(LARGE), power, alpha) / difference) ** 2 * variance
    if rough > MOST:
        return None
    return fewest(lambda pairs: detectable(pairs, variance, power, alpha) <= difference, max(2, ceil(rough)))


def detectable(pairs: int, variance: float, power: float, alpha: float) -> float:
    """The least mean difference that so many pairs find; infinite of fewer than two."""
    if pairs < 2:
        return inf
    return needed_noncentrality(float(min(pairs - 1, LARGE)), power, alpha) * sqrt(variance / pairs)
