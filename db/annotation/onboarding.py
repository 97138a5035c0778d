"""Practice: a study's practice items, what its annotators have answered, and who has passed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, select, update

from core.annotation.onboarding import (
    Outcome,
    Practice,
    PracticeAnswer,
    PracticeResults,
    PracticeStep,
    asked,
    check_answer,
)
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.languages.words import told
from core.people import Person, Role
from db.audit import now, record
from db.engine import reading, writing
from db.people import people
from db.schema import event, person, study, training_answer
from db.studies import studies


def set_practice(by: Person, study_id: int, practice: Practice | None) -> None:
    """Set what annotators go through before their first panel; None: nothing.

    Those who have passed or failed stay so. Whoever is in the middle begins the changed one anew: answers to other
    items say nothing about these; the log keeps them. Raises InputError where an item does not fit the study's form.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id)
        if practice is not None:
            practice.check(study_row.scheme)
        if practice == study_row.practice:
            return
        stored = None if practice is None else practice.as_dict()
        connection.execute(update(study).where(study.c.id == study_id).values(training=stored))
        connection.execute(delete(training_answer).where(training_answer.c.study_id == study_id))
        before = None if study_row.practice is None else study_row.practice.as_dict()
        record(connection, "training changed", by, study_id, before=before, after=stored)


class _Given(NamedTuple):
    answers: list[PracticeAnswer]
    last_at: datetime | None


def _of(person_id: int | None, study_id: int) -> ColumnElement[bool]:
    """A person's answers to a study's practice: an annotator has one study, a researcher may try several."""
    return and_(training_answer.c.person_id == person_id, training_answer.c.study_id == study_id)


def _given(connection: Connection, person_id: int, study_id: int) -> _Given:
    """A person's answers, the oldest first, and when they gave the last."""
    rows = connection.execute(
        select(training_answer)
        .where(_of(person_id, study_id))
        .order_by(training_answer.c.attempt, training_answer.c.item)
    ).all()
    answers = [PracticeAnswer(row.attempt, row.item, row.overall, row.error_types, row.correct) for row in rows]
    return _Given(answers, rows[-1].at if rows else None)


def standing(connection: Connection, study_row: Study, who: Row[Any], begun: Sequence[Row[Any]]) -> PracticeStep | None:
    """Where a person stands in the study's practice; None where there is nothing of it to show.

    What its owner has said of them wins over any practice. How it ended is shown until they begin a panel after it;
    `begun` are the panels that they have begun.
    """
    if study_row.practice is None:
        return None
    given = _given(connection, who.id, study_row.id)
    step = study_row.practice.step(given.answers)
    if step.outcome is None or given.last_at is None:
        return step if who.qualified is None else None
    if who.qualified not in (None, step.outcome is Outcome.PASSED):
        return None
    return None if any(row.started_at > given.last_at for row in begun) else step


def answer_item(
    by: Person, attempt: int, token: str, overall: int | None, error_types: Mapping[str, int]
) -> PracticeStep:
    """Keep and judge the answer to one item, and say where the person stands now. The last answer of an attempt
    decides: who has passed may take part, who has failed the last attempt may not.

    Answered already, by a double click or in another tab, an item keeps its answer. Raises InputError for an answer
    that is not complete or to an item that is not the next; NotAllowed where nothing is to be answered.
    """
    with writing() as connection:
        people.check(connection, by)
        who = connection.execute(select(person).where(person.c.id == by.id)).one_or_none()
        if who is None or by.study_id is None:
            raise told(NotAllowed, "errors.no_study")
        study_row = studies.locked(connection, by.study_id)
        practice = study_row.practice
        if practice is None or (study_row.consent and who.consent != "given"):
            raise told(NotAllowed, "errors.no_practice")
        given = _given(connection, who.id, study_row.id).answers
        if any(item.attempt == attempt and practice.items[item.item].token == token for item in given):
            return practice.step(given)
        step = practice.step(given)
        if who.qualified is not None or step.outcome is not None:
            raise told(NotAllowed, "errors.practice_over")
        if (step.attempt, step.token) != (attempt, token):
            raise told(InputError, "errors.practice_changed")
        check_answer(asked(study_row.scheme, step.criterion), overall, error_types)
        answer = PracticeAnswer(attempt, step.place - 1, int(overall or 0), dict(error_types))
        correct = practice.items[answer.item].is_right(answer.overall, answer.error_types)
        _keep(connection, by, study_row, answer, correct)
        after = practice.step(_given(connection, who.id, study_row.id).answers)
        if who.role == Role.ANNOTATOR and after.outcome is not None:
            _decide(connection, by, study_row, after)
        return after


def _keep(connection: Connection, by: Person, study_row: Study, answer: PracticeAnswer, correct: bool) -> None:
    answered = {"item": answer.item, "overall": answer.overall, "error_types": answer.error_types, "correct": correct}
    row = {"person_id": by.id, "study_id": study_row.id, "attempt": answer.attempt, "at": now(), **answered}
    connection.execute(insert(training_answer).values(row))
    record(connection, "training answered", by, study_row.id, attempt=answer.attempt, **answered)


def _decide(connection: Connection, by: Person, study_row: Study, step: PracticeStep) -> None:
    passed = step.outcome is Outcome.PASSED
    connection.execute(update(person).where(person.c.id == by.id).values(qualified=passed))
    right = step.reviewed.right if step.reviewed else 0
    kind = "training passed" if passed else "training failed"
    record(connection, kind, by, study_row.id, attempt=step.attempt, right=right, of=step.size, needed=step.pass_mark)


def begin_anew(by: Person, study_id: int) -> None:
    """Forget what a researcher has answered in trying the study's practice, so that they can try it again."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        studies.locked(connection, study_id)
        connection.execute(delete(training_answer).where(_of(by.id, study_id)))
        record(connection, "training begun anew", by, study_id)


def results(by: Person, study_id: int) -> PracticeResults:
    """How many annotators have passed and failed a study's practice, and how many are in the middle of it.

    The first two from the log: they stay true where the practice was changed, or its owner has decided otherwise since.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        kinds = ("training passed", "training failed")
        counts = {
            row[0]: row[1]
            for row in connection.execute(
                select(event.c.kind, func.count(func.distinct(event.c.person_id)))
                .where(event.c.study_id == study_id, event.c.kind.in_(kinds))
                .group_by(event.c.kind)
            )
        }
        middle = and_(person.c.study_id == study_id, person.c.qualified.is_(None))
        under_way = connection.scalar(
            select(func.count(func.distinct(training_answer.c.person_id)))
            .join(person, person.c.id == training_answer.c.person_id)
            .where(middle)
        )
        tried = connection.scalar(select(training_answer.c.id).where(_of(by.id, study_id)).limit(1))
    passed, failed = (int(counts.get(kind, 0)) for kind in kinds)
    return PracticeResults(passed, failed, int(under_way or 0), tried is not None)
