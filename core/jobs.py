"""Jobs (long work) as the pages see them."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

TERMINAL_RUNNER = "terminal "
"""What the runner of a command in a terminal begins with."""


SHARE = "share"
"""In the result of a job that runs: how much of all of it is done, 0 to 1."""
SCORES_LEFT = "scores_left"
"""In the result of a job that scores and runs: the metrics that it has scores of still to make, as it was asked for
them.
"""
_LEFT = re.compile(r"about (\S+ (?:s|min|h)) left$")
"""How a message ends that tells the time until all is done."""


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

    @property
    def share(self) -> float:
        """How much of all of it is done, 0 to 1."""
        return share_done(self.done, self.total, self.result)

    @property
    def left(self) -> str:
        """The time until all is done, such as `13 s left`; "" while nobody knows it."""
        match = _LEFT.search(self.message)
        return f"{match[1]} left" if match else ""


@dataclass(frozen=True)
class Queued:
    """A job that is not over, as whoever runs studies may see it: no text that somebody reads, no program's path.

    `about`: what it works on and with; `metrics`: those of which it has scores still to make, by their names; `by`: who
    asked for it, "" for somebody whom the viewer need not know; `before`: how many of its lane have their turn first,
    those at work included, 0 for what runs. `here`: whether the worker runs it; a command in a terminal is a process of
    its own, and nobody waits for it.
    """

    id: int
    kind: str
    study_id: int | None
    about: str
    metrics: tuple[str, ...]
    by: str
    mine: bool
    here: bool
    running: bool
    before: int
    done: int
    total: int
    share: float

    @property
    def far(self) -> str:
        """How far it is."""
        if not self.running:
            return "waiting"
        return _so_far(self.kind, self.done, self.total, self.share) if self.total or self.share else "preparing"


@dataclass(frozen=True)
class TrayJob:
    """A job as the tray shows it to who asked for it or runs its study.

    `name`: what it makes, "" where its kind says all; `study`: that study's name, "" of none.
    """

    job: Job
    name: str
    study: str

    @property
    def far(self) -> str:
        """How far it is, with the time left once that is known."""
        job = self.job
        if job.state is JobState.QUEUED:
            return "waiting"
        if not (job.total or job.share):
            return "preparing"
        return ", ".join(filter(None, (_so_far(job.kind, job.done, job.total, job.share), job.left)))


def _so_far(kind: str, done: int, total: int, share: float) -> str:
    """How much is done, of scores as the page that runs metrics has it: where some take longer, the share is one of the
    expected time, and would contradict the count.
    """
    of_time = percent(share)
    if kind != "score" or not total or of_time == percent(done / total):
        return of_time
    return f"{done:,} of {total:,} scores" if of_time == percent(0) else f"{of_time} of the time"


def left_first(settings: Mapping[str, Any], result: Mapping[str, Any] | None) -> list[str]:
    """The metrics of a job that scores, as it was asked for them: those first that have scores still to come, where
    that is known.
    """
    asked = settings.get("metrics", [])
    left = (result or {}).get(SCORES_LEFT, ())
    return sorted(dict.fromkeys(asked), key=lambda item: item not in left)


def share_done(done: int, total: int, result: Mapping[str, Any] | None) -> float:
    """How much of a job is done, 0 to 1, as its row has it: what the work tells of all of it, or what it counts."""
    told = (result or {}).get(SHARE)
    if told is not None:
        return float(told)
    return min(1.0, done / total) if total else 0.0


def percent(share: float) -> str:
    """A share in whole percent, of which the last is told at the end alone."""
    return f"{min(share, 0.99) if share < 1 else 1:.0%}"


def scoring(jobs: Sequence[Queued], study_id: int) -> list[Queued]:
    """Return the jobs of a queue that score this study: while there is any, its analyses are of the scores so far."""
    return [job for job in jobs if job.study_id == study_id and job.kind == "score"]


def scoring_note(jobs: Sequence[Queued], scored: Collection[str]) -> str:
    """That scoring is not over: how far each job is, of which metrics with scores still to come the coefficients that
    are shown may change by it, and which metrics come to them; "" where there is none. `scored`: the metrics that have
    scores already, of a judge one a criterion: `judge:coherence`.
    """
    if not jobs:
        return ""
    each = "; ".join(f"{job.about} ({job.far})" for job in jobs)
    asked = list(dict.fromkeys(name for job in jobs for name in job.metrics))
    known = {*scored, *(name.partition(":")[0] for name in scored)}
    changing, coming = (", ".join(name for name in asked if (name in known) is there) for there in (True, False))
    change = (
        f"Of the coefficients shown only those of {changing} change by it; which metric comes first, and which are "
        "told apart, may change too."
        if changing
        else "No coefficient that is shown changes by it; which metrics are told apart may, as tests are corrected for "
        "how many metrics there are."
    )
    joins = f" Still to come: {coming}." if coming else ""
    return f"Scoring is still under way: {each}. {change}{joins}"
