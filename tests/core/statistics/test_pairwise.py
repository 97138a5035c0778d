"""Pairs of stories against a loop over all of them."""

from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.arrays import Floats
from core.statistics.pairwise import LARGEST_SMALL, NO_PAIRS, Pairwise, concordance

STORIES = st.lists(st.tuples(st.integers(-3, 40), st.integers(1, 5), st.integers(0, 2)), min_size=1, max_size=40)


def slow(x: Floats, y: Floats) -> Pairwise:
    right = only_x = only_y = both = pairs = 0
    for i, j in combinations(range(len(x)), 2):
        pairs += 1
        a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
        right += a == b
        only_x += a == 0 and b != 0
        only_y += b == 0 and a != 0
        both += a == 0 and b == 0
    return Pairwise(right / pairs if pairs else None, pairs, only_x, only_y, both)


@pytest.mark.parametrize("largest", [LARGEST_SMALL, 0])
@given(STORIES)
def test_equals_the_loop(largest: int, stories: list[tuple[int, int, int]]) -> None:
    x, y, _ = np.array(stories, dtype=float).T
    with patch("core.statistics.pairwise.LARGEST_SMALL", largest):
        pairwise, expected = concordance(x, y).pairwise(), slow(x, y)
    assert (pairwise.pairs, pairwise.tied_metric, pairwise.tied_human, pairwise.tied_both) == (
        expected.pairs,
        expected.tied_metric,
        expected.tied_human,
        expected.tied_both,
    )
    assert pairwise.accuracy == (None if expected.accuracy is None else pytest.approx(expected.accuracy))


@pytest.mark.parametrize("largest", [LARGEST_SMALL, 0])
@given(STORIES)
def test_every_story_against_the_loop_within_its_group(largest: int, stories: list[tuple[int, int, int]]) -> None:
    x, y, groups = np.array(stories, dtype=float).T
    with patch("core.statistics.pairwise.LARGEST_SMALL", largest):  # else by sorting
        result = concordance(x, y, groups.astype(np.intp))
    same = groups[:, None] == groups
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    equal_x, equal_y = x[:, None] == x, y[:, None] == y
    np.testing.assert_array_equal(result.sign, (signs * same).sum(1))
    np.testing.assert_array_equal(result.same_metric, (equal_x & same).sum(1))
    np.testing.assert_array_equal(result.same_human, (equal_y & same).sum(1))
    np.testing.assert_array_equal(result.same_both, (equal_x & equal_y & same).sum(1))
    below_x, below_y = x[:, None] > x, y[:, None] > y
    np.testing.assert_array_equal(result.rank_metric, (below_x & same).sum(1) + ((equal_x & same).sum(1) + 1) / 2)
    np.testing.assert_array_equal(result.rank_human, (below_y & same).sum(1) + ((equal_y & same).sum(1) + 1) / 2)


@pytest.mark.parametrize("sizes", [[100] * 3, [99, 1, 60], [101, 5], [1] * 90])
def test_groups_of_any_size_give_what_sorting_gives(sizes: list[int]) -> None:
    rng = np.random.default_rng(sum(sizes))
    groups = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    x, y = rng.normal(size=len(groups)).round(1), rng.integers(1, 6, len(groups)).astype(float)
    quick = concordance(x, y, groups)
    with patch("core.statistics.pairwise.LARGEST_SMALL", 0):
        sorted_ = concordance(x, y, groups)
    for name in vars(quick):
        np.testing.assert_array_equal(getattr(quick, name), getattr(sorted_, name), err_msg=name)
        assert getattr(quick, name).dtype == getattr(sorted_, name).dtype


@given(STORIES)
def test_groups_have_scipys_tau_and_their_accuracies_are_averaged(stories: list[tuple[int, int, int]]) -> None:
    x, y, groups = np.array(stories, dtype=float).T
    numbers = np.unique(groups, return_inverse=True)[1]
    result = concordance(x, y, numbers)
    parts = [(x[groups == g], y[groups == g]) for g in np.unique(groups)]
    for tau, (a, b) in zip(result.tau_b(), parts, strict=True):
        varied = len(a) > 1 and np.ptp(a) > 0 and np.ptp(b) > 0
        assert tau == pytest.approx(stats.kendalltau(a, b).statistic if varied else np.nan, nan_ok=True)
    accuracies = [pairwise.accuracy for pairwise in (slow(a, b) for a, b in parts) if pairwise.accuracy is not None]
    if accuracies:
        assert result.pairwise().accuracy == pytest.approx(np.mean(accuracies))
    else:
        assert result.pairwise() == NO_PAIRS


def test_an_example_by_hand() -> None:
    """Pairs: 12 tied in both (right), 13 and 23 right, 14 and 24 tied in the metric alone, 34 the wrong way round."""
    pairwise = concordance(np.array([1.0, 1, 2, 1]), np.array([3.0, 3, 4, 5])).pairwise()
    assert pairwise == Pairwise(0.5, 6, tied_metric=2, tied_human=0, tied_both=1)
    # Guessed with ties as often, a pair of four is tied in both 3/6 · 1/6 of the time, else right half of the time.
    assert pairwise.chance == pytest.approx(3 / 6 * 1 / 6 + 3 / 6 * 5 / 6 / 2)


def test_a_guess_gets_what_chance_gives() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=4000), rng.integers(1, 4, 4000).astype(float)  # a third of the pairs are tied by people
    pairwise = concordance(x, y).pairwise()
    assert pairwise.chance == pytest.approx(1 / 3, abs=0.01)
    assert pairwise.accuracy == pytest.approx(pairwise.chance, abs=0.01)
    assert NO_PAIRS.chance is None


def test_more_values_than_sixteen_bits_hold() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=140_000), rng.normal(size=140_000)
    result = concordance(x, y)
    assert result.sign.sum() / (140_000.0 * 139_999) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("n", [0, 1])
def test_no_pair(n: int) -> None:
    assert concordance(np.zeros(n), np.zeros(n)).pairwise() == NO_PAIRS
