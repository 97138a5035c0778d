"""Reads a study's log: who did what, and when."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Row, Select, select

from core.people import Person, Role, called
from core.trail import Entry
from db.engine import reading
from db.people import people
from db.schema import event, person

BATCH = 5_000


def page(
    by: Person,
    study_id: int,
    *,
    kind: str = "",
    person_id: int | None = None,
    before: int | None = None,
    most: int = 50,
) -> list[Entry]:
    """The newest entries, before the one of id `before` where that is given; of one kind or one doer if asked for."""
    by.must_be(Role.RESEARCHER)
    query = _entries(study_id, kind, person_id).order_by(event.c.id.desc()).limit(most)
    if before is not None:
        query = query.where(event.c.id < before)
    with reading() as connection:
        people.check(connection, by, study_id)
        return [_entry(row) for row in connection.execute(query)]


def kinds(by: Person, study_id: int) -> list[str]:
    """The kinds of entries that a study's log has, by name."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        query = select(event.c.kind).where(event.c.study_id == study_id).distinct().order_by(event.c.kind)
        return list(connection.scalars(query))


def exported(by: Person, study_id: int) -> Iterator[Entry]:
    """The whole log of a study, the oldest entry first, read in batches: it may be long."""
    by.must_be(Role.RESEARCHER)
    last = 0
    while True:
        query = _entries(study_id, "", None).where(event.c.id > last).order_by(event.c.id).limit(BATCH)
        with reading() as connection:
            people.check(connection, by, study_id)
            entries = [_entry(row) for row in connection.execute(query)]
        yield from entries
        if len(entries) < BATCH:
            return
        last = entries[-1].id


def _entries(study_id: int, kind: str, person_id: int | None) -> Select[Any]:
    query = (
        select(event, person.c.name, person.c.role)
        .outerjoin(person, person.c.id == event.c.person_id)
        .where(event.c.study_id == study_id)
    )
    if kind:
        query = query.where(event.c.kind == kind)
    return query if person_id is None else query.where(event.c.person_id == person_id)


def _entry(row: Row[*tuple[Any, ...]]) -> Entry:
    who = ""
    if row.person_id is not None:
        who = called(row.name, row.role, row.person_id) if row.role else f"person {row.person_id}, since deleted"
    return Entry(row.id, row.at, row.kind, row.person_id, who, row.detail)
