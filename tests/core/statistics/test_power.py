"""The power of a t-test: against statsmodels and SciPy, and what designs follow from it."""

from math import inf, isfinite

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from core.statistics.power import MOST, detectable, fewest, needed_noncentrality, pairs_needed, power_of_t


@pytest.mark.parametrize("freedom", [1, 2, 3, 8, 40, 500])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize("far", [0.0, 0.7, 2.8, 5.0])
def test_power_is_that_of_the_noncentral_t(freedom: int, alpha: float, far: float) -> None:
    critical = stats.t.isf(alpha / 2, freedom)
    expected = stats.nct.sf(critical, freedom, far) + stats.nct.cdf(-critical, freedom, far)
    assert power_of_t(far, freedom, alpha) == pytest.approx(expected, abs=1e-5)


def test_nothing_found_by_chance_is_alpha() -> None:
    assert power_of_t(0, 7, 0.05) == pytest.approx(0.05, abs=1e-6)
    assert power_of_t(9, 0, 0.05) == 0


@settings(deadline=None, max_examples=40)
@given(
    st.floats(0.05, 1.0),  # of larger ones SciPy's noncentral t often has no number
    st.sampled_from([0.5, 0.8, 0.95]),
    st.sampled_from([0.05, 0.01, 0.05 / 45]),
)
def test_as_many_pairs_as_statsmodels_needs(difference: float, power: float, alpha: float) -> None:
    pairs = pairs_needed(difference, 1.0, power, alpha)
    assert pairs is not None
    reached, with_one_less = (TTestPower().power(difference, number, alpha) for number in (pairs, max(2, pairs - 1)))
    assume(isfinite(reached) and isfinite(with_one_less))  # nor has it one here and there
    assert reached == pytest.approx(power, abs=1e-4) or reached > power
    if pairs > 3:
        assert with_one_less < power + 1e-4


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 3000), st.floats(0.01, 50), st.sampled_from([0.6, 0.8, 0.99]))
def test_what_a_design_can_see_is_what_it_is_needed_for(pairs: int, variance: float, power: float) -> None:
    seen = detectable(pairs, variance, power, 0.05)
    assert pairs_needed(seen * (1 + 1e-6), variance, power, 0.05) == pairs
    assert detectable(pairs + 1, variance, power, 0.05) < seen


def test_what_no_design_finds() -> None:
    assert pairs_needed(1e-9, 1.0, 0.8, 0.05) is None
    assert pairs_needed(1.0, 0.0, 0.8, 0.05) == 2
    assert detectable(1, 1.0, 0.8, 0.05) == inf
    assert needed_noncentrality(0, 0.8, 0.05) == inf
    assert fewest(lambda number: number > MOST, 2) is None


@pytest.mark.parametrize("answer", [2, 3, 7, 1000])
def test_the_fewest_that_are_enough(answer: int) -> None:
    assert fewest(lambda number: number >= answer, 2) == answer
