"""People from crowd platforms: one person an id, known again, never by their raw id."""

import json
from functools import partial

import pytest
from sqlalchemy import select, text, update

from core.annotation.panel import End
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Person, Role
from core.recruitment import Recruitment
from db.annotation import assignments, panel_submission, recruitment
from db.engine import reading, writing
from db.people import people
from db.ratings import ratings
from db.schema import event, metadata, person
from db.studies import studies
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import Clock, make_annotator, make_study
from tests.db.crowd import at_once, failures

PID, SUBMISSION = "5f" * 12, "61" * 12


@pytest.fixture
def prolific(study: Study) -> Study:
    """An open study on Prolific."""
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    return studies.get(study.id)


def arrived(study: Study, crowd_id: str = PID, submission: str = SUBMISSION) -> Person:
    result = recruitment.admit(study.id, study.recruitment.platform, crowd_id, submission)
    assert result is not None
    return result


def everything_stored() -> str:
    with reading() as connection:
        tables = metadata.sorted_tables
        return "\n".join(str(row) for table in tables for row in connection.execute(select(table)))


@pytest.mark.both_databases
def test_the_address_is_made_once_and_leads_to_the_study(study: Study) -> None:
    assert recruitment.join_token(study.id) == ""
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    token = recruitment.join_token(study.id)
    assert len(token) >= 16
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("mturk"))
    assert recruitment.join_token(study.id) == token
    result = recruitment.joined(token)
    assert result is not None
    assert (result.id, result.recruitment.platform) == (study.id, "mturk")
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment())
    assert recruitment.joined(token) is None
    for other in ("", "nothing", "x" * 10_000, "'; DROP TABLE study; --"):
        assert recruitment.joined(other) is None


def test_only_those_who_run_studies_set_it(study: Study, annotator: Person) -> None:
    with pytest.raises(NotAllowed):
        recruitment.set_recruitment(annotator, study.id, Recruitment("mturk"))
    with pytest.raises(InputError, match="FABULA_KEY_SETS"):
        recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", keys_address="file:///etc/passwd"))
    assert studies.get(study.id).recruitment == Recruitment()


@pytest.mark.both_databases
def test_the_same_id_is_the_same_person_and_stands_nowhere(prolific: Study) -> None:
    first = arrived(prolific)
    assert (first.role, first.study_id, first.name) == (Role.ANNOTATOR, prolific.id, "Prolific")
    assert arrived(prolific).id == first.id
    other = arrived(prolific, "60" * 12, "62" * 12)
    assert other.id != first.id
    assert PID not in everything_stored()
    with reading() as connection:
        rows = connection.execute(select(person.c.crowd_hash, person.c.submission).order_by(person.c.id)).all()
        events = connection.scalars(select(event.c.detail).where(event.c.kind == "joined")).all()
    assert [row.submission for row in rows] == [SUBMISSION, "62" * 12]
    assert len({row.crowd_hash for row in rows}) == 2
    assert events == [{"platform": "prolific"}] * 2


@pytest.mark.both_databases
def test_the_same_id_in_another_study_is_somebody_else(prolific: Study) -> None:
    other = make_study("other")
    recruitment.set_recruitment(TERMINAL, other.id, Recruitment("prolific", secured=False))
    arrived(prolific)
    arrived(studies.get(other.id))
    with reading() as connection:
        assert len(set(connection.scalars(select(person.c.crowd_hash)))) == 2


@pytest.mark.both_databases
def test_requests_at_once_make_one_person(prolific: Study) -> None:
    calls = [partial(recruitment.admit, prolific.id, "prolific", PID, SUBMISSION) for _ in range(8)]
    result = at_once(*calls)
    assert failures(result) == []
    assert len(set(result)) == 1
    with reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM person")).scalar() == 1


def test_who_is_revoked_does_not_come_back_by_the_same_id(prolific: Study) -> None:
    who = arrived(prolific)
    assert who.id is not None
    people.revoke(TERMINAL, who.id)
    with pytest.raises(NotAllowed, match="no longer take part"):
        recruitment.admit(prolific.id, "prolific", PID, SUBMISSION)


def test_the_end_sends_back_with_the_ends_code(prolific: Study) -> None:
    who = arrived(prolific)
    for _ in range(2):
        panel = begin(who)
        rate(who, panel)
        panel_submission.submit(who, panel.token)
    turn = assignments.turn(who)
    assert turn.end is End.COMPLETE
    assert turn.code == prolific.codes["complete"]
    assert turn.back == f"https://app.prolific.com/submissions/complete?cc={turn.code}"
    # The same submission opened once more is the same visit, with the same way back.
    assert assignments.turn(arrived(prolific)).back == turn.back
    # Another one is another visit, with a code of its own beside the one they were given.
    again = arrived(prolific, submission="63" * 12)
    turn = assignments.turn(again)
    assert turn.end is End.ALREADY_DONE
    assert turn.earlier_code == prolific.codes["complete"]
    assert turn.back.endswith(prolific.codes["already done"])
    with reading() as connection:  # finished work stays with the submission it was done for
        assert connection.scalar(select(person.c.submission)) == SUBMISSION


