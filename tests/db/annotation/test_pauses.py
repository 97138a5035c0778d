"""Who fails panel after panel is paused by rule, keeps what they have in hand, and goes on when somebody says so."""

from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import select

from core.annotation.panel import End
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Person, Role
from core.recruitment import Recruitment
from db.annotation import assignments, panel_submission, pauses, recruitment, settings
from db.engine import reading, writing
from db.monitor import monitor, panels, personal_data
from db.people import people
from db.schema import event
from db.schema import study as study_table
from db.studies import studies
from tests.db.annotation.assignments import begin, rate
from tests.db.annotation.pauses import hand_in, is_paused
from tests.db.conftest import make_annotator, make_study
from tests.db.crowd import at_once, failures
from tests.db.slow import whole_panels

CLICKS = 4


def log(kind: str) -> list[dict[str, int]]:
    with reading() as connection:
        return list(connection.scalars(select(event.c.detail).where(event.c.kind == kind).order_by(event.c.id)))


@pytest.fixture
def study(database: str) -> Study:
    return make_study(prompts=9, wanted=2)


def test_three_rejected_in_a_row_are_the_end_and_it_is_told(study: Study, annotator: Person) -> None:
    hand_in(annotator, True, False, False)
    assert assignments.turn(annotator).end is None
    hand_in(annotator, False)
    for claim in (False, True):
        turn = assignments.turn(annotator, claim=claim)
        assert (turn.panel, turn.end, turn.paused) == (None, End.NOT_QUALIFIED, 3)
        assert turn.code == study.codes["not qualified"]
    assert log("paused by rule") == [{"annotator": annotator.id, "rejected_in_a_row": 3}]
    panel_submission.appeal(annotator, "I read them all.")
    assert assignments.turn(annotator).appeal == "I read them all."


@pytest.mark.slow
def test_a_good_panel_between_bad_ones_begins_the_count_anew(study: Study, annotator: Person) -> None:
    hand_in(annotator, False, False, True, False, False, True)
    assert (assignments.turn(annotator).end, log("paused by rule")) == (None, [])


def test_who_is_let_go_on_starts_from_nothing(study: Study, annotator: Person) -> None:
    hand_in(annotator, False, False, False)
    pauses.let_go_on(TERMINAL, annotator.id or 0)
    assert log("let go on") == [{"annotator": annotator.id}]
    hand_in(annotator, False, False)
    assert assignments.turn(annotator).end is None
    hand_in(annotator, False)
    assert assignments.turn(annotator).paused == 3
    assert len(log("paused by rule")) == 2


@pytest.mark.both_databases
def test_only_somebody_who_is_paused_is_let_go_on_and_only_by_who_runs_studies(study: Study, annotator: Person) -> None:
    for nobody in (annotator.id or 0, 10_000):
        with pytest.raises(InputError, match="not paused"):
            pauses.let_go_on(TERMINAL, nobody)
    hand_in(annotator, False, False, False)
    with pytest.raises(NotAllowed):
        pauses.let_go_on(annotator, annotator.id or 0)
    assert is_paused(annotator)


def test_the_rule_can_be_changed_and_switched_off(study: Study, annotator: Person) -> None:
    settings.set_rules(TERMINAL, study.id, replace(study.rules, pause_after=0))
    hand_in(annotator, False, False, False, False)
    assert assignments.turn(annotator).end is None
    settings.set_rules(TERMINAL, study.id, replace(study.rules, pause_after=4))
    assert assignments.turn(annotator).paused == 4
    settings.set_rules(TERMINAL, study.id, replace(study.rules, pause_after=5))
    assert assignments.turn(annotator).end is None
    assert (len(log("paused by rule")), len(log("pause lifted"))) == (1, 1)
    for wrong in (-1, 101):
        with pytest.raises(InputError, match="rejected panels in a row"):
            replace(study.rules, pause_after=wrong)


def test_a_verdict_changed_by_hand_or_by_other_rules_lifts_it(study: Study, annotator: Person) -> None:
    hand_in(annotator, False, False, False)
    first = whole_panels(study.id)[0]
    panels.override(TERMINAL, first.id, valid=True, reason="They are right.")
    assert assignments.turn(annotator).end is None
    panels.override(TERMINAL, first.id, valid=False, reason="No, they are not.")
    assert assignments.turn(annotator).paused == 3
    panels.rejudge(TERMINAL, study.id, replace(study.rules, human_least=1))
    assert assignments.turn(annotator).end is None


