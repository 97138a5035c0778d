"""The chart of what came in."""

from datetime import UTC, datetime, timedelta

import pytest

from core.annotation.monitor.pace import PaceStep
from core.figures.monitor import over_time

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(("hours", "every"), [(1, "hour"), (6, "quarter of a day"), (24, "day")])
def test_bars_stack_to_what_was_handed_in(hours: int, every: str) -> None:
    steps = [PaceStep(BEGIN + timedelta(hours=hours * i), i, 3 - i) for i in range(3)]
    figure = over_time(steps, "panels")
    assert [list(bar.y) for bar in figure.data] == [[0, 1, 2], [3, 2, 1]]
    assert figure.layout.title.text == f"Panels handed in, by {every}"
    assert figure.layout.barmode == "stack"
    assert (figure.layout.xaxis.dtick == 3_600_000) is (hours == 1)  # a bar alone has one tick, of minutes


def test_hours_have_no_seconds() -> None:
    stops = over_time([PaceStep(BEGIN, 1, 0)], "panels").layout.xaxis.tickformatstops
    assert [stop.value for stop in stops] == ["%H:%M\n%-d %b %Y", "%-d %b\n%Y"]
