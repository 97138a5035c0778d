"""How quickly an endpoint is asked, and when again."""

import time

import pytest

from core.judges.backends.limits import LONGEST_PAUSE, Pace, pause


def test_so_many_requests_a_minute() -> None:
    pace = Pace(600)
    assert pace.wait() == 0
    pace.take()
    assert 0.05 < pace.wait() <= 0.1
    time.sleep(pace.wait())
    assert pace.wait() == 0


def test_no_limit_waits_for_nothing() -> None:
    pace = Pace(0)
    pace.take()
    assert pace.wait() == 0


@pytest.mark.parametrize(("tries", "longest"), [(1, 0.5), (2, 1.0), (3, 2.0), (20, LONGEST_PAUSE)])
def test_pauses_grow_and_differ(tries: int, longest: float) -> None:
    pauses = [pause(tries, None) for _ in range(50)]
    assert len(set(pauses)) > 40
    assert all(longest / 2 <= seconds <= longest for seconds in pauses)


def test_what_the_endpoint_asks_for_is_heeded() -> None:
    assert all(7 <= pause(1, 7.0) <= 7.5 for _ in range(50))
