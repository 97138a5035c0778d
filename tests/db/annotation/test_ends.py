"""Capacity, consent, qualification and every end with its own code."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from core.annotation.panel import End
from core.annotation.studies import Study
from core.errors import InputError
from core.people import TERMINAL, Person, Role
from db.annotation import assignments, panel_submission, settings, slots
from db.audit import now
from db.engine import reading, writing
from db.people import people
from db.schema import assignment, event
from db.studies import studies
from tests.db.annotation.assignments import begin, overtaken, rate
from tests.db.annotation.ends import ask_consent, finish_all
from tests.db.conftest import make_annotator, make_study


def test_every_end_has_its_own_code_from_the_start(study: Study) -> None:
    assert set(study.codes) == {str(end) for end in End}
    assert len(set(study.codes.values())) == len(End)


def test_capacity_comes_before_consent(study: Study) -> None:
    ask_consent(study)
    early, late = make_annotator(study, "early"), make_annotator(study, "late")
    assert assignments.turn(early).consent
    people.answer_consent(early, given=True)
    finish_all(early)
    turn = assignments.turn(late)
    assert (turn.end, turn.consent, turn.code) == (End.FULL, "", study.codes["full"])


def test_nothing_is_claimed_without_consent(study: Study, annotator: Person) -> None:
    ask_consent(study)
    turn = assignments.turn(annotator, claim=True)
    assert (turn.panel, turn.end) == (None, None)
    assert turn.consent == "Your answers are published without your name."
    people.answer_consent(annotator, given=False)
    turn = assignments.turn(annotator, claim=True)
    assert (turn.panel, turn.end, turn.code) == (None, End.NO_CONSENT, study.codes["no consent"])
    people.answer_consent(annotator, given=None)
    assert assignments.turn(annotator).consent
    people.answer_consent(annotator, given=True)
    assert assignments.turn(annotator, claim=True).panel is not None
    with reading() as connection:
        kept = connection.scalars(select(event.c.detail).where(event.c.kind == "consent answered")).all()
    assert [item["answer"] for item in kept] == ["declined", "", "given"]
    assert len({item["text_sha256"] for item in kept}) == 1


@pytest.mark.both_databases
def test_one_who_does_not_qualify_gets_no_more_and_keeps_what_is_done(study: Study, annotator: Person) -> None:
    begin(annotator)
    people.qualify(TERMINAL, annotator.id or 0, False)
    assert assignments.turn(annotator).panel is not None  # begun work may be finished
    with writing() as connection:
        connection.execute(update(assignment).values(state="submitted", valid=True, submitted_at=now()))
    turn = assignments.turn(annotator, claim=True)
    assert (turn.end, turn.code) == (End.NOT_QUALIFIED, study.codes["not qualified"])
    people.qualify(TERMINAL, annotator.id or 0, True)
    assert assignments.turn(annotator, claim=True).panel is not None
    with pytest.raises(InputError, match="no such annotator"):
        people.qualify(TERMINAL, 10_000, True)


def test_complete_then_already_done_when_the_link_is_opened_again(study: Study) -> None:
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    person = people.arrive(token)
    assert person is not None
    finish_all(person)
    for _ in range(2):  # a reload changes nothing
        turn = assignments.turn(person)
        assert (turn.end, turn.code) == (End.COMPLETE, study.codes["complete"])
    assert people.arrive(token) == person
    turn = assignments.turn(person)
    assert (turn.end, turn.code) == (End.ALREADY_DONE, study.codes["already done"])


def test_one_who_comes_back_while_there_is_work_may_go_on(database: str) -> None:
    study = make_study(prompts=2, wanted=1)
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    person = people.arrive(token)
    assert person is not None
    settings.set_rules(TERMINAL, study.id, replace(study.rules, assignments_a_person=1))
    finish_all(person)
    assert assignments.turn(person).end is End.COMPLETE
    people.arrive(token)
    assert assignments.turn(person).end is End.ALREADY_DONE
    settings.set_rules(TERMINAL, study.id, replace(study.rules, assignments_a_person=0))
    assert assignments.turn(person).end is None
    finish_all(person)
    assert assignments.turn(person).end is End.COMPLETE  # in this visit, not before it


def test_a_changed_text_is_asked_anew(study: Study, annotator: Person) -> None:
    ask_consent(study)
    people.answer_consent(annotator, given=True)
    settings.set_ends(TERMINAL, study.id, "Your answers are published without your name.", study.codes)
    assert not assignments.turn(annotator).consent
    ask_consent(study, "Your answers are published with your name.")
    assert assignments.turn(annotator, claim=True).consent


def test_a_person_rates_as_many_as_the_study_asks(database: str) -> None:
    study = make_study(prompts=5, wanted=1)
    settings.set_rules(TERMINAL, study.id, replace(study.rules, assignments_a_person=2))
    person = make_annotator(study)
    finish_all(person)
    turn = assignments.turn(person)
    assert (turn.finished, turn.end) == (2, End.COMPLETE)


def test_expired_where_somebody_took_the_place_and_no_other_is_free(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    panel, taken = overtaken(slow, quick, finished=False)
    turn = assignments.turn(slow)
    assert (turn.panel, turn.end, turn.code) == (None, End.EXPIRED, study.codes["expired"])
    rate(quick, taken, human=1)  # rejected: the place is free again
    panel_submission.submit(quick, taken.token)
    back = assignments.turn(slow)
    assert back.panel is not None
    assert back.panel.token == panel.token
    assert back.panel.stories[0].answer.overall == 3


def test_finished_work_can_be_handed_in_after_its_place_was_taken(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    panel, _ = overtaken(slow, quick)
    held = assignments.turn(slow).panel  # a reload
    assert held is not None
    assert held.token == panel.token
    panel_submission.submit(slow, held.token)
    assert slots.progress(study.id).surplus == 1
    assert assignments.turn(slow).end is End.COMPLETE


@pytest.mark.both_databases
def test_one_whose_place_was_taken_may_begin_another(study: Study) -> None:
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    panel, _ = overtaken(slow, quick, finished=False)
    turn = assignments.turn(slow)
    assert (turn.panel, turn.end, turn.lapsed) == (None, None, True)
    other = begin(slow)
    assert other.prompt != panel.prompt
    with reading() as connection:  # what they had answered is kept
        assert len(connection.execute(select(assignment).where(assignment.c.person_id == slow.id)).all()) == 2


def test_a_place_lost_once_is_no_end_for_good(database: str) -> None:
    study = make_study(prompts=3, wanted=1)
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    overtaken(slow, quick, finished=False)
    assert assignments.turn(slow).lapsed
    while (panel := assignments.turn(slow, claim=True).panel) is not None:
        rate(slow, panel)
        panel_submission.submit(slow, panel.token)
        assert not assignments.turn(slow).lapsed
    turn = assignments.turn(slow)
    assert (turn.finished, turn.end, turn.code) == (2, End.COMPLETE, study.codes["complete"])


def test_of_two_panels_begun_the_one_at_work_stays_in_hand(database: str) -> None:
    study = make_study(prompts=2, wanted=1)
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    _, taken = overtaken(slow, quick, finished=False)
    second = begin(slow)
    rate(quick, taken, human=1)  # rejected: the first panel's place is free again
    panel_submission.submit(quick, taken.token)
    held = assignments.turn(slow).panel
    assert held is not None
    assert held.token == second.token
    assert slots.progress(study.id).open == 1


@pytest.mark.both_databases
def test_a_lease_lasts_as_long_as_the_study_says(study: Study, annotator: Person) -> None:
    settings.set_rules(TERMINAL, study.id, replace(study.rules, lease_minutes=5))
    begin(annotator)
    with reading() as connection:
        until = connection.scalars(select(assignment.c.lease_until)).one()
    assert timedelta(minutes=4) < until - now() <= timedelta(minutes=5)


def test_closed_has_its_own_screen(study: Study) -> None:
    studies.close_study(TERMINAL, study.id)
    turn = assignments.turn(make_annotator(study, "late"))
    assert (turn.end, turn.code) == (End.CLOSED, "")  # who has done nothing gets no code that looks like success


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"full": ""}, "code for “full” has 1 to 60"),
        ({"full": "two words"}, "code for “full”"),
        ({"full": "SAME", "complete": "SAME"}, "same code"),
    ],
)
def test_codes_that_could_not_be_told_apart_are_refused(study: Study, change: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        settings.set_ends(TERMINAL, study.id, "", {**study.codes, **change})
    assert studies.get(study.id).codes == study.codes
