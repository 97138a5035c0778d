"""Long work as the pages see it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class JobState(StrEnum):
    """Queued, running, or how it ended; interrupted jobs can be resumed."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @property
    def active(self) -> bool:
        """Whether it may still make progress."""
        return self in (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True)
class Job:
    """One row of work: what, how far, and how it ended."""

    id: int
    kind: str
    study_id: int | None
    settings: dict[str, Any]
    state: JobState
    done: int
    total: int
    message: str
    cancel_requested: bool
    result: dict[str, Any] | None
    created_at: datetime
    started_at: datetime | None
    heartbeat_at: datetime | None
    ended_at: datetime | None

    def rate(self) -> float | None:
        """Stories a second since the start, or None before the first."""
        if self.started_at is None or self.heartbeat_at is None or not self.done:
            return None
        seconds = ((self.ended_at or self.heartbeat_at) - self.started_at).total_seconds()
        return self.done / seconds if seconds > 0 else None

    def seconds_left(self) -> float | None:
        """At the present rate; None before the first story or after the end."""
        rate = self.rate()
        return (self.total - self.done) / rate if rate and self.state is JobState.RUNNING else None
