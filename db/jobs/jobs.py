"""Jobs: rows that say what long work there is, how far it has come and how it ended."""

from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, select, update

from core.durations import ShownSpeed
from core.errors import InputError
from core.jobs import Job, JobState
from core.metrics.custom import is_own
from core.people import Person, Role
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.jobs.lanes import Lane, lane_of
from db.people import people
from db.schema import job

FEWEST_CHARACTERS = 5_000
"""Of a run that shows how fast a step is: in a shorter one loading the model takes most of the time."""
LAST_RUNS = 5
"""So many runs of a step show between which times it moves, as the machine is more or less busy."""
_ACTIVE = tuple(state for state in JobState if state.active)
STALE = timedelta(seconds=60)
"""A running job whose heart has not beaten for this long has lost its process."""


def job_of(row: Row[Any]) -> Job:
    """A row of the table as pages see it."""
    return Job(
        row.id,
        row.kind,
        row.study_id,
        row.settings,
        JobState(row.state),
        row.done,
        row.total,
        row.message,
        row.cancel_requested,
        row.result,
        row.created_at,
        row.started_at,
        row.heartbeat_at,
        row.ended_at,
    )


def least_role(settings: dict[str, Any]) -> Role:
    """Who may run a job: a metric of one's own is a program that runs on this machine, and an engine is others."""
    own = any(map(is_own, settings.get("metrics", []))) or "engine" in settings
    return Role.OWNER if own else Role.RESEARCHER


def add(by: Person, kind: str, study_id: int | None, settings: dict[str, Any], *, runner: str = "") -> Job:
    """Queue work for the worker; with a `runner` the job is that process's own and runs at once.

    `study_id`: None for work on a text that is no study's.
    """
    by.must_be(least_role(settings))
    time = now()
    with writing() as connection:
        people.check(connection, by, study_id)
        result = connection.execute(
            insert(job).values(
                kind=kind,
                study_id=study_id,
                person_id=by.id,
                settings=settings,
                state=JobState.RUNNING if runner else JobState.QUEUED,
                runner=runner,
                done=0,
                total=0,
                message="starting" if runner else "waiting for its turn",
                cancel_requested=False,
                created_at=time,
                started_at=time if runner else None,
                heartbeat_at=time if runner else None,
            )
        )
        record(connection, "job queued", by, study_id, job=inserted_id(result), kind=kind)
        return job_of(connection.execute(select(job).where(job.c.id == inserted_id(result))).one())


def get(job_id: int) -> Job:
    """One job; raises InputError if it is gone."""
    with reading() as connection:
        row = connection.execute(select(job).where(job.c.id == job_id)).one_or_none()
    if row is None:
        raise InputError(f"There is no job {job_id}.")
    return job_of(row)


def of_study(study_id: int, most: int = 5, kind: str = "score") -> list[Job]:
    """The newest jobs of a kind of a study."""
    query = select(job).where(job.c.study_id == study_id, job.c.kind == kind)
    with reading() as connection:
        rows = connection.execute(query.order_by(job.c.id.desc()).limit(most)).all()
    return [job_of(row) for row in rows]


def named_metrics(study_id: int) -> set[str]:
    """All metrics that runs of a study have asked for, as they were named: those of one's own by their files."""
    query = select(job.c.settings).where(job.c.study_id == study_id, job.c.kind == "score")
    with reading() as connection:
        return {name for settings in connection.scalars(query) for name in settings.get("metrics", [])}


def of_kind(kind: str, most: int = 5, state: JobState | None = None) -> list[Job]:
    """The newest jobs of a kind, or those of them in a state."""
    query = select(job).where(job.c.kind == kind).order_by(job.c.id.desc()).limit(most)
    if state is not None:
        query = query.where(job.c.state == state)
    with reading() as connection:
        rows = connection.execute(query).all()
    return [job_of(row) for row in rows]


def recent(kind: str, ended: int = 5) -> list[Job]:
    """All jobs of a kind that are not over, the running ones first and the others in their turn; then the newest that
    have `ended`.
    """
    query = select(job).where(job.c.kind == kind)
    active = job.c.state.in_(_ACTIVE)
    with reading() as connection:
        rows = connection.execute(query.where(active).order_by(job.c.state != JobState.RUNNING, job.c.id)).all()
        over = connection.execute(query.where(~active).order_by(job.c.id.desc()).limit(ended)).all()
    return [job_of(row) for row in [*rows, *over]]


def speeds(latest: int = 50) -> dict[str, ShownSpeed]:
    """How fast each step of scoring and of training went the last times that it ran here."""
    with reading() as connection:
        query = select(job.c.result).where(job.c.state == JobState.DONE).order_by(job.c.id.desc()).limit(latest)
        results = list(connection.scalars(query))
    shown: dict[str, list[float]] = {}
    for result in results:
        for step in (result or {}).get("steps", []):
            if step["seconds"] > 0 and step["characters"] >= FEWEST_CHARACTERS:
                shown.setdefault(step["key"], []).append(step["characters"] / step["seconds"])
    of_last = ((key, every[:LAST_RUNS]) for key, every in shown.items())  # the newest first
    return {key: ShownSpeed(every[0], min(every), max(every)) for key, every in of_last}