@pytest.mark.both_databases
def test_a_new_submission_takes_over_unfinished_work(prolific: Study) -> None:
    arrived(prolific)
    arrived(prolific, submission="63" * 12)
    with reading() as connection:
        assert connection.scalar(select(person.c.submission)) == "63" * 12


@pytest.mark.slow
def test_what_is_handed_in_stays_with_its_submission(prolific: Study) -> None:
    who = arrived(prolific)
    panel = begin(who)
    assert arrived(prolific, submission="63" * 12).id == who.id
    rate(who, panel)
    panel_submission.submit(who, panel.token)
    arrived(prolific, submission="64" * 12)  # before they have finished
    with reading() as connection:
        row = connection.execute(select(person)).one()
    assert (row.submission, row.completed_at) == ("63" * 12, None)


def test_who_came_by_a_personal_link_is_sent_nowhere(prolific: Study) -> None:
    who = make_annotator(prolific)
    studies.close_study(TERMINAL, prolific.id)
    turn = assignments.turn(who)
    assert (turn.end, turn.code, turn.back) == (End.CLOSED, "", "")


def test_on_mturk_everybody_has_a_code_of_their_own(study: Study) -> None:
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("mturk"))
    there = studies.get(study.id)
    studies.close_study(TERMINAL, study.id)
    turns = [assignments.turn(arrived(there, f"A2ZEXAMPLE{number}", "")) for number in (10, 11)]
    codes = [turn.code for turn in turns]
    assert len({*codes, study.codes["closed"]}) == 3
    assert [turn.back for turn in turns] == ["", ""]
    assert assignments.turn(arrived(there, "A2ZEXAMPLE10", "")).code == codes[0]
    assert assignments.turn(make_annotator(there)).code == ""


@pytest.mark.both_databases
def test_settings_of_a_later_version_do_no_harm(study: Study) -> None:
    stored = {**Recruitment("mturk").as_dict(), "tomorrow": True}
    with writing() as connection:
        connection.execute(update(studies.study).values(recruitment=json.loads(json.dumps(stored))))
    assert studies.get(study.id).recruitment == Recruitment("mturk")


def places_left(study: Study) -> int:
    """Panels that somebody new could begin."""
    found = 0
    while assignments.turn(make_annotator(study, f"new {found}"), claim=True).panel is not None:
        found += 1
    return found


def test_an_id_that_nobody_has_signed_holds_a_place_for_two_minutes(database: str, clock: Clock) -> None:
    study = make_study(prompts=1, wanted=3)
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    made_up = [recruitment.admit(study.id, "prolific", f"{number:024x}", SUBMISSION) for number in range(3)]
    panels = [assignments.turn(person, claim=True).panel for person in made_up]
    assert all(panels)
    assert assignments.turn(make_annotator(study, "late")).end is not None
    ratings.save_value(made_up[0], panels[0].stories[0].token, 3)  # type: ignore[union-attr]
    clock.move(minutes=1)
    assert assignments.turn(made_up[1]).panel is not None  # looking at the page again makes it no longer
    clock.move(minutes=1.1)
    assert assignments.turn(made_up[2]).panel is not None  # still theirs, as nobody has taken it
    assert places_left(study) == 2
    assert assignments.turn(made_up[0]).panel is not None  # who has answered keeps the place as long as any
    assert assignments.turn(made_up[1]).panel is None


@pytest.mark.parametrize("platform", ["", "prolific"])
def test_a_link_and_a_signed_address_hold_it_as_the_rules_say(database: str, clock: Clock, platform: str) -> None:
    study = make_study(prompts=1)
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment(platform, bool(platform), "rate.example.org"))
    person = recruitment.admit(study.id, "prolific", PID, SUBMISSION) if platform else make_annotator(study)
    assert assignments.turn(person, claim=True).panel is not None
    clock.move(minutes=5)
    assert places_left(study) == 0


def test_who_has_begun_without_a_signature_needs_the_submission_or_the_browser(database: str) -> None:
    study = make_study(prompts=1)
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    who = recruitment.admit(study.id, "prolific", PID, SUBMISSION, signed=False)
    other = "62" * 12
    assert recruitment.admit(study.id, "prolific", PID, other, signed=False) == who  # nothing is begun yet
    assert assignments.turn(who, claim=True).panel is not None
    with pytest.raises(NotAllowed, match="begun this study already"):
        recruitment.admit(study.id, "prolific", PID, "63" * 12, signed=False)
    assert recruitment.admit(study.id, "prolific", PID, other, signed=False) == who
    assert recruitment.admit(study.id, "prolific", PID, "63" * 12, who, signed=False) == who
    assert recruitment.admit(study.id, "prolific", PID, "64" * 12, signed=True) == who


def test_open_studies_that_take_unsigned_ids_are_named(database: str) -> None:
    study = make_study("Tales")
    assert recruitment.unsigned() == []
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("mturk"))
    assert recruitment.unsigned() == ["Tales"]
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", True, "rate.example.org"))
    assert recruitment.unsigned() == []
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    studies.close_study(TERMINAL, study.id)
    assert recruitment.unsigned() == []
