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
