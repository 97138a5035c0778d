"""How long the personal data of a closed study's annotators are kept: until a day that its owner has set."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, func, select, update

from core.annotation.studies import Study, StudyState
from core.errors import InputError, NotFound
from core.people import Person, Role
from db.audit import now, record
from db.engine import reading, writing
from db.monitor.payments import bonuses_due, panels_due
from db.monitor.personal_data import make_unknown
from db.people import people
from db.schema import assignment, event, person, study
from db.studies import studies

LONGEST = 3_650
"""Days."""
OPENED = "study opened"
ENDINGS = ("study closed", "study archived", "study deleted")


@dataclass(frozen=True)
class Standing:
    """Where a study stands. `days`: its period, None for none; `people`: annotators who are not erased; `unpaid`: how
    many of them are owed something; `ends_at`: when they will be erased (UTC), None while that is open.
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
        return Standing(
            study_row.retention_days,
            known,
            len(_owed(connection, study_row)),
            _ends_at(connection, study_row, study_row.retention_days),
        )


def _owed(connection: Connection, study_row: Study) -> set[int]:
    """Annotators whose panels or bonus are still to be paid."""
    owed = set(bonuses_due(connection, study_row.id))
    if study_row.payment.rates:
        due = select(assignment.c.person_id).join(person, person.c.id == assignment.c.person_id)
        owed.update(connection.scalars(due.where(panels_due(study_row.id), _known(study_row.id))))
    return owed


def set_days(by: Person, study_id: int, days: int | None) -> None:
    """Keep a closed study's annotators for so many days (1 to 3,650), or with None until somebody erases them.

    Raises InputError for a period that is over already: nobody is erased by the way.
    """
    by.must_be(Role.OWNER)
    if days is not None and not 1 <= days <= LONGEST:
        raise InputError(f"The period is 1 to {LONGEST:,} days, not {days:,}.")
    with writing() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id)
        ends_at = _ends_at(connection, study_row, days)
        if ends_at is not None and ends_at <= now():
            raise InputError(
                f"{days:,} days after the close were over on {ends_at:%d %B %Y}. Choose more, or erase the annotators "
                "now."
            )
        connection.execute(update(study).where(study.c.id == study_id).values(retention_days=days))
        record(connection, "retention set", by, study_id, before=study_row.retention_days, after=days)


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
        return _erase(connection, by, _known(study_id))


def overdue() -> list[int | None]:
    """Studies, deleted ones among them, whose period is over; and None, for those that are gone for good."""
    with reading() as connection:
        wanted = select(study.c.id).where(study.c.retention_days.is_not(None), study.c.state == StudyState.CLOSED)
        return [None, *connection.scalars(wanted)]


def erase_overdue(study_id: int | None) -> int:
    """The same, by the server itself, for a study whose period is over; with None for whoever was an annotator of a
    study that is gone for good. Returns how many people that were: none of those who came within the period.
    """
    with writing() as connection:
        if study_id is None:
            return _erase(connection, None, _known(None))
        try:
            study_row = studies.locked(connection, study_id, deleted=True)
        except NotFound:
            return 0
        ends_at = _ends_at(connection, study_row, study_row.retention_days)
        if ends_at is None or study_row.retention_days is None or ends_at > now():
            return 0
        before = now() - timedelta(days=study_row.retention_days)
        return _erase(connection, None, _known(study_id) & (person.c.created_at <= before))


def _erase(connection: Connection, by: Person | None, whom: ColumnElement[bool]) -> int:
    rows = connection.execute(select(person).where(whom).order_by(person.c.id).with_for_update()).all()
    for row in rows:
        make_unknown(connection, by, row, keep_ratings=True)
    return len(rows)


def _known(study_id: int | None) -> ColumnElement[bool]:
    """Of annotators of a study (None: of one that is gone) who have not been erased."""
    return and_(person.c.study_id == study_id, person.c.role == Role.ANNOTATOR, person.c.erased_at.is_(None))


def _ends_at(connection: Connection, study_row: Study, days: int | None) -> datetime | None:
    """When a period is over: it begins when the study was closed, archived or deleted first after it was open last."""
    if days is None or study_row.state is not StudyState.CLOSED:
        return None
    mine = event.c.study_id == study_row.id
    opened = connection.scalar(select(func.max(event.c.id)).where(mine, event.c.kind == OPENED))
    ended = connection.scalar(
        select(func.min(event.c.at)).where(mine, event.c.kind.in_(ENDINGS), event.c.id > (opened or 0))
    )
    return (ended or study_row.created_at) + timedelta(days=days)
