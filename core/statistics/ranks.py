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
    groups = np.cumsum(np.diff(values[order]) > 0, dtype=np.int64)
    if len(groups) == 0 or groups[-1] == len(groups):
        return order
    bits = len(values).bit_length()
    keys = np.append(0, groups << bits) | order
    keys.sort()
    return np.asarray(keys & ((1 << bits) - 1))
