"""Two hands on one thing: double clicks, two tabs, a lease that runs out at the moment of the last click."""

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from core.annotation.panel import Panel
from core.annotation.studies import Study
from core.errors import FabulaError, NotAllowed
from core.people import TERMINAL, Person
from db.annotation import assignments, panel_submission, settings, slots
from db.audit import now
from db.engine import reading, writing
from db.monitor import monitor
from db.people import people
from db.ratings import ratings
from db.schema import assignment, event, rating, rating_value
from db.studies import studies
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study
from tests.db.crowd import PATIENCE, at_once, failures
from tests.db.slow import whole_panels

pytestmark = pytest.mark.both_databases

ROUNDS = 25
CLICKS = 6


def leave_until(person: Person, seconds: float) -> None:
    """Let the person's lease run out so many seconds from now."""
    with writing() as connection:
        mine = (assignment.c.person_id == person.id) & (assignment.c.state == "open")
        connection.execute(update(assignment).where(mine).values(lease_until=now() + timedelta(seconds=seconds)))


def events(kind: str) -> int:
    with reading() as connection:
        return connection.scalar(select(func.count()).select_from(event).where(event.c.kind == kind)) or 0


def stored(person: Person) -> list[float]:
    """The overall ratings that a person has given, lowest first."""
    with reading() as connection:
        query = (
            select(rating_value.c.value)
            .join(rating, rating.c.id == rating_value.c.rating_id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
        )
        return sorted(connection.scalars(query.where(assignment.c.person_id == person.id)).all())


def test_a_double_click_on_begin_takes_one_slot(database: str) -> None:
    study = make_study(prompts=3, wanted=CLICKS)
    for number in range(5):
        person = make_annotator(study, f"person {number}")
        turns = at_once(*[partial(assignments.turn, person, claim=True)] * CLICKS)
        assert failures(turns) == []
        assert len({turn.panel.token for turn in turns}) == 1
        assert events("panel claimed") == number + 1


def test_a_double_click_on_hand_in_hands_in_once(database: str) -> None:
    study = make_study(prompts=5, wanted=1)
    person = make_annotator(study)
    for number in range(5):
        panel = begin(person)
        rate(person, panel)
        assert at_once(*[partial(panel_submission.submit, person, panel.token)] * CLICKS) == [None] * CLICKS
        assert events("panel submitted") == number + 1
        assert slots.progress(study.id).valid == number + 1


def test_a_double_click_on_hand_in_and_begin_goes_on_once(database: str) -> None:
    study = make_study(prompts=5, wanted=1)
    person = make_annotator(study)
    for number in range(4):
        panel = begin(person)
        rate(person, panel)
        clicks: list[Callable[[], Any]] = [
            partial(panel_submission.submit, person, panel.token),
            partial(assignments.turn, person, claim=True),
        ]
        assert failures(at_once(*clicks * 3)) == []
        assert (events("panel submitted"), slots.progress(study.id).valid) == (number + 1, number + 1)
        begin(person)
        assert events("panel claimed") == number + 2


@pytest.mark.slow
def test_a_lease_that_runs_out_at_the_moment_of_submission(database: str) -> None:
    draw = random.Random(3)
    seen = set()
    for number in range(ROUNDS):
        study = make_study(f"study {number}", prompts=1, wanted=1)
        late, quick = make_annotator(study, "late"), make_annotator(study, "quick")
        panel = begin(late)
        rate(late, panel)
        leave_until(late, draw.uniform(-0.001, 0.006))
        results = at_once(
            partial(panel_submission.submit, late, panel.token),
            partial(assignments.turn, quick, claim=True),
        )
        assert failures(results) == []
        _rate_next(quick)
        _check_one_counts(study, {late, quick})
        assert stored(late) == [1, 3, 3, 3, 3, 3, 5]
        seen.add(tuple(sorted((panel.annotator[:4], panel.state) for panel in whole_panels(study.id))))
    assert seen <= {(("late", "submitted"),), (("late", "surplus"), ("quic", "submitted"))}


@pytest.mark.slow
def test_a_lease_that_runs_out_at_the_moment_of_a_save_is_never_held_twice(database: str) -> None:
    draw = random.Random(5)
    for number in range(ROUNDS):
        study = make_study(f"study {number}", prompts=1, wanted=1)
        late, quick = make_annotator(study, "late"), make_annotator(study, "quick")
        panel = begin(late)
        rate(late, panel)
        leave_until(late, draw.uniform(-0.001, 0.006))
        results = at_once(
            partial(ratings.save_value, late, panel.stories[0].token, 4),
            partial(assignments.turn, quick, claim=True),
        )
        assert failures(results) == []
        assert 4 in stored(late)
        assert len([in_hand for in_hand in monitor.in_hand(study.id) if in_hand.live]) == 1
        rate(late, panel)
        panel_submission.submit(late, panel.token)
        _rate_next(quick)
        _check_one_counts(study, {late, quick})


@pytest.mark.slow
def test_a_claim_waits_for_a_save_that_renews_the_lease_in_its_last_moment(database: str) -> None:
    """Both are held up where each has done its part but for the log: whoever comes second must see the first."""
    study = make_study("one slot", prompts=1, wanted=1)
    late, quick = make_annotator(study, "late"), make_annotator(study, "quick")
    panel = begin(late)
    leave_until(late, 1.0)
    with ThreadPoolExecutor(2) as pool:
        with writing() as connection:
            if database == "postgresql":
                connection.execute(text("LOCK TABLE event IN SHARE MODE"))
            save = pool.submit(ratings.save_value, late, panel.stories[0].token, 4)
            _wait_until_held_up(database, 1)
            time.sleep(1.0)
            claim = pool.submit(assignments.turn, quick, claim=True)
            _wait_until_held_up(database, 2)
        assert save.result().overall == 4
        claim.result()
    assert len([in_hand for in_hand in monitor.in_hand(study.id) if in_hand.live]) == 1


def _wait_until_held_up(database: str, number: int) -> None:
    """Until so many transactions wait for a lock; SQLite cannot tell, and lets nobody begin anyway."""
    query = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    deadline = time.monotonic() + PATIENCE
    while database == "postgresql":
        with reading() as connection:
            if (connection.scalar(query) or 0) >= number:
                return
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _check_one_counts(study: Study, crowd: set[Person]) -> None:
    """A study that wants one panel has exactly one; whoever else handed in is kept as surplus."""
    handed_in = whole_panels(study.id)
    assert sorted(panel.state for panel in handed_in) == ["submitted"] + ["surplus"] * (len(handed_in) - 1)
    assert {panel.person_id for panel in handed_in} <= {person.id for person in crowd}
    assert slots.progress(study.id).valid == 1
    assert all(len(judged.ratings) == 1 for judged in ratings.judged_stories(study.id))


@pytest.mark.slow
@pytest.mark.parametrize("others", [False, True])
def test_two_tabs_save_and_hand_in_at_once_with_a_lapsed_lease(database: str, others: bool) -> None:
    """No deadlock, and of every answer that was taken the last one stands."""
    draw = random.Random(9)
    for number in range(ROUNDS // 2):
        study = make_study(f"study {number}", prompts=2, wanted=1)
        person, other = make_annotator(study, "person"), make_annotator(study, "other")
        panel = begin(person)
        rate(person, panel)
        leave_until(person, draw.choice([-1, -1, 0.004]))
        tabs: list[Callable[[], Any]] = [
            partial(_save_all, person, panel, 4),
            partial(_save_all, person, panel, 5),
            partial(panel_submission.submit, person, panel.token),
            partial(panel_submission.submit, person, panel.token),
            partial(assignments.turn, person),
            partial(people.listed, TERMINAL, study.id),
        ]
        if others:
            tabs += [
                partial(_rate_next, other),
                partial(settings.set_rules, TERMINAL, study.id, study.rules),
            ]
        results = at_once(*tabs)
        assert failures(results) == []
        _check_last_saves_stand(panel, results[0], results[1])
        while _rate_next(other):
            pass
        assert slots.progress(study.id).valid == 2
        assert all(len(judged.ratings) == 1 for judged in ratings.judged_stories(study.id))
        assert len(stored(person)) == 7


def _save_all(person: Person, panel: Panel, value: int) -> list[str]:
    """Rate every story, until the panel is handed in from another tab; the tokens whose answers were taken."""
    taken = []
    for shown in panel.stories:
        try:
            ratings.save_value(person, shown.token, value)
        except NotAllowed:
            break
        taken.append(shown.token)
    return taken


def _check_last_saves_stand(panel: Panel, fours: list[str], fives: list[str]) -> None:
    with reading() as connection:
        tokens = {
            row.id: dict(row.stories) for row in connection.execute(select(assignment.c.id, assignment.c.stories))
        }
        values = {
            tokens[row.assignment_id][row.story_id]: row.value
            for row in connection.execute(select(rating, rating_value.c.value).join(rating_value))
        }
    for shown in panel.stories:
        may_be = {4} if shown.token in fours else set()
        may_be |= {5} if shown.token in fives else set()
        assert not may_be or values[shown.token] in may_be


def _rate_next(person: Person) -> bool:
    """Rate and hand in one more panel; False if there is none."""
    panel = assignments.turn(person, claim=True).panel
    if panel is not None:
        rate(person, panel)
        panel_submission.submit(person, panel.token)
    return panel is not None


def test_a_study_deleted_under_somebodys_hands_is_said(database: str) -> None:
    for number in range(ROUNDS // 2):
        study = make_study(f"study {number}", prompts=2, wanted=2)
        saving, late = make_annotator(study, "saving"), make_annotator(study, "late")
        panel = begin(saving)
        results = at_once(
            partial(studies.remove, TERMINAL, study.id, study.name),
            *(partial(ratings.save_value, saving, shown.token, 3) for shown in panel.stories[:3]),
            partial(assignments.turn, late, claim=True),
        )
        assert [error for error in failures(results) if not isinstance(error, FabulaError)] == []
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(rating)) == 0
