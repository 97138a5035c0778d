"""What other annotation tools suffered from, each by the number of its report; none of it may happen here."""

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select, update

from core.annotation.panel import End
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.formats.exports.encoding import encoded
from core.formats.exports.rows import TABLES
from core.languages.words import languages
from core.people import TERMINAL, Person, Role
from db.annotation import assignments, panel_submission, settings, slots
from db.audit import now
from db.engine import engine, reading, writing
from db.people import people
from db.ratings import ratings
from db.schema import assignment, deduction, event, rating
from db.studies import studies
from db.transfer import exports
from tests.db.annotation.assignments import begin, overtaken, rate, sources
from tests.db.conftest import Clock, make_annotator, make_study
from tests.db.crowd import (
    OVERALL,
    SPOILT,
    Ledger,
    Worker,
    annotate,
    at_once,
    barrier,
    everything,
    failures,
    wait_for_the_dead,
)
from tests.db.faults import check_whole, hear_until
from tests.db.slow import whole_panels

pytestmark = pytest.mark.both_databases

TICKS = ("unrelated events", "conflicting logic", "repetitive plots")


def crowd_of(study: Study, number: int, name: str = "person") -> list[Person]:
    return [make_annotator(study, f"{name} {i}") for i in range(number)]


def leave(person: Person) -> None:
    """Time goes by until the person's lease has run out."""
    with writing() as connection:
        mine = (assignment.c.person_id == person.id) & (assignment.c.state == "open")
        connection.execute(update(assignment).where(mine).values(lease_until=now() - timedelta(seconds=1)))


def count(table: Any) -> int:
    with reading() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


def held_at_most(study: Study) -> int:
    """The most slots of one prompt that were ever filled or held at a time, by the order of the log."""
    with reading() as connection:
        log = connection.execute(select(event).where(event.c.study_id == study.id).order_by(event.c.id)).all()
        prompts = {row.id: row.prompt_id for row in connection.execute(select(assignment))}
    taken: Counter[int] = Counter()
    most = 0
    for entry in log:
        if entry.kind == "panel claimed":
            taken[prompts[entry.detail["assignment"]]] += 1
        elif entry.kind == "panel submitted" and not (entry.detail["valid"] and entry.detail["state"] == "submitted"):
            taken[prompts[entry.detail["assignment"]]] -= 1
        most = max([most, *taken.values()])
    return most


@pytest.mark.slow
def test_label_studio_795_and_turkle_79_slots_claimed_twice_or_over_collected(database: str) -> None:
    study = make_study(prompts=3, wanted=2)
    honest, careless = crowd_of(study, 6), crowd_of(study, 3, "careless")
    gate = barrier(9)
    everything(
        [Worker(annotate, [person], OVERALL, gate) for person in honest]
        + [Worker(annotate, [person], SPOILT, gate) for person in careless]
    )
    # Whoever came while careless hands held the last slots was sent away; these take what those have freed.
    everything([Worker(annotate, [person], OVERALL) for person in crowd_of(study, 2, "later")])
    progress = slots.progress(study.id)
    assert (progress.valid, progress.wanted, progress.surplus, progress.open) == (6, 6, 0, 0)
    assert held_at_most(study) == 2
    assert all(len(judged.ratings) == 2 for judged in ratings.judged_stories(study.id))
    assert {assignments.turn(person, claim=True).end for person in crowd_of(study, 2, "too late")} == {End.FULL}


def test_potato_100_abandoned_work_counted_as_done(study: Study) -> None:
    person, other = crowd_of(study, 2)
    settings.set_rules(TERMINAL, study.id, replace(study.rules, assignments_a_person=1))
    abandoned = begin(person)
    rate(person, abandoned)  # every answer given, but never handed in
    progress = slots.progress(study.id)
    assert (progress.valid, progress.open) == (0, 1)
    assert ratings.judged_stories(study.id) == []
    leave(person)
    progress = slots.progress(study.id)
    assert (progress.valid, progress.open, progress.left) == (0, 0, 2)
    assert begin(other).prompt == abandoned.prompt
    assert assignments.turn(person).finished == 0


