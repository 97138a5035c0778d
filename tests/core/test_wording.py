"""Nouns fit their numbers, and numbers have the signs that they need."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.intervals import Estimate
from core.wording import ROUNDING, decimals_apart, digits, p_digits, real_minus, rounded, so_many


def test_one_and_many() -> None:
    assert so_many(1, "metric") == "1 metric"
    assert so_many(0, "metric") == "0 metrics"
    assert so_many(1_056, "story", "stories") == "1,056 stories"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("-0.00 (-0.15 to 0.13)", "0.00 (−0.15 to 0.13)"),
        ("-0.01 to -0.000*", "−0.01 to 0.000*"),
        ("-0%", "0%"),
        ("-0.0001", "−0.0001"),
        ("10-0", "10−0"),
    ],
)
def test_a_zero_has_no_sign(text: str, shown: str) -> None:
    assert real_minus(text) == shown


def test_an_interval_shows_the_side_of_zero_on_which_its_ends_lie() -> None:
    close = Estimate(-0.001, -0.2, 0.004)
    assert close.text(".2f") == "-0.001 (-0.20 to 0.004)"
    assert close.shown(".2f") == "−0.001 (−0.20 to 0.004)"
    assert Estimate(-0.0, -1e-17, 0.5).shown(".2f") == "0.00 (0.00 to 0.50)"


@pytest.mark.parametrize(
    ("value", "form", "written"),
    [
        (0.125, ".2f", "0.13"),
        (-0.125, ".2f", "-0.13"),
        (0.0625, ".3f", "0.063"),
        (2.5, ".0f", "3"),
        (0.625, ".0%", "63%"),
        (0.1 + 0.2 - 0.175, ".2f", "0.13"),
        (0.405 - 1e-16, ".2f", "0.41"),
        (0.4049, ".2f", "0.40"),
        (39.0, "", "39.0"),
        (39, "", "39"),
    ],
)
def test_a_half_is_rounded_away_from_0(value: float, form: str, written: str) -> None:
    assert digits(value, form) == written


@given(st.floats(-2, 2), st.integers(0, 3))
def test_a_written_number_has_the_sign_that_it_has(value: float, decimals: int) -> None:
    text = rounded(value, decimals)
    sign = (value > 0) - (value < 0) if abs(value) > ROUNDING else 0
    written = float(text.replace("−", "-"))
    assert ((written > 0) - (written < 0), text.startswith("−")) == (sign, sign < 0)
    places = len(text.partition(".")[2])
    assert places >= decimals
    if places > decimals:  # no more than its sign takes
        assert abs(value) <= 0.5 * 10**-decimals
        assert round(abs(written) * 10**places) in range(1, 11)
    else:
        assert abs(written - value) <= 0.5 * 10**-decimals + ROUNDING


@pytest.mark.parametrize(
    ("value", "shown"), [(-0.0012, "−0.001"), (0.0031, "0.003"), (0.0, "0.00"), (-1e-17, "0.00"), (-0.006, "−0.01")]
)
def test_what_two_decimals_would_hide_has_a_third(value: float, shown: str) -> None:
    assert rounded(value, 2) == shown


def test_what_is_compared_has_a_third_decimal_where_two_look_alike() -> None:
    assert decimals_apart(0.621, 0.63, None) == decimals_apart(0.5, 0.5) == 2
    assert decimals_apart(0.621, 0.624) == 3


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.625, "0.625"),
        (0.3125, "0.313"),
        (0.0005, "0.0005"),
        (0.04567, "0.0457"),
        (0.0, "0"),
        (1.0, "1"),
        (5e-7, "5e-07"),
    ],
)
def test_a_p_has_three_digits_a_half_rounded_up(p: float, written: str) -> None:
    assert p_digits(p) == written
