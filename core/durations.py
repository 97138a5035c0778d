"""Durations: in words, of work before and while it runs, and as another server asks us to wait."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime


def duration(seconds: float) -> str:
    """Return seconds in words and units, as exactly as a forecast can be."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 180 * 60 else f"{seconds / 3600:.1f} h"


@dataclass(frozen=True, slots=True)
class ShownSpeed:
    """How fast work went the last times that it ran here, in characters a second."""

    latest: float
    slowest: float
    fastest: float


@dataclass(frozen=True, slots=True)
class Expected:
    """The seconds that work will take before it has begun: `least`, and at `most` by what has run here, None where some
    of it has not: `least` is a guess then.
    """

    least: float = 0.0
    most: float | None = 0.0

    def __add__(self, other: Expected) -> Expected:
        most = None if self.most is None or other.most is None else self.most + other.most
        return Expected(self.least + other.least, most)

    @property
    def words(self) -> str:
        """A range, or a guess, and what that rests on."""
        if self.most is None:
            return f"roughly {_whole(self.least)} on an idle machine (a guess until longer runs here are timed)"
        least, most = _whole(self.least), _whole(self.most)
        return f"{f'about {most}' if least == most else f'{least} to {most}'} (by the last runs here)"


def expected(characters: float, guess: float, shown: ShownSpeed | None, loading: float = 0.0) -> Expected:
    """What so many characters take: at the speeds that were shown here, or else at the guess on a machine that does
    nothing else. `guess`: characters a second; `loading`: seconds until a model is loaded, which may be so already.
    """
    if not characters:
        return Expected()
    if shown is None:
        return Expected(characters / guess + loading, None)
    return Expected(characters / shown.fastest, characters / shown.slowest + loading)


def _whole(seconds: float) -> str:
    return duration(seconds) if seconds >= 2 else "a second"


LEAST_A_SECOND = 0.1


def pace_text(rate: float, what: str, each: str) -> str:
    """How much is done a second, or how long each of it takes where that is more than ten seconds: `0.4 stories a
    second`. `what`: what is done, in the plural; `each`: one of it.
    """
    return f"{rate:,.1f} {what} a second" if rate >= LEAST_A_SECOND else f"{duration(1 / rate)} a {each}"


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
