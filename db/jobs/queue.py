"""The queue: all unfinished work in its order, as each researcher may see it."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, select

from core.jobs import SCORES_LEFT, TERMINAL_RUNNER, JobState, Queued, scoring, share_done
from core.metrics.custom import class_of, is_own
from core.people import Person, Role
from db.engine import reading
from db.jobs.lanes import Lane, is_quick, lane_of
from db.people import study_rights
from db.schema import job, person, study

OTHERS = "a study of others"
"""What the queue calls a study that the viewer does not run."""


def being_scored(viewer: Person, study_id: int) -> frozenset[str]:
    """The names of the metrics that have scores of this study's stories still to come."""
    return frozenset(name for job in scoring(queue(viewer), study_id) for name in job.metrics)


def queue(viewer: Person) -> list[Queued]:
    """What runs, and then what waits, in the order of its turns. Names of people are told to owners alone, of studies
    to those who run them, and of metrics of one's own to these and to whoever asked for them.

    Raises NotAllowed for whoever runs no studies.
    """
    viewer.must_be(Role.RESEARCHER)
    query = (
        select(job, person.c.name.label("asked_by"), study.c.name.label("study_name"))
        .outerjoin(person, person.c.id == job.c.person_id)
        .outerjoin(study, study.c.id == job.c.study_id)
        .where(job.c.state.in_([state for state in JobState if state.active]))
        .order_by(job.c.state != JobState.RUNNING, job.c.id)
    )
    with reading() as connection:
        rows = connection.execute(query).all()
        theirs = study_rights.studies_run(connection, viewer)
    first: Counter[Lane] = Counter()
    result = []
    for row in rows:
        lane, running = lane_of(row.kind, row.settings), row.state == JobState.RUNNING
        here = not (running and row.runner.startswith(TERMINAL_RUNNER))
        known = row.study_id in theirs or row.person_id == viewer.id
        result.append(
            Queued(
                id=row.id,
                kind=row.kind,
                study_id=row.study_id,
                about=_about(row.kind, row.settings, _name(row, theirs), known=known),
                metrics=_metrics((row.result or {}).get(SCORES_LEFT, row.settings.get("metrics", ())), known=known),
                by=(row.asked_by or "") if viewer.may(Role.OWNER) else "",
                mine=row.person_id == viewer.id,
                here=here,
                running=running,
                before=0 if running else first[lane],
                done=row.done,
                total=row.total,
                share=share_done(row.done, row.total, row.result),
            )
        )
        first[lane] += here
    return result


def is_busy(lane: Lane) -> bool:
    """Whether a job of this lane is at work here, or waits for its turn."""
    query = select(job.c.kind, job.c.settings).where(job.c.state.in_([state for state in JobState if state.active]))
    with reading() as connection:
        rows = connection.execute(query.where(~job.c.runner.startswith(TERMINAL_RUNNER))).all()
    return any(lane_of(row.kind, row.settings) is lane for row in rows)


def _name(row: Row[Any], theirs: Container[int]) -> str:
    """The study of a job as its viewer may know it; "" of work for none."""
    if row.study_name is None:
        return ""
    return row.study_name if row.study_id in theirs else OTHERS


def _about(kind: str, settings: Mapping[str, Any], study_name: str, *, known: bool) -> str:
    """What a job works on and with; of a text that somebody reads nothing is said. `known`: as `_metrics` takes it."""
    if is_quick(kind):
        return ""
    name = study_name or str(settings.get("name") or "")
    return ": ".join(part for part in (name, ", ".join(_metrics(settings.get("metrics", ()), known=known))) if part)


def _metrics(asked: Sequence[str], *, known: bool) -> tuple[str, ...]:
    """What metrics are called that were asked for so. `known`: the viewer may know which metrics of one's own these
    are; else it is only said that they are some.
    """
    own = class_of if known else lambda _item: "a metric of one's own"
    return tuple(dict.fromkeys(own(item) if is_own(item) else item for item in asked))
