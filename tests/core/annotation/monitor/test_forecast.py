"""How many panels are left, at the study's own rate."""

import pytest
from scipy import stats

from core.annotation.monitor.forecast import Forecast, forecast


def test_before_any_panel_there_is_no_rate() -> None:
    assert forecast(20, 0, 0) == Forecast(20, 0, 0, None, undefined="no panel was handed in yet")
    assert forecast(20, 0, 13) == Forecast(20, 0, 13, 1.0, undefined="no panel was accepted yet")


def test_four_panels_forecast_nothing() -> None:
    assert forecast(100, 3, 1) == Forecast(100, 3, 1, 0.25, undefined="only 4 panels were judged; 10 are needed")
    assert forecast(100, 7, 2).panels is None
    assert forecast(100, 8, 2).panels is not None


@pytest.mark.parametrize(("valid", "rejected"), [(0, 0), (10, 5)])
def test_a_full_study_needs_none(valid: int, rejected: int) -> None:
    result = forecast(0, valid, rejected)
    assert (result.panels, result.low, result.high, result.undefined) == (0, 0, 0, None)


@pytest.mark.parametrize(("open_slots", "valid", "rejected"), [(100, 40, 25), (1, 10, 0), (20, 3, 9)])
def test_the_interval_is_that_of_the_exact_distribution(open_slots: int, valid: int, rejected: int) -> None:
    result = forecast(open_slots, valid, rejected)
    assert result.rejection_rate == pytest.approx(rejected / (valid + rejected))
    exact = stats.betanbinom(open_slots, valid + 0.5, rejected + 0.5)
    for part, value in ((0.025, result.low), (0.5, result.panels), (0.975, result.high)):
        assert value is not None
        rejections = value - open_slots
        # The quantile itself may sit between two numbers; the probabilities on its sides may not.
        assert exact.cdf(rejections - 1) - 0.003 <= part <= exact.cdf(rejections) + 0.003


def test_few_accepted_of_many_is_quick() -> None:
    result = forecast(10_000, 1, 30)
    assert result.high is not None
    assert result.high > 100_000


def test_more_evidence_narrows_it_and_rejections_raise_it() -> None:
    few, many, worse = forecast(50, 6, 4), forecast(50, 600, 400), forecast(50, 60, 140)
    for item in (few, many, worse):
        assert item.low is not None
        assert item.panels is not None
        assert item.high is not None
        assert 50 <= item.low <= item.panels <= item.high
    assert few.high - few.low > many.high - many.low  # type: ignore[operator]
    assert worse.panels > many.panels  # type: ignore[operator]
