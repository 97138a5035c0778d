"""Ranks of systems, 1 the best, and their intervals from draws; the order of many values."""

import numpy as np
from scipy import stats

from core.arrays import Floats, Ints
from core.statistics.intervals import MIDDLE


def ranks(values: Floats) -> Floats:
    """Each column's rank in each row, 1 for the highest value, equal ones sharing theirs; NaN where there is none."""
    defined = np.isfinite(values)
    if not values.size:
        return values
    return np.where(defined, stats.rankdata(np.where(defined, -values, np.inf), axis=1), np.nan)


def rank_ends(drawn: Floats) -> tuple[Floats, Floats]:
    """Ends of the middle 95 % of each column of ranks (draws x columns), NaN draws left out; NaN where none is left.

    They are whole or half numbers, as ranks are.
    """
    low, high = np.full(drawn.shape[1], np.nan), np.full(drawn.shape[1], np.nan)
    some = np.isfinite(drawn).any(0)
    if some.any():
        low[some] = np.nanpercentile(drawn[:, some], MIDDLE[0], axis=0, method="lower")
        high[some] = np.nanpercentile(drawn[:, some], MIDDLE[1], axis=0, method="higher")
    return low, high


def stable_order(values: Floats) -> Ints:
    """The places of `values` from the lowest to the highest, equal ones as they stand: a stable argsort in half the
    time, where most differ.
    """
    order = np.argsort(values)
    groups = dense(values[order])
    return _by_group(groups, order) if groups.max(initial=0) < len(groups) - 1 else order


def dense(ascending: Floats) -> Ints:
    """The rank of each of these values, from 0, equal ones sharing it: without a gap, and without their differences,
    which may be too large for a number.
    """
    return np.cumsum(np.append(0, ascending[1:] != ascending[:-1]))[: len(ascending)]


def integer_order(values: Ints) -> Ints:
    """The same of whole numbers from 0 on."""
    most = int(values.max(initial=0))
    if most < 2**16:
        return np.argsort(values.astype(np.uint16), kind="stable")  # NumPy sorts 16 bits in linear time
    if most.bit_length() + len(values).bit_length() < 64:
        return _by_group(values.astype(np.int64, copy=False), np.arange(len(values)))
    return np.argsort(values, kind="stable")


def _by_group(groups: Ints, places: Ints) -> Ints:
    """`places`, each once, in the order of their groups: number and place in one, whose sorting is the quickest."""
    bits = len(places).bit_length()
    keys = (groups << bits) | places
    keys.sort()
    return np.asarray(keys & ((1 << bits) - 1))
