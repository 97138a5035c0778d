"""How quickly an endpoint is asked, and when again."""

import asyncio
import time

import pytest

from core.judges.backends.limits import LONGEST_PAUSE, Pace, pause


def test_so_many_requests_a_minute() -> None:
    async def four() -> float:
        pace, began = Pace(1200), time.monotonic()
        await asyncio.gather(*(pace.turn() for _ in range(4)))
        return time.monotonic() - began

    assert 0.14 <= asyncio.run(four()) < 2  # 50 ms apart


def test_no_limit_waits_for_nothing() -> None:
    async def many() -> None:
        pace = Pace(0)
        for _ in range(1000):
            await pace.turn()

    began = time.monotonic()
    asyncio.run(many())
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(("tries", "longest"), [(1, 0.5), (2, 1.0), (3, 2.0), (20, LONGEST_PAUSE)])
def test_pauses_grow_and_differ(tries: int, longest: float) -> None:
    pauses = [pause(tries, None) for _ in range(50)]
    assert len(set(pauses)) > 40
    assert all(longest / 2 <= seconds <= longest for seconds in pauses)


def test_what_the_endpoint_asks_for_is_heeded() -> None:
    assert all(7 <= pause(1, 7.0) <= 7.5 for _ in range(50))
