"""Practice stored: one answer an item, attempts, what it decides, and in which order annotators come to it."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select

from core.annotation.onboarding import Outcome, Practice, PracticeResults
from core.annotation.onboarding_items import MANS_ITEMS, UNION_ITEMS, built_in_items
from core.annotation.panel import End
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Person, Role
from db.annotation import assignments, onboarding, settings
from db.engine import reading
from db.monitor import personal_data
from db.people import people
from db.schema import event, person, training_answer
from db.studies import studies
from tests.db.annotation.ends import ask_consent, finish_all
from tests.db.annotation.onboarding import PRACTICE, WRONG, give, step_of
from tests.db.conftest import make_annotator, make_study
from tests.db.crowd import at_once, failures

RIGHT: list[tuple[int, dict[str, int]]] = [(5, {}), (2, {"repetitive plots": 2}), (2, {"unrelated events": 1})]


@pytest.fixture
def trained(study: Study) -> Study:
    """A study whose annotators need two of three items right, in two attempts."""
    onboarding.set_practice(TERMINAL, study.id, PRACTICE)
    return studies.get(study.id)


def kinds() -> list[str]:
    with reading() as connection:
        return [kind for kind in connection.scalars(select(event.c.kind).order_by(event.c.id)) if "training" in kind]


def qualified(someone: Person) -> bool | None:
    with reading() as connection:
        return connection.scalar(select(person.c.qualified).where(person.c.id == someone.id))


def test_nothing_is_claimed_before_it_is_passed(trained: Study, annotator: Person) -> None:
    for overall, types in RIGHT:
        turn = assignments.turn(annotator, claim=True)
        assert (turn.panel, turn.end) == (None, None)
        assert turn.practice is not None
        onboarding.answer_item(annotator, turn.practice.attempt, turn.practice.token, overall, types)
    step = step_of(annotator)
    assert (step.outcome, step.reviewed and step.reviewed.right) == (Outcome.PASSED, 3)
    assert step_of(annotator) == step  # a reload shows it again
    turn = assignments.turn(annotator, claim=True)
    assert turn.panel is not None
    assert turn.practice is None
    assert qualified(annotator) is True
    assert kinds() == ["training changed", *["training answered"] * 3, "training passed"]


def test_an_answer_is_there_on_another_device(trained: Study, annotator: Person) -> None:
    give(annotator, [(2, {"repetitive plots": 1})])
    step = step_of(annotator)
    assert (step.place, step.reviewed and step.reviewed.answer.overall) == (2, 2)
    assert step.reviewed is not None
    assert dict(step.reviewed.answer.error_types) == {"repetitive plots": 1}
    assert (step.reviewed.answer.correct, step.reviewed.item) == (False, PRACTICE.items[0])


def test_a_second_attempt_and_then_the_end(trained: Study, annotator: Person) -> None:
    step = give(annotator, WRONG)
    assert (step.attempt, step.place, step.outcome) == (2, 1, None)
    assert qualified(annotator) is None
    step = give(annotator, [RIGHT[0], WRONG[1], WRONG[2]])
    assert step.outcome is Outcome.FAILED
    turn = assignments.turn(annotator, claim=True)
    assert (turn.panel, turn.end, turn.code) == (None, End.NOT_QUALIFIED, trained.codes["not qualified"])
    assert turn.practice is not None  # the last explanation, and how many were right
    with pytest.raises(NotAllowed, match="is over"):
        onboarding.answer_item(annotator, 3, PRACTICE.items[0].token, 5, {})
    assert kinds()[-1] == "training failed"


def test_failed_once_and_passed_then(trained: Study, annotator: Person) -> None:
    give(annotator, WRONG)
    assert give(annotator, RIGHT).outcome is Outcome.PASSED
    assert onboarding.results(TERMINAL, trained.id) == PracticeResults(1, 0, 0, False)


def test_practice_alone_lets_everybody_on(study: Study, annotator: Person) -> None:
    onboarding.set_practice(TERMINAL, study.id, replace(PRACTICE, pass_mark=0))
    assert give(annotator, WRONG).outcome is Outcome.PASSED
    assert assignments.turn(annotator, claim=True).panel is not None


@pytest.mark.both_databases
@pytest.mark.parametrize("same_answer", [True, False])
def test_one_item_answered_by_several_threads_is_answered_once(database: str, same_answer: bool) -> None:
    study = make_study()
    onboarding.set_practice(TERMINAL, study.id, PRACTICE)
    for number in range(5):
        someone = make_annotator(study, f"person {number}")
        for place, (overall, types) in enumerate(RIGHT, 1):
            step = step_of(someone)
            answer = partial(onboarding.answer_item, someone, step.attempt, step.token)
            others: tuple[int, dict[str, int]] = (overall, types) if same_answer else (1, {})
            results = at_once(*[partial(answer, overall, types), partial(answer, *others)] * 3)
            assert failures(results) == []
            assert {result.reviewed.answer.item for result in results} == {place - 1}
            assert len({result.reviewed.answer.overall for result in results}) == 1  # all see what is stored
        with reading() as connection:
            stored = connection.execute(select(training_answer).where(training_answer.c.person_id == someone.id)).all()
        assert sorted((row.attempt, row.item) for row in stored) == [(1, 0), (1, 1), (1, 2)]
    assert kinds().count("training answered") == 15


def test_two_tabs_can_neither_skip_nor_answer_again(trained: Study, annotator: Person) -> None:
    first = step_of(annotator)
    give(annotator, RIGHT[:1])
    again = onboarding.answer_item(annotator, first.attempt, first.token, 1, {})
    assert again.reviewed is not None
    assert again.reviewed.answer.overall == 5
    with pytest.raises(InputError, match="moved on or was changed"):
        onboarding.answer_item(annotator, 1, PRACTICE.items[2].token, 2, {})
    with pytest.raises(InputError, match="moved on or was changed"):
        onboarding.answer_item(annotator, 2, PRACTICE.items[0].token, 2, {})
    assert step_of(annotator).place == 2


@pytest.mark.parametrize(
    ("overall", "types", "words"),
    [
        (None, {}, "answer the question first"),
        (7, {}, "outside the scale"),
        (3, {"boring": 1}, "no error type"),
        (3, {"repetitive plots": 9}, "not on offer"),
    ],
)
def test_what_the_form_does_not_offer_is_refused(
    trained: Study, annotator: Person, overall: Any, types: dict[str, int], words: str
) -> None:
    token = step_of(annotator).token
    with pytest.raises(InputError, match=words):
        onboarding.answer_item(annotator, 1, token, overall, types)
    assert step_of(annotator).place == 1


def test_capacity_then_consent_then_practice(trained: Study) -> None:
    ask_consent(trained)
    early, late = make_annotator(trained, "early"), make_annotator(trained, "late")
    turn = assignments.turn(early)
    assert turn.consent
    assert turn.practice is None
    with pytest.raises(NotAllowed, match="nothing to practise"):
        onboarding.answer_item(early, 1, PRACTICE.items[0].token, 5, {})
    people.answer_consent(early, given=True)
    give(early, RIGHT)
    finish_all(early)
    turn = assignments.turn(late)
    assert (turn.end, turn.consent, turn.practice) == (End.FULL, "", None)


def test_a_panel_in_hand_is_finished_before_any_practice(study: Study, annotator: Person) -> None:
    assert assignments.turn(annotator, claim=True).panel is not None
    onboarding.set_practice(TERMINAL, study.id, PRACTICE)
    turn = assignments.turn(annotator)
    assert turn.panel is not None
    assert turn.practice is None


@pytest.mark.parametrize("word", [True, False])
def test_what_the_owner_says_wins(trained: Study, annotator: Person, word: bool) -> None:
    give(annotator, RIGHT[:1])
    people.qualify(TERMINAL, annotator.id or 0, word)
    turn = assignments.turn(annotator, claim=True)
    assert turn.practice is None
    assert (turn.panel is not None, turn.end) == (word, None if word else End.NOT_QUALIFIED)


def test_an_owner_lets_one_in_who_failed(trained: Study, annotator: Person) -> None:
    give(annotator, WRONG)
    give(annotator, WRONG)
    people.qualify(TERMINAL, annotator.id or 0, True)
    turn = assignments.turn(annotator, claim=True)
    assert turn.panel is not None
    assert onboarding.results(TERMINAL, trained.id) == PracticeResults(0, 1, 0, False)


@pytest.mark.both_databases
def test_taking_back_what_was_said_leaves_people_where_the_practice_left_them(trained: Study) -> None:
    fresh, middle, passed, failed = (make_annotator(trained, name) for name in ("fresh", "middle", "passed", "failed"))
    give(middle, RIGHT[:2])
    give(passed, RIGHT)
    give(failed, WRONG)
    give(failed, WRONG)
    for item, stands in ((fresh, None), (middle, None), (passed, True), (failed, False)):
        assert people.failed_practice(TERMINAL, item.id or 0) is (stands is False)
        for word in (False, True):
            people.qualify(TERMINAL, item.id or 0, word)
            people.qualify(TERMINAL, item.id or 0, None)
            assert qualified(item) is stands
    assert [step_of(entry).place for entry in (fresh, middle)] == [1, 3]
    assert assignments.turn(fresh, claim=True).panel is None
    assert assignments.turn(passed, claim=True).panel is not None
    assert assignments.turn(failed, claim=True).end is End.NOT_QUALIFIED
    people.qualify(TERMINAL, failed.id or 0, True)
    assert people.failed_practice(TERMINAL, failed.id or 0)
    assert assignments.turn(failed, claim=True).panel is not None
    onboarding.set_practice(TERMINAL, trained.id, None)  # which takes the answers with it
    people.qualify(TERMINAL, failed.id or 0, None)
    assert qualified(failed) is False
    with pytest.raises(NotAllowed):
        people.failed_practice(failed, failed.id or 0)
    with pytest.raises(InputError, match="no such annotator"):
        people.qualify(TERMINAL, 999, None)


def test_nobody_decides_about_who_was_erased(study: Study, annotator: Person) -> None:
    personal_data.erase(TERMINAL, annotator.id or 0, keep_ratings=True)
    for word in (True, False, None):
        with pytest.raises(InputError, match="has been erased"):
            people.qualify(TERMINAL, annotator.id or 0, word)
    assert qualified(annotator) is None


@pytest.mark.both_databases
def test_a_changed_practice_begins_anew_for_those_in_the_middle(trained: Study) -> None:
    through, middle = make_annotator(trained, "through"), make_annotator(trained, "middle")
    give(through, RIGHT)
    give(middle, RIGHT[:2])
    stale = step_of(middle)
    assert onboarding.results(TERMINAL, trained.id) == PracticeResults(1, 0, 1, False)
    changed = Practice(MANS_ITEMS[3:5], 1)
    onboarding.set_practice(TERMINAL, trained.id, changed)
    step = step_of(middle)
    assert (step.place, step.size, step.reviewed, step.texts) == (1, 2, None, changed.items[0].texts)
    with pytest.raises(InputError, match="was changed"):
        onboarding.answer_item(middle, stale.attempt, stale.token, 5, {})
    assert assignments.turn(through).practice is None
    assert assignments.turn(through, claim=True).panel is not None
    assert onboarding.results(TERMINAL, trained.id) == PracticeResults(1, 0, 0, False)
    onboarding.set_practice(TERMINAL, trained.id, None)
    assert assignments.turn(middle).practice is None
    assert studies.get(trained.id).practice is None


def test_saving_the_same_again_changes_nothing(trained: Study, annotator: Person) -> None:
    give(annotator, RIGHT[:2])
    onboarding.set_practice(TERMINAL, trained.id, studies.get(trained.id).practice)
    assert step_of(annotator).place == 3
    assert kinds().count("training changed") == 1


@pytest.mark.both_databases
def test_a_practice_must_fit_the_form_and_the_form_the_practice(trained: Study) -> None:
    with pytest.raises(InputError, match="Example 2: A rating of 0 is outside the scale"):
        onboarding.set_practice(TERMINAL, trained.id, Practice((MANS_ITEMS[0], UNION_ITEMS[1])))
    assert studies.get(trained.id).practice == PRACTICE
    shorter = replace(trained.scheme, error_types=trained.scheme.error_types[2:])
    with pytest.raises(InputError, match="does not fit this form"):
        settings.set_form(TERMINAL, trained.id, shorter)
    onboarding.set_practice(TERMINAL, trained.id, None)
    settings.set_form(TERMINAL, trained.id, shorter)
    with pytest.raises(InputError, match="Example 1"):
        onboarding.set_practice(TERMINAL, trained.id, PRACTICE)


@pytest.mark.both_databases
def test_who_may(trained: Study, annotator: Person) -> None:
    with pytest.raises(NotAllowed):
        onboarding.set_practice(annotator, trained.id, None)
    with pytest.raises(NotAllowed):
        onboarding.results(annotator, trained.id)
    with pytest.raises(NotAllowed):
        onboarding.begin_anew(annotator, trained.id)
    with pytest.raises(NotAllowed, match="belongs to no study"):
        onboarding.answer_item(TERMINAL, 1, PRACTICE.items[0].token, 5, {})
    people.revoke(TERMINAL, annotator.id or 0)
    with pytest.raises(NotAllowed, match="withdrawn"):
        onboarding.answer_item(annotator, 1, PRACTICE.items[0].token, 5, {})


@pytest.mark.both_databases
def test_a_researcher_tries_two_studies_apart(database: str) -> None:
    item, two = make_study("one"), make_study("two")
    for study in (item, two):
        onboarding.set_practice(TERMINAL, study.id, PRACTICE)
    someone = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, runs=[item.id, two.id]))
    assert someone is not None
    at_one, at_two = replace(someone, study_id=item.id), replace(someone, study_id=two.id)
    give(at_one, RIGHT[:2])
    assert (step_of(at_one).place, step_of(at_two).place) == (3, 1)
    give(at_two, WRONG)
    give(at_two, WRONG)
    assert assignments.turn(at_two).end is End.NOT_QUALIFIED
    give(at_one, RIGHT[2:])
    assert assignments.turn(at_one, claim=True).panel is not None
    assert onboarding.results(someone, two.id) == PracticeResults(0, 0, 0, True)  # no annotator among them
    onboarding.begin_anew(someone, two.id)
    assert step_of(at_two).attempt == 1
    assert onboarding.results(someone, two.id).tried is False
    assert onboarding.results(someone, item.id).tried is True
    assert qualified(someone) is None
    onboarding.set_practice(TERMINAL, item.id, None)
    assert onboarding.results(someone, item.id).tried is False


@pytest.mark.parametrize("scheme", ["mans", "union", "turing", "likeliness"])
def test_the_built_in_items_of_every_scheme_can_be_passed(database: str, scheme: str) -> None:
    study = studies.create(TERMINAL, "s", scheme)
    items = built_in_items(study.scheme)
    onboarding.set_practice(TERMINAL, study.id, Practice(items, len(items)))
    someone = make_annotator(study)
    for item in items:
        types = {name: (study.scheme.error_type(name).points or (0,))[0] for name in item.needed}
        overall = next(step for step in item.accepted if not types or study.scheme.takes_reasons(step))
        if study.scheme.reasons_for and study.scheme.takes_reasons(overall):
            types = types or {"other": 0}
        step = onboarding.answer_item(someone, 1, item.token, overall, types)
    assert step.outcome is Outcome.PASSED
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(training_answer)) == len(items)


def test_a_text_that_changed_while_it_was_read_is_not_agreed_to(study: Study, annotator: Person) -> None:
    ask_consent(study, "The first text.")
    read = assignments.turn(annotator).consent
    ask_consent(study, "The second text.")
    with pytest.raises(InputError, match="read it again"):
        people.answer_consent(annotator, given=True, read=read)
    assert assignments.turn(annotator).consent == "The second text."
    people.answer_consent(annotator, given=True, read="The second text.")
    assert assignments.turn(annotator, claim=True).panel is not None