def claim(runner: str, job_id: int | None = None, lane: Lane | None = None) -> Job | None:
    """Take the oldest queued job (or a given one; or of this lane) for this process; None if there is none."""
    queued = select(job).where(job.c.state == JobState.QUEUED)
    if job_id is not None:
        queued = queued.where(job.c.id == job_id)
    with reading() as connection:  # who looks several times a second must not keep writers waiting
        rows = connection.execute(queued.with_only_columns(job.c.id, job.c.kind, job.c.settings).order_by(job.c.id))
        fitting = [row.id for row in rows if lane in (None, lane_of(row.kind, row.settings))]
    if not fitting:
        return None
    with writing() as connection:
        query = queued.where(job.c.id.in_(fitting)).order_by(job.c.id).limit(1)
        row = connection.execute(query.with_for_update(skip_locked=True)).one_or_none()
        if row is None:
            return None
        time = now()
        connection.execute(
            update(job)
            .where(job.c.id == row.id)
            .values(
                state=JobState.RUNNING, runner=runner, started_at=time, heartbeat_at=time, done=0, message="starting"
            )
        )
        return job_of(connection.execute(select(job).where(job.c.id == row.id)).one())


def wanting(runner: str) -> bool:
    """Whether a worker is wanted: something is queued, or said to run though its process is gone.

    `runner`: the worker that is not there; what another runs is that one's as long as its heart beats.
    """
    orphaned = (job.c.state == JobState.RUNNING) & ((job.c.runner == runner) | (job.c.heartbeat_at < now() - STALE))
    with reading() as connection:
        query = select(job.c.id).where((job.c.state == JobState.QUEUED) | orphaned)
        return connection.scalar(query.limit(1)) is not None


def beat(
    job_id: int,
    *,
    done: int | None = None,
    total: int | None = None,
    message: str | None = None,
    so_far: dict[str, Any] | None = None,
) -> bool:
    """Say that the job lives and how far it is; returns whether somebody asked to cancel it.

    `so_far`: what its result is by now, which stays where it does not come to its end.
    """
    given = {"done": done, "total": total, "message": message, "result": so_far}
    values = {name: value for name, value in given.items() if value is not None}
    with writing() as connection:
        connection.execute(
            update(job).where(job.c.id == job_id, job.c.state == JobState.RUNNING).values(heartbeat_at=now(), **values)
        )
        return bool(connection.scalar(select(job.c.cancel_requested).where(job.c.id == job_id)))


def finish(job_id: int, state: JobState, message: str, result: dict[str, Any] | None = None) -> None:
    """Record how a job ended; without a `result` what it had so far stays."""
    values = {} if result is None else {"result": result}
    with writing() as connection:
        connection.execute(
            update(job)
            .where(job.c.id == job_id, job.c.state == JobState.RUNNING)
            .values(state=state, message=message, ended_at=now(), heartbeat_at=now(), **values)
        )


def cancel(by: Person, job_id: int) -> None:
    """Ask a running job to stop after its present batch; a queued one stops at once."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, _study_of(connection, job_id))
        _cancel(connection, job.c.id == job_id)


def _study_of(connection: Connection, job_id: int) -> int | None:
    return connection.scalar(select(job.c.study_id).where(job.c.id == job_id))


def cancel_all(connection: Connection, study_id: int) -> None:
    """The same for all that works on a study, in the transaction that deletes it."""
    _cancel(connection, (job.c.study_id == study_id) & job.c.state.in_(_ACTIVE))


def _cancel(connection: Connection, which: ColumnElement[bool]) -> None:
    connection.execute(update(job).where(which).values(cancel_requested=True))
    connection.execute(
        update(job)
        .where(which, job.c.state == JobState.QUEUED)
        .values(state=JobState.CANCELLED, message="cancelled before it began", ended_at=now())
    )


def resume(by: Person, job_id: int) -> None:
    """Queue an interrupted, cancelled or failed job again: it goes on with what is not stored yet."""
    by.must_be(Role.RESEARCHER)
    by.must_be(least_role(get(job_id).settings))
    endings = (JobState.INTERRUPTED, JobState.CANCELLED, JobState.FAILED)
    with writing() as connection:
        people.check(connection, by, _study_of(connection, job_id))
        connection.execute(
            update(job)
            .where(job.c.id == job_id, job.c.state.in_(endings))
            .values(
                state=JobState.QUEUED,
                cancel_requested=False,
                ended_at=None,
                message="waiting for its turn",
                result=None,
            )
        )


def put_back(job_id: int, settings: dict[str, Any]) -> None:
    """Let a running job wait for another lane, the one that these settings take: it keeps its place in the order."""
    with writing() as connection:
        connection.execute(
            update(job)
            .where(job.c.id == job_id, job.c.state == JobState.RUNNING)
            .values(state=JobState.QUEUED, settings=settings, runner="", message="waiting for its turn")
        )


def mark_interrupted(runner: str | None = None, why: str = "the process stopped") -> int:
    """Mark running jobs whose process is gone: those of a `runner` that has just started anew, and the heartless.

    `why`: as their rows are to say. Returns how many.
    """
    dead = job.c.heartbeat_at < now() - STALE
    if runner is not None:
        dead = dead | (job.c.runner == runner)
    with writing() as connection:
        rows = connection.execute(
            update(job)
            .where(job.c.state == JobState.RUNNING, dead)
            .values(
                state=JobState.INTERRUPTED,
                message=f"{why}; what was done is kept",
                ended_at=now(),
            )
        )
        return rows.rowcount
