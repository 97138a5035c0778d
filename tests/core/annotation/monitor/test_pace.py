"""The pace of the last day, and where it leads."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.monitor.forecast import Forecast, forecast
from core.annotation.monitor.pace import arrivals, pace

NOW = datetime(2026, 3, 10, 15, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)
LEFT = Forecast(10, 90, 10, 0.1, 12, 10, 18)


def test_the_last_day_alone_is_measured() -> None:
    times = [NOW - 30 * HOUR] * 50 + [NOW - i * HOUR for i in range(6)]
    result = pace(times, NOW - 72 * HOUR, NOW, LEFT)
    assert result.a_day == 6
    assert (result.ends, result.earliest, result.latest) == tuple(NOW + timedelta(days=n / 6) for n in (12, 10, 18))


def test_a_study_of_some_hours_is_measured_over_those() -> None:
    result = pace([NOW - HOUR] * 3, NOW - 6 * HOUR, NOW, LEFT)
    assert result.a_day == 12
    assert result.ends == NOW + timedelta(days=1)


@pytest.mark.parametrize(
    ("times", "begun", "left", "reason"),
    [
        ([], None, Forecast(5, 0, 0, None, undefined="no panel was handed in yet"), "no panel was handed in yet"),
        ([NOW - 40 * HOUR], NOW - 41 * HOUR, LEFT, "nothing was handed in during the last day"),
        ([NOW], NOW - timedelta(minutes=5), LEFT, "the study has only begun"),
        ([NOW - HOUR], NOW - 30 * HOUR, Forecast(1, 1, 0, 0, 9_000, 8_000, 10_000), "more than ten years"),
    ],
)
def test_where_no_end_can_be_said(times: list[datetime], begun: datetime | None, left: Forecast, reason: str) -> None:
    result = pace(times, begun, NOW, left)
    assert result.ends is None
    assert reason in (result.undefined or "")


def test_a_full_study_has_ended() -> None:
    assert pace([NOW], NOW - 30 * HOUR, NOW, forecast(0, 5, 1)).ends == NOW


@given(st.lists(st.tuples(st.integers(0, 60 * 24 * 40), st.booleans()), min_size=1, max_size=60))
def test_every_panel_is_in_the_step_of_its_time(given: list[tuple[int, bool]]) -> None:
    times = [NOW + timedelta(minutes=m) for m, _ in given]
    steps = arrivals(times, [valid for _, valid in given])
    assert sum(s.valid for s in steps) == sum(valid for _, valid in given)
    assert sum(s.valid + s.rejected for s in steps) == len(given)
    widths = {b.begins - a.begins for a, b in pairwise(steps)}
    assert len(widths) <= 1
    assert len(steps) <= 60
    width = widths.pop() if widths else timedelta(days=1)
    for step in steps:
        inside = [valid for at, (_, valid) in zip(times, given, strict=True) if step.begins <= at < step.begins + width]
        assert (step.valid, step.valid + step.rejected) == (sum(inside), len(inside)) or len(steps) == 1


def test_nothing_came_in() -> None:
    assert arrivals([], []) == []
