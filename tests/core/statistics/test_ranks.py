"""Ranks and their intervals, against SciPy and by hand."""

import numpy as np
from scipy import stats

from core.statistics.ranks import rank_ends, ranks


def test_ranks_have_one_for_the_highest_and_ties_share() -> None:
    values = np.random.default_rng(0).integers(0, 4, (6, 5)).astype(np.float64)
    np.testing.assert_array_equal(ranks(values), np.stack([stats.rankdata(-row) for row in values]))
    np.testing.assert_array_equal(ranks(np.array([[1.0, np.nan, 3.0]])), [[2, np.nan, 1]])
    assert ranks(np.empty((0, 3))).shape == (0, 3)


def test_ends_are_ranks() -> None:
    drawn = np.column_stack([np.repeat([1.0, 2.0], 20), np.full(40, np.nan), np.array([1.5, *[3.0] * 38, 4.0])])
    low, high = rank_ends(drawn)
    np.testing.assert_array_equal(low, [1, np.nan, 1.5])
    np.testing.assert_array_equal(high, [2, np.nan, 4])
