"""Durations: in words, and as another server asks us to wait."""

import math
import time
from email.utils import parsedate_to_datetime


def duration(seconds: float) -> str:
    """Return seconds in words and units, as exactly as a forecast can be."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 180 * 60 else f"{seconds / 3600:.1f} h"


def forecast(seconds: float, *, guessed: bool) -> str:
    """What work that has not begun will take, and what that rests on: on a guess where it has not run here yet."""
    basis = "a first guess, as too little of it has run here yet" if guessed else "at the speed of the last run here"
    return f"about {duration(seconds) if seconds >= 2 else 'a second'} ({basis})"


FEWEST_SECONDS = 3.0


class WorkPace:
    """How fast work goes, and how long it will still take: told once that can be told, and not before.

    The first that is done says nothing, since a model was loaded before it, and neither does what took a moment.
    """

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None

    def rate(self, done: float, now: float) -> float | None:
        """How much is done a second by now (seconds on any clock), None while it cannot be told.

        `done`: how much is, beginning at 0; to be told often.
        """
        if not done:
            return None
        self._first = self._first or (done, now)
        more, passed = done - self._first[0], now - self._first[1]
        return more / passed if more > 0 and passed >= FEWEST_SECONDS else None

    def left(self, done: float, whole: float, now: float) -> float | None:
        """Seconds until all is done, None likewise."""
        rate = self.rate(done, now)
        return None if rate is None else (whole - done) / rate

    def left_text(self, done: float, whole: float, now: float) -> str:
        """The time left as the end of a message, "" while it cannot be told."""
        seconds = self.left(done, whole, now)
        return "" if seconds is None else f", about {duration(seconds)} left"


def retry_after(asked: str) -> float | None:
    """What the header `Retry-After` says, as seconds or as a date (RFC 9110, 10.2.3); None where it says nothing."""
    try:
        seconds = float(asked)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(asked).timestamp() - time.time()
        except ValueError:
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
