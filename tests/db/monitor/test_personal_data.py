"""One person's data: all of it out, and all of it gone."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from functools import partial
from threading import Event

import pytest
from sqlalchemy import insert, select, text

from core.annotation.past_imports import Origin
from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed, NotFound
from core.people import TERMINAL, Person, Role
from core.recruitment import Recruitment
from db.annotation import assignments, panel_submission, recruitment, slots
from db.audit import now
from db.engine import reading, writing
from db.monitor import monitor, panels, payments, personal_data
from db.people import people
from db.ratings import ratings
from db.ratings.preferences import preferences_of
from db.schema import assignment, event, metadata, person, training_answer
from db.studies import studies
from db.transfer import exports, imports
from tests.db import pairs
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.crowd import PATIENCE, at_once, failures
from tests.db.slow import whole_panels

NAME, NOTE = "Ximena Quispe", "I read each one twice, truly, says Ximena."
PID, SUBMISSION = "5f" * 12, "61" * 12


def everything_stored() -> str:
    with reading() as connection:
        return "\n".join(str(row) for table in metadata.sorted_tables for row in connection.execute(select(table)))


def a_life(study: Study) -> Person:
    """Somebody with a name, consent, training, a rejected panel, a note on it, and a panel in hand."""
    who = make_annotator(study, NAME)
    assert who.id is not None
    people.answer_consent(who, given=True)
    with writing() as connection:
        values = {
            "person_id": who.id,
            "study_id": study.id,
            "attempt": 1,
            "item": 1,
            "overall": 3,
            "error_types": [],
            "correct": True,
        }
        connection.execute(insert(training_answer).values(**values, at=now()))
    panel = begin(who)
    rate(who, panel, human=1)
    ratings.save_deduction(who, panel.stories[0].token, "unrelated events", 2)
    panel_submission.submit(who, panel.token)
    panel_submission.appeal(who, NOTE)
    done = whole_panels(study.id)[-1].id
    panels.override(TERMINAL, done, valid=True, reason=f"{NAME} has read it again")
    panels.pay(TERMINAL, done, Payment.WITHHELD, f"{NAME} knows why")
    rest = begin(who)
    ratings.save_value(who, rest.stories[0].token, 4)
    return who


@pytest.mark.both_databases
def test_all_that_is_kept_comes_out_as_json(study: Study) -> None:
    who = a_life(study)
    assert who.id is not None
    other = make_annotator(study, "somebody else")
    assert other.id is not None
    people.qualify(TERMINAL, other.id, True)
    result = json.loads(json.dumps(personal_data.exported(TERMINAL, who.id)))
    assert (result["person"]["name"], result["person"]["consent"], result["person"]["role"]) == (
        NAME,
        "given",
        "annotator",
    )
    assert "token_hash" not in result["person"]
    assert [len(panel["answers"]) for panel in result["panels"]] == [7, 7]
    first = result["panels"][0]
    assert (first["appeal"], first["study"], first["valid"]) == (NOTE, "small", True)
    assert sorted(answer["ratings"]["overall"] for answer in first["answers"]) == [1, 1, 3, 3, 3, 3, 3]
    assert next(answer["deductions"] for answer in first["answers"])[0]["points"] == 2
    assert [answer["ratings"] for answer in result["panels"][1]["answers"]].count({}) == 6
    assert result["training"][0]["overall"] == 3
    kinds = [item["kind"] for item in result["events"]]
    assert {"invited", "consent answered", "answer saved", "panel submitted", "appeal", "verdict overridden"} <= set(
        kinds
    )
    assert "qualification set" not in kinds  # that was somebody else's
    # Where stories come from is not about the person.
    assert '"system"' not in json.dumps(result)
    assert '"negative"' not in json.dumps(result)


@pytest.mark.both_databases
@pytest.mark.parametrize("keep_ratings", [True, False])
def test_a_life_among_pairs(database: str, keep_ratings: bool) -> None:
    study = pairs.opened(wanted=1)
    who = pairs.hand_in(study, NAME)
    assert who.id is not None
    held = begin(who)
    pairs.answer(who, held)
    result = json.loads(json.dumps(personal_data.exported(TERMINAL, who.id)))
    assert [len(panel["answers"]) for panel in result["panels"]] == [7, 7]
    for panel in result["panels"]:
        assert all(set(answer["ratings"]) == {"preference"} for answer in panel["answers"])
        assert all(answer["compared_with"] != answer["text"] for answer in panel["answers"])
        assert "pair_panel_id" not in panel
    waiting_for = make_annotator(study, "next")
    waiting = begin(waiting_for)
    (unanswered,) = personal_data.exported(TERMINAL, waiting_for.id or 0)["panels"]
    assert [set(answer) >= {"text", "compared_with"} for answer in unanswered["answers"]] == [True] * 7
    personal_data.erase(TERMINAL, who.id, keep_ratings=keep_ratings)
    assert NAME not in everything_stored()
    assert personal_data.exported(TERMINAL, who.id)["panels"] == []
    progress = slots.progress(study.id)
    assert (progress.open, progress.valid) == (1, int(keep_ratings))
    # The places that are free again are offered, and the panel of somebody else stays.
    seen = {story.text for pair in begin(make_annotator(study, "later")).pairs for story in pair.stories}
    assert seen != {story.text for pair in waiting.pairs for story in pair.stories}
    assert len(preferences_of(study.id).choice) == (4 if keep_ratings else 0)


@pytest.mark.parametrize("keep_ratings", [True, False])
def test_nothing_of_a_person_is_left(study: Study, keep_ratings: bool) -> None:
    who = a_life(study)
    assert who.id is not None
    assert NAME in everything_stored()
    assert slots.progress(study.id).open == 1
    personal_data.erase(TERMINAL, who.id, keep_ratings=keep_ratings)
    stored = everything_stored()
    for word in (NAME, "Ximena", NOTE):
        assert word not in stored
    with pytest.raises(NotAllowed):
        assignments.turn(who)
    progress = slots.progress(study.id)
    assert (progress.open, progress.valid) == (0, 1 if keep_ratings else 0)
    judged = [rating for story in ratings.judged_stories(study.id) for rating in story.ratings]
    assert len(judged) == (7 if keep_ratings else 0)
    exported = personal_data.exported(TERMINAL, who.id)
    assert (exported["panels"], exported["training"]) == ([], [])
    assert exported["person"]["name"] == f"erased {who.id}"
    with pytest.raises(InputError, match="already"):
        personal_data.erase(TERMINAL, who.id, keep_ratings=keep_ratings)


@pytest.mark.both_databases
@pytest.mark.parametrize("keep_ratings", [True, False])
def test_every_study_that_they_rated_in_learns_of_it(database: str, keep_ratings: bool) -> None:
    item, two, other = (make_study(name) for name in ("one", "two", "other"))
    staff = people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    assert staff is not None
    for study in (item, two):
        at_work = replace(staff, study_id=study.id)
        panel = begin(at_work)
        rate(at_work, panel)
        panel_submission.submit(at_work, panel.token)
    annotator = make_annotator(item)
    for person_id, concerned in ((staff.id, {item.id, two.id}), (annotator.id, {item.id})):
        before = {study.id: (monitor.version(study.id), ratings.version(study.id)) for study in (item, two, other)}
        personal_data.erase(TERMINAL, person_id or 0, keep_ratings=keep_ratings)
        for study_id, (people_then, ratings_then) in before.items():
            assert (monitor.version(study_id) != people_then) is (study_id in concerned)
            assert (ratings.version(study_id) != ratings_then) is (study_id in concerned)
    idle = people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    assert idle is not None
    personal_data.erase(TERMINAL, idle.id or 0, keep_ratings=keep_ratings)
    with reading() as connection:
        log = connection.execute(select(event.c.study_id).where(event.c.kind == "erased").order_by(event.c.id)).all()
    assert [row.study_id for row in log] == [item.id, two.id, item.id, None]


def test_the_rules_own_reason_stays_with_the_ratings(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel, human=1)
    panel_submission.submit(annotator, panel.token)
    personal_data.erase(TERMINAL, annotator.id or 0, keep_ratings=True)
    assert whole_panels(study.id)[0].reason == "the human story was rated 1, below 4"


@pytest.mark.both_databases
@pytest.mark.parametrize("word", ["note", "consent"])
def test_who_waits_while_they_are_erased_leaves_no_word(
    database: str, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    study = make_study()
    who = make_annotator(study)
    panel = begin(who)
    rate(who, panel, human=1)
    panel_submission.submit(who, panel.token)
    say = {
        "note": partial(panel_submission.appeal, who, NOTE),
        "consent": partial(people.answer_consent, who, given=True),
    }[word]
    inside, go_on = Event(), Event()

    def held() -> datetime:
        inside.set()
        assert go_on.wait(PATIENCE)
        return now()

    monkeypatch.setattr(personal_data, "now", held)  # asked after the panels have gone, before anything is committed
    with ThreadPoolExecutor(2) as pool:
        erasing = pool.submit(personal_data.erase, TERMINAL, who.id or 0, keep_ratings=True)
        assert inside.wait(PATIENCE)
        saying = pool.submit(say)
        wait_for_one_who_waits(database)
        go_on.set()
        erasing.result(PATIENCE)
        with pytest.raises(NotAllowed, match="withdrawn"):
            saying.result(PATIENCE)
    assert NOTE not in everything_stored()
    with reading() as connection:
        assert connection.scalar(select(person.c.consent).where(person.c.id == who.id)) == ""


def wait_for_one_who_waits(database: str) -> None:
    """Until a transaction waits for another; on SQLite, where nothing tells, for long enough to get there."""
    if database != "postgresql":
        time.sleep(0.2)
        return
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with reading() as connection:
            if connection.scalar(waiting):
                return
        time.sleep(0.005)
    raise AssertionError("nobody waits")


def test_kept_ratings_of_two_people_stay_those_of_two(database: str) -> None:
    study = make_study(prompts=1, wanted=2)
    for name in ("one", "two"):
        who = make_annotator(study, name)
        panel = begin(who)
        rate(who, panel)
        panel_submission.submit(who, panel.token)
        assert who.id is not None
        personal_data.erase(TERMINAL, who.id, keep_ratings=True)
    raters = {row.annotator for row in exports.ratings_of(TERMINAL, study.id)}
    assert len(raters) == 2
    assert all(rater.startswith("erased ") for rater in raters)
    assert {panel.annotator for panel in whole_panels(study.id)} == raters
    assert {panel.annotator for panel in monitor.read(study.id).panels} == raters


def test_deleted_work_makes_room_for_work_in_surplus(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    first, second = make_annotator(study, "first"), make_annotator(study, "second")
    panel = begin(first)
    rate(first, panel)
    panel_submission.submit(first, panel.token)
    panels.override(TERMINAL, whole_panels(study.id)[0].id, valid=False, reason="to make room")
    late = begin(second)
    rate(second, late)
    panel_submission.submit(second, late.token)
    panels.override(TERMINAL, whole_panels(study.id)[0].id, valid=True, reason="and back, as surplus")
    assert sorted(panel.state for panel in whole_panels(study.id)) == ["submitted", "surplus"]
    assert second.id is not None
    personal_data.erase(TERMINAL, second.id, keep_ratings=False)
    assert [panel.state for panel in whole_panels(study.id)] == ["submitted"]
    assert slots.progress(study.id).valid == 1


def test_whoever_is_erased_in_the_middle_of_their_work_leaves_nothing(database: str) -> None:
    study = make_study(prompts=4, wanted=3)
    for number in range(6):
        who = make_annotator(study, str(number))
        assert who.id is not None
        panel = begin(who)
        rate(who, panel)
        results = at_once(
            partial(personal_data.erase, TERMINAL, who.id, keep_ratings=False),
            partial(assignments.turn, who, claim=True),
            partial(panel_submission.submit, who, panel.token),
            partial(ratings.save_value, who, panel.stories[0].token, 2),
        )
        assert results[0] is None
        assert all(isinstance(error, NotAllowed) for error in failures(results))
        with reading() as connection:
            assert connection.execute(select(assignment)).all() == []
    assert slots.progress(study.id).valid == 0


def test_what_was_paid_to_others_is_not_told(study: Study) -> None:
    first, second = make_annotator(study, "first"), make_annotator(study, "second")
    for who in (first, second):
        panel = begin(who)
        rate(who, panel)
        panel_submission.submit(who, panel.token)
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    payments.set_bonus(TERMINAL, second.id or 0, "2", "for speed")
    payments.pay_all(TERMINAL, study.id, 500)
    result = [personal_data.exported(TERMINAL, who.id or 0) for who in (first, second)]
    paid = [[item["detail"] for item in data["events"] if item["kind"] == "payments made"] for data in result]
    assert paid == [
        [{"paid": True, "assignments": [1], "bonus": 0, "currency": "EUR"}],
        [{"paid": True, "assignments": [2], "bonus": 200, "currency": "EUR"}],
    ]
    assert result[1]["person"]["bonus"] == 200


@pytest.mark.both_databases
def test_whoever_was_erased_cannot_come_in_again(study: Study) -> None:
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    who = recruitment.admit(study.id, "prolific", PID, SUBMISSION)
    assert who is not None
    assert who.id is not None
    personal_data.erase(TERMINAL, who.id, keep_ratings=True)
    with reading() as connection:
        row = connection.execute(select(person)).one()
    assert (row.crowd_hash, row.submission) == (None, "")
    assert SUBMISSION not in everything_stored()
    with pytest.raises(NotAllowed, match="no longer take part"):
        recruitment.admit(study.id, "prolific", PID, SUBMISSION)


def test_only_an_owner_may(study: Study, annotator: Person) -> None:
    researcher = people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    owner = people.by_token(people.invite(TERMINAL, Role.OWNER))
    assert researcher is not None
    assert owner is not None
    for nobody in (researcher, annotator):
        with pytest.raises(NotAllowed):
            personal_data.exported(nobody, annotator.id or 0)
        with pytest.raises(NotAllowed):
            personal_data.erase(nobody, annotator.id or 0, keep_ratings=True)
    with pytest.raises(InputError, match="yourself"):
        personal_data.erase(owner, owner.id or 0, keep_ratings=True)
    for what in (
        lambda: personal_data.exported(owner, 999),
        lambda: personal_data.erase(owner, 999, keep_ratings=True),
    ):
        with pytest.raises(NotFound, match="no person 999"):
            what()


@pytest.mark.both_databases
def test_the_log_never_holds_names_or_notes(study: Study) -> None:
    a_life(study)
    people.invite(TERMINAL, Role.OWNER, name="Somebody Real", email="somebody@example.org")
    studies.close_study(TERMINAL, study.id)
    with reading() as connection:
        log = json.dumps(list(connection.scalars(select(event.c.detail))))
    for word in (NAME, "Ximena", "Somebody", "example.org"):
        assert word not in log


def test_what_somebody_imported_is_among_their_data(database: str) -> None:
    owner = people.by_token(people.invite(TERMINAL, Role.OWNER, name=NAME))
    assert owner is not None
    imports.import_corpora(owner, "mine", [small_corpus(1)], origin=Origin("MANS", ("mine.json",)))
    (brought,) = json.loads(json.dumps(personal_data.exported(TERMINAL, owner.id or 0)))["imports"]
    assert (brought["kind"], brought["files"], brought["brought"]["ratings"]) == ("MANS", ["mine.json"], 0)