def test_label_studio_4781_locks_that_never_expire(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    gone, *crowd = crowd_of(study, 9)
    worker = Worker(annotate, [gone], OVERALL)
    assert hear_until(worker, Ledger(), "save", times=3)
    worker.kill()
    worker.end()
    wait_for_the_dead(database)
    assert {assignments.turn(person, claim=True).end for person in crowd} == {End.FULL}
    leave(gone)
    turns = at_once(*(partial(assignments.turn, person, claim=True) for person in crowd))
    assert failures(turns) == []
    assert sorted(turn.panel is None for turn in turns) == [False] + [True] * 7
    assert assignments.turn(gone).end is End.EXPIRED


def test_inception_3229_finished_work_refused_because_a_timer_ran_from_the_start(database: str, clock: Clock) -> None:
    study = make_study(prompts=1, wanted=1)
    settings.set_rules(TERMINAL, study.id, QualityRules(ratings_wanted=1, lease_minutes=60))
    slow, other = crowd_of(study, 2)
    panel = begin(slow)
    where = sources(panel)
    for shown in panel.stories:  # seven stories, fifty minutes each: long past the lease they began with
        clock.move(50)
        ratings.save_value(slow, shown.token, OVERALL[where[shown.token]])
        assert assignments.turn(other, claim=True).end is End.FULL
    clock.move(3 * 24 * 60)  # and then a long weekend, on which nobody came
    panel_submission.submit(slow, panel.token)
    assert slots.progress(study.id).valid == 1
    assert [panel.state for panel in whole_panels(study.id)] == ["submitted"]


def test_inception_3229_finished_work_is_kept_even_where_somebody_took_the_slot(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    slow, quick = crowd_of(study, 2)
    panel, taken = overtaken(slow, quick)
    rate(quick, taken)
    hand_in = [
        partial(panel_submission.submit, slow, panel.token),
        partial(panel_submission.submit, quick, taken.token),
    ]
    assert failures(at_once(*hand_in)) == []
    assert sorted(panel.state for panel in whole_panels(study.id)) == ["submitted", "surplus"]
    assert all(len(panel.ratings) == 5 for panel in whole_panels(study.id))


def test_potato_167_changed_answers_that_accumulate(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel)
    story = panel.stories[0].token
    ticks = [partial(ratings.save_deduction, annotator, story, "unrelated events", points) for points in (1, 2) * 4]
    changes = [*ticks, *(partial(ratings.save_value, annotator, story, value) for value in (1, 2, 3, 4))]
    assert failures(at_once(*changes)) == []
    assert (count(rating), count(deduction)) == (7, 1)
    ratings.save_deduction(annotator, story, "unrelated events", None)
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)
    assert (count(rating), count(deduction)) == (7, 0)
    assert [len(judged.ratings) for judged in ratings.judged_stories(study.id)] == [1] * 7
    assert len(list(exports.ratings_of(TERMINAL, study.id))) == 7


@pytest.mark.slow
def test_label_studio_1101_and_factgenie_226_lost_answers(database: str) -> None:
    study = make_study(prompts=30, wanted=6)
    crowd = crowd_of(study, 6)
    gate = barrier(6)
    workers = [Worker(annotate, [person], OVERALL, gate) for person in crowd]
    ledger = Ledger()
    for worker, moment in zip(workers, (2, 5, 9, 12, 20, 33), strict=True):  # 14 a panel
        assert hear_until(worker, ledger, "save", times=moment)
        worker.kill()
    for worker in workers:
        hear_until(worker, ledger, "")
        worker.end()
    wait_for_the_dead(database)
    engine().dispose()
    assert len(ledger.done) > 40
    check_whole(study, ledger)
    for person in crowd:  # on another device, the form shows what was given
        panel = assignments.turn(person, claim=True).panel
        for shown in panel.stories if panel is not None else ():  # one who was quick may have rated all there is
            if ("save", shown.token) in ledger.done and ("save", shown.token) not in ledger.tried:
                assert shown.answer.overall == ledger.done["save", shown.token]


@pytest.mark.slow
def test_doccano_1236_database_is_locked(database: str) -> None:
    study = make_study(prompts=2, wanted=8)
    gate = barrier(9)
    workers = [Worker(annotate, [person], OVERALL, gate) for person in crowd_of(study, 8)]
    reader = exports.ratings_of(TERMINAL, study.id)
    next(reader, None)  # a read that lasts as long as all the writing
    gate.wait()
    while slots.progress(study.id).left and any(worker.process.is_alive() for worker in workers):
        studies.summaries(TERMINAL)
        whole_panels(study.id)
    reader.close()
    everything(workers)  # each has ended well: nobody was told to try again
    assert slots.progress(study.id).valid == 16
    assert count(rating) == 16 * 7


def test_inception_2038_two_tabs_overwriting_each_other(annotator: Person) -> None:
    panel = begin(annotator)

    def rates() -> None:
        for shown in panel.stories:
            ratings.save_value(annotator, shown.token, 4)

    def ticks(error_type: str) -> None:
        for shown in panel.stories:
            ratings.save_deduction(annotator, shown.token, error_type, 1)

    assert failures(at_once(rates, *(partial(ticks, error_type) for error_type in TICKS))) == []
    after = assignments.turn(annotator).panel
    assert after is not None
    for shown in after.stories:
        assert shown.answer.overall == 4
        assert shown.answer.deductions == dict.fromkeys(TICKS, 1)


def test_label_studio_8353_exports_without_the_annotator(study: Study) -> None:
    namesakes = [make_annotator(study, "Kim"), make_annotator(study, "Kim"), make_annotator(study, "Kim")]
    for number, person in enumerate(namesakes):
        panel = begin(person)
        rate(person, panel, human=1 if number == 0 else 5)  # one is rejected, one counts, one is not finished
        if number < 2:
            panel_submission.submit(person, panel.token)
    for export in ("csv", "jsonl"):
        whole = b"".join(encoded(exports.ratings_of(TERMINAL, study.id), TABLES["ratings"], export))
        out = io.StringIO(whole.decode(), newline="")
        rows = list(csv.DictReader(out)) if export == "csv" else [json.loads(line) for line in out]
        assert len(rows) == 21
        assert sorted(Counter(row["annotator"] for row in rows).values()) == [7, 7, 7]
        assert all(row["annotator"] for row in rows)
        assert {row["state"] for row in rows} == {"submitted", "open"}


def test_potato_152_one_confusing_last_screen_for_all(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    slow, unfit, unwilling, late = crowd_of(study, 4)
    quick_link = people.invite(TERMINAL, Role.ANNOTATOR, name="quick", study_id=study.id)
    quick = people.arrive(quick_link)
    assert quick is not None
    settings.set_ends(TERMINAL, study.id, "Do you agree?", study.codes)
    for person in (slow, quick):
        people.answer_consent(person, given=True)
    people.answer_consent(unwilling, given=False)
    people.qualify(TERMINAL, unfit.id or 0, False)
    _, taken = overtaken(slow, quick, finished=False)
    rate(quick, taken)
    panel_submission.submit(quick, taken.token)
    reached = [assignments.turn(person, claim=True) for person in (slow, quick, unfit, unwilling, late)]
    assert people.arrive(quick_link) == quick
    reached.append(assignments.turn(quick, claim=True))
    studies.close_study(TERMINAL, study.id)
    reached.append(assignments.turn(late, claim=True))
    ends = [turn.end for turn in reached]
    assert ends == [
        End.EXPIRED, End.COMPLETE, End.NOT_QUALIFIED, End.NO_CONSENT, End.FULL, End.ALREADY_DONE, End.CLOSED,
    ]  # fmt: skip
    assert set(ends) == set(End)
    *codes, not_open = [turn.code for turn in reached]
    assert all(codes)
    assert len(set(codes)) == len(codes)
    assert not_open == ""  # nothing was done that a code could stand for
    for words in languages().values():
        said = [words.text(f"end.{end.name.lower()}.{part}") for part in ("title", "text") for end in End]
        assert len(set(said)) == 2 * len(End)
