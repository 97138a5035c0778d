"""Test sets: stored, listed, read case by case; struck cases stay, and no longer count."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.errors import InputError, NotFound
from core.people import Person, Role
from core.perturb.cases import Case, Of
from core.perturb.edits import Edit, EditStep, Perturbed
from core.perturb.test_sets.aspects import Test, test_of
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.people import people
from db.schema import test_case, test_set

LONGEST_NAME = 200
AT_ONCE = 500
"""Rows a statement."""
GONE = "This test set is not there any more; choose another."


@dataclass(frozen=True)
class KeptSet:
    """A test set. `about`: what it was made from and with (`core.perturb.test_sets.about`).
    `cases`: those that count; `struck`: those that do not. `created_at` in UTC.
    """

    id: int
    name: str
    test: Test
    about: Mapping[str, Any]
    created_at: datetime
    cases: int
    struck: int

    @property
    def tests(self) -> str:
        """What it tests, in words: a file may hold both tests, and is then kept as one of discrimination."""
        return " and ".join(sorted({test_of(item) for item in self.about.get("aspects", ())}) or [self.test])


@dataclass(frozen=True)
class KeptCase:
    """A case of a kept set, and whether somebody struck it out."""

    id: int
    struck: bool
    case: Case


def check_name(by: Person, name: str) -> str:
    """The name as it is kept. Raises InputError where it is none, or another set's: before the work, not after."""
    by.must_be(Role.RESEARCHER)
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or "\0" in name:
        raise InputError(f"A test set needs a name of at most {LONGEST_NAME} characters, without a NUL byte.")
    with reading() as connection:
        people.check(connection, by)
        if connection.scalar(select(test_set.c.id).where(test_set.c.name == name)) is not None:
            raise InputError(_taken(name))
    return name


def _taken(name: str) -> str:
    return f"There is a test set named {name[:60]!r} already: choose another name."


def add(by: Person, name: str, cases: Sequence[Case], about: Mapping[str, Any]) -> int:
    """Keep a set, all of it or nothing; returns its id.

    Raises InputError for a name as `check_name` does, and where there are no cases.
    """
    name = check_name(by, name)
    if not cases:
        raise InputError("There are no cases to keep.")
    test = Test.INVARIANCE if all(test_of(case.aspect) is Test.INVARIANCE for case in cases) else Test.DISCRIMINATION
    try:
        with writing() as connection:
            people.check(connection, by)
            row = {"name": name, "test": test, "about": dict(about), "created_at": now()}
            number = inserted_id(connection.execute(insert(test_set).values(**row)))
            for start in range(0, len(cases), AT_ONCE):
                rows = [_values(number, start + i, case) for i, case in enumerate(cases[start : start + AT_ONCE])]
                connection.execute(insert(test_case), rows)
            record(connection, "test set added", by, None, test_set=number, name=name, cases=len(cases))
            return number
    except IntegrityError:
        check_name(by, name)  # somebody else was quicker
        raise


def _values(number: int, position: int, case: Case) -> dict[str, Any]:
    result = case.perturbed
    return {
        "test_set_id": number,
        "position": position,
        "key": case.id,
        "source": case.source,
        "of": case.of,
        "aspect": case.aspect,
        "label": case.label,
        "prompt": case.prompt,
        "original": result.original,
        "text": None if result.text == result.original else result.text,
        "steps": [asdict(step) for step in result.steps],
        "edits": [asdict(edit) for edit in result.edits],
        "acceptable": case.acceptable,
        "struck": False,
    }


