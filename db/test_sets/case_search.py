"""Browsing test sets: counts by aspect, cases found by their words, one case in full."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import ColumnElement, Integer, and_, case, false, func, or_, select, true

from core.models.acceptability.weights import ACCEPTED
from core.people import Person, Role
from core.perturb.cases import Of
from core.perturb.test_sets.aspects import Test, test_of
from core.perturb.test_sets.test_set import description_from
from db.engine import reading
from db.people import people
from db.schema import test_case
from db.test_sets.test_sets import KeptCase, case_of, case_row, require


class Showing(StrEnum):
    """Which cases are looked at."""

    CHANGED = "changed"
    PASSING = "passing"
    FAILING = "failing"
    STRUCK = "struck"
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class CaseQuery:
    """Cases of an `aspect` (None: of all) whose texts hold `words`, or whose id or story's id they are."""

    aspect: str | None = None
    showing: Showing = Showing.CHANGED
    words: str = ""


@dataclass(frozen=True)
class AspectCount:
    """What counts of an aspect: `good` coherent examples or originals, `changed` ones, of which `passed` the filter
    (None where nobody was asked); `struck`: cases that do not count. `share`: changed ones a story.
    """

    aspect: str
    of: Of
    good: int
    changed: int
    passed: int | None
    struck: int
    share: float | None

    @property
    def nothing(self) -> bool:
        """Whether it has no case at all."""
        return not (self.good or self.changed or self.struck)


_CHANGED = test_case.c.label == 0
_PASSING = or_(test_case.c.acceptable.is_(None), test_case.c.acceptable >= ACCEPTED)
_SHOWN: dict[Showing, ColumnElement[bool]] = {
    Showing.CHANGED: _CHANGED,
    Showing.PASSING: and_(_CHANGED, _PASSING),
    Showing.FAILING: and_(_CHANGED, test_case.c.acceptable < ACCEPTED),
    Showing.STRUCK: test_case.c.struck == true(),
    Showing.UNCHANGED: test_case.c.label == 1,
}


def counts(by: Person, number: int) -> list[AspectCount]:
    """One row per aspect, of a change one each of human stories and of incoherent ones; those that were to be made
    first, whether they gave anything or not. Raises NotFound where the set has been deleted.
    """
    by.must_be(Role.RESEARCHER)
    counted = test_case.c.struck == false()
    changed = and_(counted, _CHANGED)
    with reading() as connection:
        people.check(connection, by)
        about = description_from(require(connection, number).about)
        rows = connection.execute(
            select(
                test_case.c.aspect,
                test_case.c.of,
                _number(and_(counted, test_case.c.label == 1)).label("good"),
                _number(changed).label("changed"),
                _number(and_(changed, _PASSING)).label("passed"),
                _number(and_(changed, test_case.c.acceptable.is_not(None))).label("judged"),
                _number(test_case.c.struck == true()).label("struck"),
            )
            .where(test_case.c.test_set_id == number)
            .group_by(test_case.c.aspect, test_case.c.of)
            .order_by(func.min(test_case.c.position))
        ).all()
    result = {
        (row.aspect, Of(row.of)): AspectCount(
            row.aspect,
            Of(row.of),
            row.good,
            row.changed,
            row.passed if row.judged else None,
            row.struck,
            row.changed / about.stories if about.stories else None,
        )
        for row in rows
    }
    keys = dict.fromkeys([*_rows(about.aspects), *result])
    return [result.get(row) or AspectCount(*row, 0, 0, None, 0, 0.0 if about.stories else None) for row in keys]


def _number(which: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((which, 1), else_=0)), 0).cast(Integer)


def _rows(aspects: Iterable[str]) -> list[tuple[str, Of]]:
    return [(aspect, of) for aspect in aspects for of in (Of if test_of(aspect) is Test.INVARIANCE else (Of.HUMAN,))]


def places(by: Person, number: int, wanted: CaseQuery) -> list[int]:
    """The ids of the cases that are wanted, in order. Raises NotFound where the set has been deleted."""
    by.must_be(Role.RESEARCHER)
    which = [test_case.c.test_set_id == number, _SHOWN[wanted.showing]]
    if wanted.aspect is not None:
        which.append(test_case.c.aspect == wanted.aspect)
    if wanted.words:
        words = wanted.words
        texts = (test_case.c.text, test_case.c.original, test_case.c.prompt)
        holds = [column.icontains(words, autoescape=True) for column in texts]
        which.append(or_(*holds, test_case.c.key == words, test_case.c.source == words))
    with reading() as connection:
        people.check(connection, by)
        require(connection, number)
        return list(connection.scalars(select(test_case.c.id).where(*which).order_by(test_case.c.position)))


def kept_case(by: Person, number: int, case_id: int) -> KeptCase:
    """A case of this set. Raises NotFound where the set has been deleted."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by)
        return case_of(case_row(connection, number, case_id))
