"""Exact p-values of correlations of few points: all orders are counted, each equally likely.

SciPy's p of Spearman's rho is a limit for many points: three in perfect order get p = 0, where one order of three
would do as well by chance, forwards or backwards.
"""

from functools import cache
from itertools import permutations

import numpy as np
from scipy import stats

from core.arrays import Floats, Ints

MOST = 8
"""Points: 40,320 orders."""
ROUNDING = 1e-9


def pearson_p(x: Floats, y: Floats) -> float:
    """Two-sided p of r of up to `MOST` points: the share of orders as far from 0, whatever the points' distribution."""
    ours, theirs = x - x.mean(), y - y.mean()
    ours, theirs = ours / np.linalg.norm(ours), theirs / np.linalg.norm(theirs)
    return _share(theirs[_orders(len(y))] @ ours, float(ours @ theirs))


def spearman_p(x: Floats, y: Floats) -> float:
    """Two-sided p of rho of up to `MOST` points, ties sharing their mean rank: the share of orders as far from 0."""
    ranks = stats.rankdata(x) - (len(x) + 1) / 2
    other = stats.rankdata(y) - (len(y) + 1) / 2
    return _share(other[_orders(len(y))] @ ranks, float(ranks @ other))


def kendall_p(x: Floats, y: Floats) -> float:
    """Two-sided p of tau-b of up to `MOST` points: the share of orders as far from 0."""
    first, second = np.triu_indices(len(x), 1)
    signs = np.sign(x[first] - x[second])
    ordered = y[_orders(len(y))]
    sums = np.sign(ordered[:, first] - ordered[:, second]) @ signs
    return _share(sums, float(np.sign(y[first] - y[second]) @ signs))


def _share(drawn: Floats, observed: float) -> float:
    """The share of orders as far from 0; compared by numerators, as the denominator does not depend on the order."""
    return float(np.mean(np.abs(drawn) >= abs(observed) - ROUNDING))


@cache
def _orders(number: int) -> Ints:
    return np.array(list(permutations(range(number))), dtype=np.intp)
