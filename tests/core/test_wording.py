"""Nouns fit their numbers, and numbers have the signs that they need."""

import pytest

from core.statistics.intervals import Estimate
from core.wording import real_minus, so_many


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


def test_an_interval_has_no_zero_below_zero() -> None:
    close = Estimate(-0.001, -0.2, -0.004)
    assert close.text(".2f") == "0.00 (-0.20 to 0.00)"
    assert close.shown(".2f") == "0.00 (−0.20 to 0.00)"
