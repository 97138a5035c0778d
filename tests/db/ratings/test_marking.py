"""Evidence spans, and the one question about ratings far from their deductions."""

from collections.abc import Callable

import pytest
from sqlalchemy import select

from core.annotation.panel import Doubt, Panel
from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Person
from db.annotation import assignments, panel_submission
from db.engine import reading
from db.ratings import ratings
from db.schema import assignment, event
from db.studies import studies
from db.transfer import imports
from tests.db.annotation.assignments import rate
from tests.db.conftest import make_annotator, small_corpus
from tests.db.crowd import at_once


@pytest.fixture
def begun(database: str) -> tuple[Person, Panel]:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus(2)])
    studies.open_study(TERMINAL, study.id)
    person = make_annotator(study, "ada")
    panel = assignments.turn(person, claim=True).panel
    assert panel is not None
    return person, panel


def again(person: Person) -> Panel:
    panel = assignments.turn(person).panel
    assert panel is not None
    return panel


@pytest.mark.both_databases
def test_evidence_brings_its_deduction_and_is_read_again(begun: tuple[Person, Panel]) -> None:
    person, panel = begun
    token = panel.stories[0].token
    answer = ratings.mark(person, token, "conflicting logic", (2, 6))
    assert answer.deductions == {"conflicting logic": 1}  # the least on offer
    assert answer.spans == {"conflicting logic": ((2, 6),)}
    ratings.save_deduction(person, token, "conflicting logic", 2)  # more points, the same evidence
    ratings.mark(person, token, "conflicting logic", (5, 9))
    ratings.mark(person, token, "repetitive plots", (0, 1))
    answer = again(person).stories[0].answer
    assert answer.deductions == {"conflicting logic": 2, "repetitive plots": 1}
    assert answer.spans == {"conflicting logic": ((2, 9),), "repetitive plots": ((0, 1),)}
    ratings.unmark(person, token, "conflicting logic", (4, 5))
    answer = again(person).stories[0].answer
    assert answer.deductions["conflicting logic"] == 2
    assert answer.spans == {"repetitive plots": ((0, 1),)}
    ratings.save_deduction(person, token, "repetitive plots", None)
    ratings.save_deduction(person, token, "repetitive plots", 1)
    assert again(person).stories[0].answer.spans == {}


def test_what_cannot_be_evidence_is_refused_and_nothing_kept(begun: tuple[Person, Panel]) -> None:
    person, panel = begun
    token, text = panel.stories[0].token, panel.stories[0].text
    for span in ((0, len(text) + 1), (3, 3), (-1, 2)):
        with pytest.raises(InputError, match="outside of the story"):
            ratings.mark(person, token, "chaotic scenes", span)
    with pytest.raises(InputError, match="no error type 'boring'"):
        ratings.mark(person, token, "boring", (0, 1))
    with pytest.raises(NotAllowed):
        ratings.mark(person, "made-up", "chaotic scenes", (0, 1))
    assert again(person).stories[0].answer.saved_at is None
    rate(person, panel)
    panel_submission.submit(person, panel.token)
    for change in (ratings.mark, ratings.unmark):
        with pytest.raises(NotAllowed, match="handed in"):
            change(person, token, "chaotic scenes", (0, 1))


@pytest.mark.both_databases
def test_marks_at_once_are_all_kept(begun: tuple[Person, Panel]) -> None:
    person, panel = begun
    token = panel.stories[0].token

    def marked(start: int) -> Callable[[], object]:
        return lambda: ratings.mark(person, token, "unrelated events", (start, start + 1))

    at_once(*[marked(start) for start in range(0, 12, 2)])
    expected = tuple((start, start + 1) for start in range(0, 12, 2))
    assert again(person).stories[0].answer.spans == {"unrelated events": expected}


def test_the_question_is_asked_once(begun: tuple[Person, Panel]) -> None:
    person, panel = begun
    with pytest.raises(InputError, match="overall rating"):
        panel_submission.doubts(person, panel.token)
    for shown in panel.stories:
        ratings.save_value(person, shown.token, 4)  # one point off nothing deducted: no question
    first, second = panel.stories[0], panel.stories[1]
    ratings.save_value(person, first.token, 2)
    ratings.save_deduction(person, second.token, "chaotic scenes", 2)
    ratings.save_deduction(person, second.token, "conflicting logic", 1)
    assert panel_submission.doubts(person, panel.token) == (Doubt("A", 2, 0), Doubt("B", 4, 3))
    assert panel_submission.doubts(person, panel.token) == ()  # also from another tab, or after a reload
    panel_submission.submit(person, panel.token)
    with reading() as connection:
        row = connection.execute(select(assignment)).one()
        kinds = connection.scalars(select(event.c.kind)).all()
    assert row.asked_at is not None
    assert kinds.count("contradiction asked") == 1


@pytest.mark.both_databases
def test_whoever_is_consistent_is_not_asked(begun: tuple[Person, Panel]) -> None:
    person, panel = begun
    for shown in panel.stories:
        ratings.save_value(person, shown.token, 5)
    assert panel_submission.doubts(person, panel.token) == ()
    with reading() as connection:
        assert connection.scalar(select(assignment.c.asked_at)) is None


def test_how_many_panels_there_can_be(begun: tuple[Person, Panel]) -> None:
    person, _ = begun
    assert assignments.turn(person).most == 2
