"""Panels: claimed once, judged whole, reopened exactly once."""

import contextlib
import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from core.annotation.panel import End, Panel
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Person
from db.annotation import assignments, panel_submission, settings, slots
from db.audit import now
from db.engine import reading, writing
from db.people import people
from db.ratings import ratings
from db.schema import assignment, event
from db.schema import person as person_table
from db.studies import studies
from tests.db.annotation.assignments import begin, overtaken, rate, save, sources
from tests.db.conftest import make_annotator, make_study
from tests.db.slow import whole_panels


def states_of(study: Study) -> dict[str, str]:
    """State of each annotator's panel, by name."""
    return {panel.annotator.split(" (")[0]: panel.state for panel in whole_panels(study.id)}


def test_a_panel_is_seven_stories_in_blind_order(annotator: Person) -> None:
    panel = begin(annotator)
    assert [s.letter for s in panel.stories] == list("ABCDEFG")
    assert sorted(sources(panel)[s.token] for s in panel.stories) == ["human", "negative"] + ["system"] * 5
    assert all(s.answer.overall is None for s in panel.stories)


def test_opening_the_page_claims_nothing(study: Study, annotator: Person) -> None:
    turn = assignments.turn(annotator)
    assert turn.panel is None
    assert turn.end is None
    with reading() as connection:
        assert connection.execute(select(assignment)).all() == []


def test_a_reload_resumes_the_same_panel_with_its_answers(annotator: Person) -> None:
    panel = begin(annotator)
    save(annotator, panel.stories[2].token, 4, {"unrelated events": 2})
    again = assignments.turn(annotator).panel
    assert again is not None
    assert [s.token for s in again.stories] == [s.token for s in panel.stories]
    assert again.stories[2].answer.overall == 4
    assert again.stories[2].answer.deductions == {"unrelated events": 2}
    assert [s.letter for s in again.stories if s.answer.overall is None] == list("ABDEFG")


def test_changed_answers_replace_and_never_accumulate(annotator: Person) -> None:
    token = begin(annotator).stories[0].token
    save(annotator, token, 2, {"unrelated events": 2, "conflicting logic": 1})
    save(annotator, token, 5, {"conflicting logic": 2})
    ratings.save_deduction(annotator, token, "unrelated events", None)
    panel = assignments.turn(annotator).panel
    assert panel is not None
    assert panel.stories[0].answer.overall == 5
    assert panel.stories[0].answer.deductions == {"conflicting logic": 2}


@pytest.mark.both_databases
def test_every_change_is_in_the_log(study: Study, annotator: Person) -> None:
    token = begin(annotator).stories[0].token
    save(annotator, token, 2, {})
    save(annotator, token, 5, {})
    with reading() as connection:
        rows = connection.execute(select(event).where(event.c.kind == "answer saved").order_by(event.c.id)).all()
    assert [row.detail["overall"] for row in rows] == [2, 5]
    assert {row.person_id for row in rows} == {annotator.id}


def test_an_incomplete_panel_is_not_taken(annotator: Person) -> None:
    panel = begin(annotator)
    for shown in panel.stories[:5]:
        save(annotator, shown.token, 3, {})
    with pytest.raises(InputError, match="stories F and G"):
        panel_submission.submit(annotator, panel.token)


def test_a_good_panel_counts_and_the_study_moves_on(study: Study, annotator: Person) -> None:
    first = begin(annotator)
    rate(annotator, first)
    panel_submission.submit(annotator, first.token)
    assert not assignments.turn(annotator).last_rejected
    second = begin(annotator)
    assert second.prompt != first.prompt
    rate(annotator, second)
    panel_submission.submit(annotator, second.token)
    turn = assignments.turn(annotator, claim=True)
    assert turn.panel is None
    assert turn.end is End.COMPLETE
    assert turn.finished == 2
    judged = ratings.judged_stories(study.id)
    assert len(judged) == 14
    assert {s.group for s in judged} == {"one", "two", "three", "four", "five", "human", "negative"}


@pytest.mark.parametrize(
    ("human", "negative", "words"), [(3, 1, "human story was rated 3"), (5, 3, "negative story was rated 3")]
)
def test_a_rejected_panel_voids_its_ratings_and_reopens_one_slot(
    study: Study, annotator: Person, human: int, negative: int, words: str
) -> None:
    panel = begin(annotator)
    rate(annotator, panel, human=human, negative=negative)
    panel_submission.submit(annotator, panel.token)
    assert all(story.ratings == () for story in ratings.judged_stories(study.id))
    assert words in whole_panels(study.id)[0].reason
    assert assignments.turn(annotator).last_rejected
    other = make_annotator(study, "other")
    prompts = set()
    for _ in range(2):
        given = begin(other)
        prompts.add(given.prompt)
        rate(other, given)
        panel_submission.submit(other, given.token)
    assert panel.prompt in prompts  # the slot was offered again, to somebody else
    assert assignments.turn(make_annotator(study, "third"), claim=True).end is End.FULL


def test_a_double_click_on_submit_changes_nothing(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)
    before = ratings.version(study.id)
    panel_submission.submit(annotator, panel.token)
    assert ratings.version(study.id) == before


def test_after_submission_answers_stand(annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)
    with pytest.raises(NotAllowed, match="handed in"):
        save(annotator, panel.stories[0].token, 1, {})


