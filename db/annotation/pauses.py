"""Who is paused by rule: annotators whose last panels were all rejected get no other until somebody lets them go on."""

from sqlalchemy import Connection, or_, select, update

from core.annotation.quality import is_paused
from core.annotation.studies import Study
from core.errors import InputError
from core.people import Person, Role
from db.audit import now, record
from db.engine import writing
from db.people import people
from db.schema import assignment, person
from db.studies import studies


def settle(connection: Connection, study: Study, person_id: int | None = None) -> None:
    """Pause whom the rule pauses now, and let go on whom it no longer does; each is in the log.

    The study is locked: so a pause and a claim go one after the other. `person_id`: nobody else's panels have changed.
    """
    theirs = (person.c.study_id == study.id) & (person.c.role == Role.ANNOTATOR)
    if person_id is not None:
        theirs &= person.c.id == person_id
    by_id = {row.id: row.paused_at is not None for row in connection.execute(select(person).where(theirs))}
    verdicts: dict[int, list[bool]] = {}
    if study.scheme.controls:
        since = or_(person.c.resumed_at.is_(None), assignment.c.submitted_at > person.c.resumed_at)
        judged = connection.execute(
            select(assignment.c.person_id, assignment.c.valid)
            .join(person, person.c.id == assignment.c.person_id)
            .where(theirs, since, assignment.c.study_id == study.id)
            .where(assignment.c.state.in_(("submitted", "surplus")))
            .order_by(assignment.c.submitted_at, assignment.c.id)
        )
        for row in judged:
            verdicts.setdefault(row.person_id, []).append(bool(row.valid))
    for number, was in by_id.items():
        pauses = is_paused(verdicts.get(number, ()), study.rules)
        if pauses is not was:
            paused_at = now() if pauses else None
            connection.execute(update(person).where(person.c.id == number).values(paused_at=paused_at))
            kind = "paused by rule" if pauses else "pause lifted"
            record(connection, kind, None, study.id, annotator=number, rejected_in_a_row=study.rules.pause_after)


def let_go_on(by: Person, person_id: int) -> None:
    """End somebody's pause: what was rejected until now no longer counts for another one.

    Raises InputError for somebody who is not paused.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        target = select(person.c.study_id, person.c.paused_at).where(person.c.id == person_id)
        study_id = connection.scalar(target)
        people.check(connection, by, study_id)
        if study_id is not None:
            studies.locked(connection, study_id)
        row = connection.execute(target).one_or_none()
        if row is None or row.paused_at is None:
            raise InputError("This person is not paused, or not any more; reload the page.")
        connection.execute(update(person).where(person.c.id == person_id).values(paused_at=None, resumed_at=now()))
        record(connection, "let go on", by, study_id, annotator=person_id)
