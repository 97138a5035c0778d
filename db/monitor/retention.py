"""How long the personal data of a closed study's annotators are kept: until a day that its owner has set."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, func, select, update

from core.annotation.quality import Payment
from core.annotation.studies import Study, StudyState
from core.errors import InputError, NotFound
from core.people import Person, Role
from db.audit import now, record
from db.engine import reading, writing
from db.monitor.personal_data import make_unknown
from db.people import people
from db.schema import assignment, event, person, study
from db.studies import studies

LONGEST = 3_650
"""Days."""
ENDINGS = ("study closed", "study archived", "study deleted")


@dataclass(frozen=True)
class Standing:
    """Where a study stands. `days`: its period, None for none; `people`: annotators who are not erased; `unpaid`:
    their panels whose payment is due; `ends_at`: when they will be erased (UTC), None while that is open.
    """

    days: int | None
    people: int
    unpaid: int
    ends_at: datetime | None


def standing(by: Person, study_id: int) -> Standing:
    """The period of a study, and whom it concerns."""
    by.must_be(Role.OWNER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id, lock=False)
        known = connection.scalar(select(func.count()).select_from(person).where(_known(study_id))) or 0
        unpaid = connection.scalar(
            select(func.count())
            .select_from(assignment)
            .join(person, person.c.id == assignment.c.person_id)
            .where(_known(study_id), assignment.c.payment == Payment.DUE)
        )
        return Standing(study_row.retention_days, known, unpaid or 0, _ends_at(connection, study_row))


def set_days(by: Person, study_id: int, days: int | None) -> None:
    """Keep a closed study's annotators for so many days (1 to 3,650), or with None until somebody erases them."""
    by.must_be(Role.OWNER)
    if days is not None and not 1 <= days <= LONGEST:
        raise InputError(f"The period is 1 to {LONGEST:,} days, not {days:,}.")
    with writing() as connection:
        people.check(connection, by, study_id)
        before = studies.locked(connection, study_id).retention_days
        connection.execute(update(study).where(study.c.id == study_id).values(retention_days=days))
        record(connection, "retention set", by, study_id, before=before, after=days)


def erase_annotators(by: Person, study_id: int) -> int:
    """Erase every annotator of a closed study, as `personal_data.erase` does, and keep what they handed in.

    Returns how many they were. Raises InputError while the study is open: some of them may be at work.
    """
    by.must_be(Role.OWNER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id)
        if study_row.state is StudyState.OPEN:
            raise InputError(f"{study_row.name} is open; close it before you erase its annotators.")
        return _erase(connection, by, study_id)


def erase_overdue() -> int:
    """The same for every study whose period is over, and for whoever was an annotator of a study that is gone for good;
    how many people that were. The server does it by itself.
    """
    with reading() as connection:
        wanted = select(study.c.id).where(
            study.c.retention_days.is_not(None), study.c.state == StudyState.CLOSED, studies.THERE
        )
        ids = connection.scalars(wanted).all()
    with writing() as connection:
        erased = _erase(connection, None, None)
    for study_id in ids:
        with suppress(NotFound), writing() as connection:  # deleted in this moment
            ends_at = _ends_at(connection, studies.locked(connection, study_id))
            if ends_at is not None and ends_at <= now():
                erased += _erase(connection, None, study_id)
    return erased


def _erase(connection: Connection, by: Person | None, study_id: int | None) -> int:
    rows = connection.execute(select(person).where(_known(study_id)).order_by(person.c.id).with_for_update()).all()
    for row in rows:
        make_unknown(connection, by, row, keep_ratings=True)
    return len(rows)


def _known(study_id: int | None) -> ColumnElement[bool]:
    """Of annotators of a study (None: of one that is gone) who have not been erased."""
    return and_(person.c.study_id == study_id, person.c.role == Role.ANNOTATOR, person.c.erased_at.is_(None))


def _ends_at(connection: Connection, study_row: Study) -> datetime | None:
    """When the period is over: from the day on which the study was closed last, or archived."""
    if study_row.retention_days is None or study_row.state is not StudyState.CLOSED:
        return None
    ended = select(func.max(event.c.at)).where(event.c.study_id == study_row.id, event.c.kind.in_(ENDINGS))
    return (connection.scalar(ended) or study_row.created_at) + timedelta(days=study_row.retention_days)
