"""How work reports its progress, and learns that it should stop."""

import time
from collections.abc import Callable
from typing import Any

from core.jobs import SCORES_LEFT, SHARE
from db.jobs import jobs

TELL_EVERY = 0.5
"""Seconds between two writes of the progress."""

Watch = Callable[[int, int, str], None]
"""Told of progress: scores done, scores in all, what is going on."""


class Cancelled(BaseException):
    """Somebody asked the job to stop. No Exception, so that no metric takes it for a fault of its own."""


class OutOfLane(Exception):
    """A job in the light lane has something to compute after all that takes a model: it belongs in the heavy lane."""


class ProgressWriter:
    """Writes how far a job is into its row, no more often than needed; raises Cancelled when asked to stop."""

    def __init__(self, job_id: int, total: int, watch: Watch) -> None:
        self.job_id = job_id
        self.total = total
        self.done = 0
        self.share: float | None = None
        """Of all that is to be done, 0 to 1, where `done` of `total` does not say it."""
        self.scores_left: list[str] | None = None
        """Of a job that scores: the metrics that have scores still to come."""
        self._watch = watch
        self._told = 0.0

    def say(
        self, message: Callable[[], str], *, now: bool = False, so_far: Callable[[], dict[str, Any]] | None = None
    ) -> None:
        """Write `message()` and the count, and what is found `so_far`, if it is time; `now` writes at once."""
        if not now and time.monotonic() - self._told < TELL_EVERY:
            return
        self._told = time.monotonic()
        text = message()
        self._watch(self.done, self.total, text)
        told = {SHARE: self.share, SCORES_LEFT: self.scores_left}
        result = {**(so_far() if so_far else {}), **{name: is_so for name, is_so in told.items() if is_so is not None}}
        if jobs.beat(self.job_id, done=self.done, total=self.total, message=text, so_far=result or None):
            raise Cancelled
