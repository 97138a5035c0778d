"""The study that somebody who runs several was in last: where they go on at their next visit."""

from sqlalchemy import select, update

from core.people import Person
from db.engine import reading, writing
from db.schema import person


def last_study(by: Person) -> int | None:
    """Its id, be it there or gone; None where there was none."""
    with reading() as connection:
        return connection.scalar(select(person.c.last_study).where(person.c.id == by.id))


def note_study(by: Person, study_id: int) -> None:
    """Remember the study, without a word in the log: it changes nothing of anybody's data."""
    with writing() as connection:
        connection.execute(update(person).where(person.c.id == by.id).values(last_study=study_id))
