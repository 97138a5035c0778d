"""Costs: estimated before, counted, and kept below a cap."""

import pytest

from core.judges.asking import Message, Reply, Request
from core.judges.backends.cost import Estimate, Meter, Prices, Spent, estimate, estimate_stories, tokens_of


def request(characters: int, key: str = "a") -> Request:
    return Request(key, (Message("system", "x" * 10), Message("user", "x" * (characters - 10))))


def test_an_estimate_is_what_it_takes_at_most() -> None:
    wanted = [request(400), request(800)]
    assert estimate(wanted, Prices(2.0, 10.0), 50) == Estimate(2, 300, 100, pytest.approx(0.0016))
    assert estimate(wanted, Prices(), 50) == Estimate(2, 300, 100, None)
    assert estimate([], Prices(1.0), 50) == Estimate(0, 0, 0, 0.0)
    assert [tokens_of(characters) for characters in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_an_estimate_of_stories() -> None:
    """10 stories of 4,000 characters together, asked three times with 600 characters of instructions."""
    found = estimate_stories(10, 4000, times=3, instructions=600, prices=Prices(1.0, 2.0), most_tokens=20)
    assert found == Estimate(30, 7500, 600, pytest.approx(0.0087))


def test_replies_are_counted() -> None:
    meter = Meter(Prices(2.0, 10.0), 0, 50)
    assert meter.reserve(request(400))
    meter.settle(request(400), Reply("a", "4", None, "", 100, 1))
    assert meter.spent == Spent(1, 100, 1, pytest.approx(0.00021))


def test_what_is_under_way_counts_towards_the_cap() -> None:
    """A request may cost 100 + 100 tokens' price; two fit below the cap, and a third when one was cheaper."""
    meter = Meter(Prices(1_000_000, 1_000_000), 450, 100)
    assert meter.reserve(request(400, "a"))
    assert meter.reserve(request(400, "b"))
    assert not meter.reserve(request(400, "c"))
    assert meter.is_waiting_for_replies
    meter.settle(request(400, "a"), Reply("a", "4", None, "", 100, 1))
    assert not meter.reserve(request(400, "c"))  # 101 + 200 + 200
    meter.settle(request(400, "b"), None)  # nothing came of it
    assert meter.reserve(request(400, "c"))
    meter.settle(request(400, "c"), Reply("c", "4", None, "", 400, 1))
    assert not meter.is_waiting_for_replies
    assert "450.00" in meter.cap_reached(request(400))


def test_a_language_with_more_tokens_is_learnt_from_replies() -> None:
    meter = Meter(Prices(1_000_000), 0, 100)
    assert meter.price_at_most(request(400)) == 100
    meter.settle(request(400), Reply("a", "4", None, "", 300, 1))
    assert meter.price_at_most(request(400)) == 300
    meter.settle(request(400), Reply("a", "4", None, "", 80, 1))
    assert meter.price_at_most(request(400)) == 300
