"""How often somebody may try."""

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_KEYS = 20_000
"""Addresses that are remembered at once; beyond that the one that tried longest ago is forgotten."""


class Rate:
    """So many attempts at once, and then so many a second, for each key (a token bucket)."""

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst = burst
        self.per_second = per_second
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Whether this key has an attempt left."""
        return self._now(key)[0] >= 1

    def spend(self, key: str) -> bool:
        """Take one attempt; False, and nothing taken, where none is left."""
        left, moment = self._now(key)
        if left < 1:
            return False
        self._left[key] = (left - 1, moment)
        self._left.move_to_end(key)
        if len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)
        return True

    def wait(self, key: str) -> int:
        """Seconds until this key has an attempt again, rounded up; 0 where it has one."""
        left = self._now(key)[0]
        return 0 if left >= 1 else int((1 - left) / self.per_second) + 1

    def _now(self, key: str) -> tuple[float, float]:
        moment = self._clock()
        left, before = self._left.get(key, (self.burst, moment))
        return min(self.burst, left + (moment - before) * self.per_second), moment
