"""Which studies a researcher runs: those that they made, and those that an owner gave them. Owners run all.

Everything here is done in the caller's transaction.
"""

from collections.abc import Collection, Container

from sqlalchemy import Connection, delete, insert, select

from core.errors import InputError, NotAllowed
from core.people import Person, Role
from db.audit import record
from db.schema import study, study_researcher


class _All(Container[int]):
    """Every study."""

    def __contains__(self, study_id: object) -> bool:
        return True


def studies_run(connection: Connection, by: Person) -> Container[int]:
    """The numbers of the studies that somebody runs; an annotator runs none."""
    if by.role is Role.OWNER:
        return _All()
    return frozenset() if by.role is Role.ANNOTATOR else given(connection, by.id)


def given(connection: Connection, person_id: int | None) -> frozenset[int]:
    """The studies that a researcher has."""
    theirs = study_researcher.c.person_id == person_id
    return frozenset(connection.scalars(select(study_researcher.c.study_id).where(theirs)))


def check_runs(connection: Connection, by: Person, study_id: int) -> None:
    """Raise NotAllowed for a researcher who does not run this study."""
    if by.role is Role.RESEARCHER and study_id not in given(connection, by.id):
        raise NotAllowed("This study is not one of yours; an owner can give it to you.")


def give_to_maker(connection: Connection, by: Person, study_id: int) -> None:
    """A researcher runs the study that they have just made."""
    if by.role is Role.RESEARCHER:
        connection.execute(insert(study_researcher).values(study_id=study_id, person_id=by.id))


def change(connection: Connection, by: Person, person_id: int, wanted: Collection[int]) -> None:
    """Give a researcher these studies and no others. Raises InputError for a study that is not there."""
    known = set(connection.scalars(select(study.c.id).where(study.c.id.in_(wanted))))
    if missing := set(wanted) - known:
        raise InputError(f"There is no study {min(missing)} any more; reload the page.")
    before = given(connection, person_id)
    for study_id in sorted(known ^ before):
        if study_id in known:
            connection.execute(insert(study_researcher).values(study_id=study_id, person_id=person_id))
        else:
            row = (study_researcher.c.study_id == study_id) & (study_researcher.c.person_id == person_id)
            connection.execute(delete(study_researcher).where(row))
        kind = "study given" if study_id in known else "study taken back"
        record(connection, kind, by, study_id, researcher=person_id)
