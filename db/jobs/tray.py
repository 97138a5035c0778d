"""The tray of jobs: what is under way for somebody, and which of their own jobs have ended since they last looked."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import func, literal, or_, select, update

from core.jobs import JobState, TrayJob, left_first
from core.metrics.custom import class_of, is_own
from core.people import Person, Role
from db.audit import now
from db.columns import UtcDateTime
from db.engine import reading, writing
from db.jobs.jobs import job_of
from db.jobs.lanes import QUICK
from db.schema import job, person, study, study_researcher

LOOKED_BACK = timedelta(days=1)
"""How far back somebody is told who has never looked."""
_ACTIVE = tuple(state for state in JobState if state.active)
_TOLD = (JobState.DONE, JobState.FAILED, JobState.INTERRUPTED)
"""Endings that nobody knows of who did not look: what is cancelled somebody has cancelled."""


def tray(viewer: Person) -> list[TrayJob]:
    """What runs and waits, in its order, and then what has ended; one query.

    A researcher sees jobs of the studies that they run, an owner those of all studies, and either those of no study
    that they asked for themselves; of ended ones only what they asked for. Work that somebody sits and waits for is
    left out. Raises NotAllowed for whoever runs no studies.
    """
    viewer.must_be(Role.RESEARCHER)
    mine = job.c.person_id == viewer.id
    theirs = job.c.study_id.is_not(None)
    if not viewer.may(Role.OWNER):
        theirs = job.c.study_id.in_(
            select(study_researcher.c.study_id).where(study_researcher.c.person_id == viewer.id)
        )
    seen = select(person.c.jobs_seen_at).where(person.c.id == viewer.id).scalar_subquery()
    since = func.coalesce(seen, literal(now() - LOOKED_BACK, UtcDateTime))
    news = or_(job.c.seen_at.is_(None), job.c.seen_at < job.c.ended_at)  # it may have been resumed since
    ended = mine & job.c.state.in_(_TOLD) & (job.c.ended_at > since) & news
    query = (
        select(job, study.c.name.label("study_name"))
        .outerjoin(study, study.c.id == job.c.study_id)
        .where(job.c.state.in_(_ACTIVE) | ended)
        .where(or_(theirs, job.c.study_id.is_(None) & mine), job.c.kind.not_in(QUICK))
        .order_by(job.c.state.not_in(_ACTIVE), job.c.state != JobState.RUNNING, job.c.id)
    )
    with reading() as connection:
        rows = connection.execute(query).all()
    return [TrayJob(job_of(row), _name(row.settings, row.result), row.study_name or "") for row in rows]


def _name(settings: Mapping[str, Any], result: Mapping[str, Any] | None) -> str:
    """The metrics, one that has scores still to come by its name, or what is being made; of a metric of one's own its
    class, no path.
    """
    metrics = [class_of(item) if is_own(item) else item for item in left_first(settings, result)]
    if not metrics:
        return str(settings.get("name") or "")
    return f"{metrics[0]} and {len(metrics) - 1} more" if len(metrics) > 1 else metrics[0]


def looked(by: Person) -> None:
    """Remember that somebody has seen how their jobs ended, without a word in the log, as of a study's last visit."""
    with writing() as connection:
        connection.execute(update(person).where(person.c.id == by.id).values(jobs_seen_at=now()))


def saw(by: Person, job_ids: Sequence[int]) -> None:
    """Remember that somebody has seen how these jobs of their own ended, and of no other."""
    theirs = job.c.id.in_(job_ids) & (job.c.person_id == by.id) & job.c.state.in_(_TOLD)
    with writing() as connection:
        connection.execute(update(job).where(theirs).values(seen_at=now()))
