"""How many panels are left, at the study's own rate."""

import numpy as np
import pytest

from core.analysis.forecast import Forecast, forecast


def test_before_any_panel_there_is_no_rate() -> None:
    assert forecast(20, 0, 0) == Forecast(20, 0, 0, None, undefined="no panel was handed in yet")
    assert forecast(20, 0, 3) == Forecast(20, 0, 3, 1.0, undefined="no panel was accepted yet")


@pytest.mark.parametrize(("valid", "rejected"), [(0, 0), (10, 5)])
def test_a_full_study_needs_none(valid: int, rejected: int) -> None:
    found = forecast(0, valid, rejected)
    assert (found.panels, found.low, found.high, found.undefined) == (0, 0, 0, None)


def test_the_interval_is_that_of_simulated_studies() -> None:
    rng = np.random.default_rng(0)
    chance = rng.beta(40.5, 25.5, 200_000)
    panels = 100 + rng.negative_binomial(100, chance)
    found = forecast(100, 40, 25)
    assert found.rejection_rate == pytest.approx(25 / 65)
    assert (found.low, found.panels, found.high) == pytest.approx(
        tuple(np.percentile(panels, [2.5, 50, 97.5])), rel=0.01
    )


def test_more_evidence_narrows_it_and_rejections_raise_it() -> None:
    few, many, worse = forecast(50, 6, 4), forecast(50, 600, 400), forecast(50, 60, 140)
    for one in (few, many, worse):
        assert one.low is not None
        assert one.panels is not None
        assert one.high is not None
        assert 50 <= one.low <= one.panels <= one.high
    assert few.high - few.low > many.high - many.low  # type: ignore[operator]
    assert worse.panels > many.panels  # type: ignore[operator]