def test_work_under_way_is_finished_first(study: Study, annotator: Person) -> None:
    hand_in(annotator, True, True, True)
    held = begin(annotator)
    panels.rejudge(TERMINAL, study.id, replace(study.rules, negative_most=1, human_least=5))
    panels.override_all(
        TERMINAL, [whole_panel.id for whole_panel in whole_panels(study.id)], valid=False, reason="Copied."
    )
    assert is_paused(annotator)
    turn = assignments.turn(annotator)
    assert turn.panel is not None
    assert turn.panel.token == held.token
    rate(annotator, held)
    panel_submission.submit(annotator, held.token)
    assert whole_panels(study.id)[-1].valid
    assert assignments.turn(annotator).end is None  # a good one: the last three are no longer all rejected


def test_from_prolific_they_go_back_with_the_code_of_not_qualified(study: Study) -> None:
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    somebody = recruitment.admit(study.id, "prolific", "5f" * 12, "61" * 12)
    hand_in(somebody, False, False, False)
    assert assignments.turn(somebody).back.endswith(f"cc={study.codes['not qualified']}")


def test_it_comes_before_the_other_ends_and_who_may_not_take_part_is_not_called_paused(database: str) -> None:
    study = make_study(prompts=3, wanted=1)
    everything = make_annotator(study)
    hand_in(everything, False, False, False)  # there is nothing left for them
    assert assignments.turn(everything).end is End.NOT_QUALIFIED
    people.qualify(TERMINAL, everything.id or 0, False)
    turn = assignments.turn(everything)
    assert (turn.end, turn.paused) == (End.NOT_QUALIFIED, 0)


def test_researchers_who_try_a_study_are_never_paused(study: Study) -> None:
    owner = people.by_token(people.invite(TERMINAL, Role.OWNER))
    assert owner is not None
    hand_in(replace(owner, study_id=study.id), False, False, False, False)
    assert log("paused by rule") == []


def test_the_monitor_and_the_lists_show_it(study: Study, annotator: Person) -> None:
    hand_in(annotator, False, False, False)
    before = monitor.version(study.id)
    (member,) = monitor.read(study.id).members
    assert (member.state, member.paused) == ("paused", True)
    (person,) = people.listed(TERMINAL, study.id)
    assert person.paused
    pauses.let_go_on(TERMINAL, annotator.id or 0)
    assert monitor.version(study.id) != before
    (member,) = monitor.read(study.id).members
    assert (member.state, member.paused) == ("has begun", False)
    kinds = {entry["kind"] for entry in personal_data.exported(TERMINAL, annotator.id or 0)["events"]}
    assert {"paused by rule", "let go on"} <= kinds


@pytest.mark.both_databases
def test_rules_stored_before_there_was_this_one_are_read_with_its_default(study: Study) -> None:
    with writing() as connection:
        old = {name: value for name, value in study.rules.as_dict().items() if name != "pause_after"}
        connection.execute(study_table.update().values(rules=old))
    assert studies.get(study.id).rules == study.rules
    assert study.rules.pause_after == 3


@pytest.mark.slow
@pytest.mark.both_databases
def test_whoever_hands_in_the_third_and_wants_another_at_once_gets_none(database: str) -> None:
    """Two tabs and an impatient hand: however they meet, one pause and no panel after it."""
    for number in range(8):
        study = make_study(f"study {number}", prompts=6, wanted=2)
        somebody = make_annotator(study)
        hand_in(somebody, False, False)
        third = begin(somebody)
        rate(somebody, third, human=1)
        clicks = [
            partial(panel_submission.submit, somebody, third.token),
            partial(assignments.turn, somebody, claim=True),
        ]
        assert failures(at_once(*clicks * CLICKS)) == []
        assert assignments.turn(somebody, claim=True).paused == 3
        assert monitor.in_hand(study.id) == []
        assert len(log("paused by rule")) == number + 1


@pytest.mark.both_databases
def test_letting_go_on_and_claiming_at_once(study: Study, annotator: Person) -> None:
    hand_in(annotator, False, False, False)
    owners = [partial(pauses.let_go_on, TERMINAL, annotator.id or 0)] * CLICKS
    result = at_once(*owners, *[partial(assignments.turn, annotator, claim=True)] * CLICKS)
    assert all(isinstance(failure, InputError) for failure in failures(result))
    assert len(failures(result)) == CLICKS - 1  # one of them has let them go on
    assert len(log("let go on")) == 1
    assert assignments.turn(annotator, claim=True).panel is not None
    assert len(monitor.in_hand(study.id)) == 1
