"""The people behind a study's ratings, for viewers who may see them."""

from sqlalchemy import select

from core.people import Person, Role, called
from db.engine import reading
from db.people import people
from db.schema import assignment, person


def names(by: Person, study_id: int) -> dict[int, str]:
    """Everybody who holds or held a panel of a study, by number, called as on the other pages."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        rows = connection.execute(
            select(person.c.id, person.c.name, person.c.role)
            .where(person.c.id.in_(select(assignment.c.person_id).where(assignment.c.study_id == study_id)))
            .order_by(person.c.id)
        ).all()
    return {row.id: called(row.name, row.role, row.id) for row in rows}