def test_nobody_writes_into_anothers_panel(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    other = make_annotator(study, "other")
    begin(other)
    for token in (panel.stories[0].token, "made up", ""):
        with pytest.raises(NotAllowed):
            save(other, token, 3, {})


def test_nobody_hands_in_anothers_panel(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel)
    other = make_annotator(study, "other")
    begin(other)
    with pytest.raises(NotAllowed, match="not in a panel of yours"):
        panel_submission.submit(other, panel.token)
    assert whole_panels(study.id) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("overall", "deductions"),
    [(7, {}), (0, {}), (3, {"chaotic scenes": 1}), (3, {"no such type": 1}), (3, {"conflicting logic": 3})],
)
def test_what_the_form_does_not_offer_is_refused(annotator: Person, overall: int, deductions: dict[str, int]) -> None:
    token = begin(annotator).stories[0].token
    with pytest.raises(InputError):
        save(annotator, token, overall, deductions)
    panel = assignments.turn(annotator).panel
    assert panel is not None
    assert panel.stories[0].answer.overall in (None, 3)
    assert panel.stories[0].answer.deductions == {}


def test_a_revoked_link_saves_nothing(annotator: Person) -> None:
    token = begin(annotator).stories[0].token
    assert annotator.id is not None
    people.revoke(TERMINAL, annotator.id)
    with pytest.raises(NotAllowed, match="withdrawn"):
        save(annotator, token, 3, {})


def test_a_revoked_link_gives_its_place_back_at_once(study: Study, annotator: Person) -> None:
    held = begin(annotator)
    people.revoke(TERMINAL, annotator.id or 0)
    assert slots.progress(study.id).open == 0
    assert begin(make_annotator(study, "next")).prompt == held.prompt


def test_a_lease_that_ran_out_reopens_the_slot_and_late_work_is_kept_as_surplus(study: Study) -> None:
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    panel, taken = overtaken(slow, quick)
    rate(quick, taken)
    panel_submission.submit(quick, taken.token)
    panel_submission.submit(slow, panel.token)
    states = states_of(study)
    assert states == {"slow": "surplus", "quick": "submitted"}
    assert all(len(s.ratings) == 1 for s in ratings.judged_stories(study.id))


def test_finished_work_is_taken_late_if_the_slot_is_still_free(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel)
    with writing() as connection:
        connection.execute(update(assignment).values(lease_until=now() - timedelta(days=1)))
    panel_submission.submit(annotator, panel.token)
    assert len(ratings.judged_stories(study.id)) == 7


def test_a_closed_study_gives_no_panel_but_lets_one_finish(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    studies.close_study(TERMINAL, study.id)
    assert assignments.turn(make_annotator(study, "late"), claim=True).end is End.CLOSED
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)
    assert len(ratings.judged_stories(study.id)) == 7


def test_slots_are_never_claimed_twice(database: str) -> None:
    study = make_study(prompts=3, wanted=2)
    crowd = [make_annotator(study, f"person {i}") for i in range(16)]
    panels: list[Panel] = []
    failures: list[Exception] = []
    gate = threading.Barrier(len(crowd))

    def claim(person: Person) -> None:
        try:
            gate.wait()
            panel = assignments.turn(person, claim=True).panel
            if panel is not None:
                panels.append(panel)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=claim, args=(person,)) for person in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(panels) == 6
    assert sorted(p.prompt for p in panels) == ["Opening 0."] * 2 + ["Opening 1."] * 2 + ["Opening 2."] * 2


def test_two_tabs_do_not_erase_each_others_answers(annotator: Person) -> None:
    token = begin(annotator).stories[0].token
    ratings.save_value(annotator, token, 4)  # one tab
    answer = ratings.save_deduction(annotator, token, "unrelated events", 2)  # another, opened before
    assert answer.overall == 4
    assert answer.deductions == {"unrelated events": 2}
    answer = ratings.save_value(annotator, token, None)
    assert answer.overall is None
    assert answer.deductions == {"unrelated events": 2}


def test_a_lapsed_lease_comes_back_only_while_its_slot_is_free(study: Study) -> None:
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    panel, taken = overtaken(slow, quick)
    assignments.turn(slow)  # a mere reload
    ratings.save_value(slow, panel.stories[0].token, 3)
    rate(quick, taken)
    panel_submission.submit(quick, taken.token)
    states = states_of(study)
    assert states["quick"] == "submitted"


@pytest.mark.slow
def test_a_save_never_slips_in_behind_a_submission(database: str) -> None:
    """Save and submit at once, many times: what was judged is what is stored."""
    study = make_study(prompts=12, wanted=1)
    settings.set_rules(TERMINAL, study.id, replace(study.rules, pause_after=0))
    person = make_annotator(study)
    for _ in range(12):
        panel = begin(person)
        rate(person, panel)
        where = sources(panel)
        human = next(s.token for s in panel.stories if where[s.token] == "human")
        gate = threading.Barrier(2)

        def spoil(token: str = human, gate: threading.Barrier = gate) -> None:
            gate.wait()
            with contextlib.suppress(NotAllowed):
                ratings.save_value(person, token, 1)

        thread = threading.Thread(target=spoil)
        thread.start()
        gate.wait()
        panel_submission.submit(person, panel.token)
        thread.join()
    for story_ in ratings.judged_stories(study.id):
        if story_.group == "human":
            assert all(rating.overall >= 4 for rating in story_.ratings)


@pytest.mark.both_databases
def test_an_expired_link_saves_nothing(annotator: Person) -> None:
    token = begin(annotator).stories[0].token
    with writing() as connection:
        connection.execute(update(person_table).values(expires_at=now() - timedelta(seconds=1)))
    with pytest.raises(NotAllowed, match="expired"):
        ratings.save_value(annotator, token, 3)
