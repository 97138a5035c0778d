"""Linearised differences against those of stories that are swapped and ranked anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import Floats
from core.statistics.paired import PairedScores, coefficients, paired_scores
from core.statistics.permutation.linearised import _places, linear_gains
from core.statistics.permutation.ranks import linear
from tests.core.analysis.significance.tests import correlation

PAIRS = np.array([(0, 1), (2, 0), (1, 2)])


def made(decimals: int, seed: int, stories: int = 300) -> PairedScores:
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 6, (stories, 5)).mean(1)
    x = np.round(y[:, None] * [0.9, 0.7, 0.1] + rng.normal(size=(stories, 3)), decimals)
    return paired_scores(x, y, rng.integers(0, 60, stories))


def swapped(data: PairedScores, coins: Floats) -> Floats:
    """The differences (permutations x pairs), one correlation at a time."""
    result = np.empty((len(coins), len(PAIRS)))
    for row, coin in enumerate(coins):
        swap = np.repeat(coin, np.diff(data.starts, append=data.stories)) == 1
        for column, (a, b) in enumerate(PAIRS):
            values, other = data.scores[:, a], data.scores[:, b]
            hybrids = np.where(swap, other, values), np.where(swap, values, other)
            first, second = (correlation("spearman", hybrid, data.human) for hybrid in hybrids)
            result[row, column] = first - second
    return result


@pytest.mark.parametrize(("decimals", "error"), [(9, 1e-5), (1, 2e-4), (0, 2e-3)])
def test_permuted_differences_are_near_the_exact_ones(decimals: int, error: float) -> None:
    data = made(decimals, seed=1)
    coins = np.random.default_rng(2).integers(0, 2, (40, data.prompts)).astype(float)
    exact = swapped(data, coins)
    assert exact.std() > 0.03
    np.testing.assert_allclose(linear(linear_gains(data, PAIRS))(coins), exact, atol=error)


def test_without_swaps_and_ties_it_is_the_difference_of_the_correlations() -> None:
    data = made(9, seed=3)
    rho = coefficients(data, "spearman")
    result = linear(linear_gains(data, PAIRS))(np.zeros((1, data.prompts)))[0]
    np.testing.assert_allclose(result, rho[PAIRS[:, 0]] - rho[PAIRS[:, 1]], atol=1e-5)


def test_swapping_everything_turns_the_sign() -> None:
    data = made(0, seed=4)
    statistic = linear(linear_gains(data, PAIRS))
    ends = statistic(np.array([[0.0] * data.prompts, [1.0] * data.prompts]))
    np.testing.assert_allclose(ends[0], -ends[1], atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), st.lists(st.integers(0, 6), min_size=1, max_size=12))
def test_places_are_those_of_a_search(one: list[int], other: list[int]) -> None:
    a, b = np.sort(np.array(one, dtype=float)), np.sort(np.array(other, dtype=float))
    expected = [np.searchsorted(y, x, side) for x, y in ((a, b), (b, a)) for side in ("left", "right")]
    for place, places in zip(_places(a, b), expected, strict=True):
        assert place.tolist() == places.tolist()