def listed(by: Person) -> list[KeptSet]:
    """All sets, the newest first."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by)
        counts = {
            (row.test_set_id, row.struck): row.number
            for row in connection.execute(
                select(test_case.c.test_set_id, test_case.c.struck, func.count().label("number")).group_by(
                    test_case.c.test_set_id, test_case.c.struck
                )
            )
        }
        rows = connection.execute(select(test_set).order_by(test_set.c.id.desc())).all()
    return [_kept(row, counts.get((row.id, False), 0), counts.get((row.id, True), 0)) for row in rows]


def _kept(row: Row[Any], cases: int, struck: int) -> KeptSet:
    return KeptSet(row.id, row.name, Test(row.test), row.about, row.created_at, cases, struck)


def find(by: Person, name: str) -> KeptSet:
    """The set of this name. Raises NotFound, with the names there are."""
    test_sets = listed(by)
    for kept_set in test_sets:
        if kept_set.name == name:
            return kept_set
    known = ", ".join(item.name for item in test_sets) or "none yet"
    raise NotFound(f"There is no test set named {name[:60]!r}; there are: {known}.")


def cases(by: Person, number: int, aspect: str | None = None, *, struck: bool | None = None) -> list[KeptCase]:
    """The cases of a set in order, or those of an aspect; `struck`: only those that are, or are not.

    Raises NotFound where the set has been deleted.
    """
    by.must_be(Role.RESEARCHER)
    query = select(test_case).where(test_case.c.test_set_id == number).order_by(test_case.c.position)
    if aspect is not None:
        query = query.where(test_case.c.aspect == aspect)
    if struck is not None:
        query = query.where(test_case.c.struck == struck)
    with reading() as connection:
        people.check(connection, by)
        require(connection, number)
        return [case_of(row) for row in connection.execute(query)]


def require(connection: Connection, number: int) -> Row[Any]:
    """The row of a set, in the caller's transaction. Raises NotFound."""
    row = connection.execute(select(test_set).where(test_set.c.id == number)).one_or_none()
    if row is None:
        raise NotFound(GONE)
    return row


def case_row(connection: Connection, number: int, case_id: int) -> Row[Any]:
    """The row of a case, in the caller's transaction. A case's id may come again, of another set: its set's does not.

    Raises NotFound.
    """
    query = select(test_case).where(test_case.c.id == case_id, test_case.c.test_set_id == number)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(GONE)
    return row


def case_of(row: Row[Any]) -> KeptCase:
    """A row as it was kept."""
    edits = tuple(_edits(row.edits))
    steps = tuple(EditStep(step["technique"], step["way"], tuple(_edits(step["edits"]))) for step in row.steps)
    perturbed = Perturbed(row.original, row.original if row.text is None else row.text, edits, steps)
    source = "" if row.source == row.key else row.source
    case = Case(row.key, row.aspect, row.label, row.prompt, perturbed, source, Of(row.of), row.acceptable)
    return KeptCase(row.id, row.struck, case)


def _edits(given: Iterable[Mapping[str, Any]]) -> Iterable[Edit]:
    return (Edit(**{**item, "techniques": tuple(item["techniques"])}) for item in given)


def strike(by: Person, number: int, case_id: int, struck: bool) -> None:
    """Strike a case of this set out, or take it in again. Raises NotFound where the set has been deleted."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by)
        row = case_row(connection, number, case_id)
        if row.struck != struck:
            connection.execute(update(test_case).where(test_case.c.id == case_id).values(struck=struck))
            kind = "test case struck out" if struck else "test case taken in again"
            record(connection, kind, by, None, test_set=row.test_set_id, case=row.key, aspect=row.aspect)


def version(by: Person, number: int) -> str:
    """Changes whenever what counts of a set does."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by)
        require(connection, number)
        struck = select(test_case.c.id).where(test_case.c.test_set_id == number, test_case.c.struck)
        return ",".join(map(str, connection.scalars(struck.order_by(test_case.c.id))))


def remove(by: Person, number: int) -> None:
    """Delete a set with its cases; scores of its texts stay, as those of any text do."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by)
        row = connection.execute(select(test_set).where(test_set.c.id == number)).one_or_none()
        if row is not None:
            connection.execute(delete(test_set).where(test_set.c.id == number))
            record(connection, "test set deleted", by, None, test_set=number, name=row.name)
