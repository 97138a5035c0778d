"""Ranks and their intervals, against SciPy and by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.statistics.ranks import integer_order, rank_ends, ranks, stable_order


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


@given(st.lists(st.sampled_from([0.0, -0.0, 0.5, 1e-300, 3.0, -2.0, 1e300]) | st.floats(allow_nan=False), max_size=50))
def test_the_order_is_numpys_stable_one(values: list[float]) -> None:
    given_values = np.array(values)
    np.testing.assert_array_equal(stable_order(given_values), np.argsort(given_values, kind="stable"))


@given(
    st.sampled_from([3, 2**16, 2**40, 2**62]).flatmap(
        lambda top: st.lists(st.integers(0, 5) | st.integers(0, top), max_size=50)
    )
)
def test_so_is_that_of_whole_numbers_of_any_size(values: list[int]) -> None:
    given_values = np.array(values, dtype=np.intp)
    np.testing.assert_array_equal(integer_order(given_values), np.argsort(given_values, kind="stable"))
