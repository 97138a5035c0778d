"""How quickly an endpoint is asked, and how long to wait before it is asked again."""

import random
import time

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
"""Seconds between two tries of a request, twice as long each time, unless the endpoint names a time itself."""
LONGEST_REST = 120.0
"""Seconds that an endpoint may ask us to wait; where it asks for more, a person is to come back."""


class Pace:
    """So many requests a minute at most, evenly spread; 0 for as many as there are."""

    def __init__(self, requests_a_minute: int) -> None:
        self._apart = 60 / requests_a_minute if requests_a_minute else 0.0
        self._next = 0.0

    def wait(self) -> float:
        """Seconds until another request may go."""
        return max(0.0, self._next - time.monotonic()) if self._apart else 0.0

    def take(self) -> None:
        """One goes now."""
        self._next = time.monotonic() + self._apart


def pause(tries: int, asked: float | None, first: float = FIRST_PAUSE) -> float:
    """Seconds until the next try after so many: exponential, with jitter, so that those who failed together do not come
    back together; what the endpoint has `asked` for is heeded.
    """
    if asked is not None:
        return asked + first * random.random()
    return min(LONGEST_PAUSE, first * 2.0 ** (tries - 1)) * random.uniform(0.5, 1.0)
