"""Times in words, and the time left, which is told only once it can be."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from core.durations import FEWEST_SECONDS, Expected, ShownSpeed, WorkPace, duration, expected, pace_text, retry_after


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (600, "10 min"), (3 * 3600, "3.0 h")]
)
def test_a_time_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_what_work_takes_is_a_range_or_at_least_so_much() -> None:
    """A guess is of a machine that does nothing else; what has run here was once slow and once fast."""
    guess = expected(12_000, 100, None, loading=15)
    assert guess == Expected(135, None)
    assert guess.words == "roughly 2 min on an idle machine (a guess until longer runs here are timed)"
    shown = expected(12_000, 100, ShownSpeed(latest=200, slowest=20, fastest=400), loading=15)
    assert shown == Expected(30, 615)
    assert shown.words == "30 s to 10 min (by the last runs here)"
    assert (guess + shown) == Expected(165, None)
    assert (shown + Expected(1, 2)) == Expected(31, 617)
    assert expected(0, 100, None, loading=15) == Expected()
    assert Expected(600, 610).words == "about 10 min (by the last runs here)"
    assert Expected(0.1, 1.5).words == "about a second (by the last runs here)"


def test_a_slow_pace_is_told_by_the_time_of_each() -> None:
    assert pace_text(2.04, "stories", "story") == "2.0 stories a second"
    assert pace_text(0.02, "stories", "story") == "50 s a story"


def test_what_comes_before_the_first_that_is_done_says_nothing() -> None:
    """A model loads for 40 s, and then ten a second are done."""
    pace = WorkPace()
    assert pace.left(0, 1000, now=0.0) is None
    assert pace.left(10, 1000, now=40.0) is None
    assert pace.left(20, 1000, now=41.0) is None  # one second tells no pace
    assert pace.left(10 + 10 * 4, 1000, now=44.0) == pytest.approx(95)
    assert pace.rate(10 + 10 * 50, now=90.0) == pytest.approx(10)


def test_no_pace_while_nothing_more_is_done() -> None:
    pace = WorkPace()
    pace.rate(5, now=0.0)
    assert pace.left(5, 10, now=FEWEST_SECONDS + 1) is None
    assert pace.left(7.5, 10, now=FEWEST_SECONDS + 1) == pytest.approx(FEWEST_SECONDS + 1)


@pytest.mark.parametrize(("asked", "seconds"), [("3", 3.0), ("0.5", 0.5), ("-2", 0.0), ("", None), ("soon", None)])
def test_how_long_another_server_asks_us_to_wait(asked: str, seconds: float | None) -> None:
    assert retry_after(asked) == seconds


def test_another_server_may_name_a_date_or_something_that_is_no_time() -> None:
    later = retry_after(format_datetime(datetime.now(UTC) + timedelta(seconds=30)))
    assert later is not None
    assert 25 < later <= 30
    assert retry_after("inf") is None
    assert retry_after("nan") is None
