"""Panels of pairs through all that happens to panels: two tabs, lost leases, decisions by hand, other rules."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from core.annotation.builtin import PREFERENCES
from core.annotation.monitor.overview import overview
from core.annotation.pair_design import PairRules
from core.annotation.panel import End
from core.annotation.quality import what_if
from core.annotation.studies import Study
from core.errors import InputError
from core.people import TERMINAL
from db.annotation import assignments, panel_submission, settings, slots
from db.audit import now
from db.engine import reading, writing
from db.monitor import monitor, panels
from db.ratings import ratings
from db.schema import assignment, pair, pair_panel, rating, rating_value
from db.studies import studies
from tests.db.annotation.assignments import begin
from tests.db.conftest import make_annotator
from tests.db.crowd import at_once, failures
from tests.db.pairs import answer, hand_in, opened
from tests.db.slow import whole_panels

pytestmark = pytest.mark.both_databases
ONE_PANEL = PairRules(a_panel=50, a_prompt=1)
"""All that the study asks about in a single panel."""


def states(study: Study) -> list[tuple[str, bool | None]]:
    with reading() as connection:
        rows = connection.execute(
            select(assignment.c.state, assignment.c.valid)
            .where(assignment.c.study_id == study.id)
            .order_by(assignment.c.id)
        )
        return [(row.state, row.valid) for row in rows]


def lapse() -> None:
    with writing() as connection:
        connection.execute(update(assignment).values(lease_until=now() - timedelta(seconds=1)))


def test_two_tabs_that_answer_the_same_pair_leave_one_answer(database: str) -> None:
    study = opened()
    person = make_annotator(study)
    shown = begin(person).pairs[0]
    one, other = (story.token for story in shown.stories)
    calls = [
        lambda token=token, side=side: ratings.save_value(person, token, side, "preference")
        for token, side in ((one, -1), (other, 1), (one, 0), (other, -1))
    ]
    assert failures(at_once(*calls)) == []
    with reading() as connection:
        assert len(connection.execute(select(rating)).all()) == 1
        (stored,) = connection.execute(select(rating_value)).all()
    again = assignments.turn(person).panel
    assert again is not None
    assert again.pairs[0].answer.values == {"preference": -int(stored.value)}


def test_work_whose_place_was_taken_is_surplus_until_the_place_is_free(database: str) -> None:
    study = opened(ONE_PANEL, wanted=1)
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    late = begin(slow)
    answer(slow, late)
    lapse()
    soon = begin(quick)
    assert [pair.stories[0].text for pair in soon.pairs] == [pair.stories[0].text for pair in late.pairs]
    panel_submission.submit(slow, late.token)
    assert states(study) == [("surplus", True), ("open", None)]
    answer(quick, soon, control=-1)
    panel_submission.submit(quick, soon.token)
    # The rejected panel's place goes to the work that waits, and to nobody new.
    assert states(study) == [("submitted", True), ("submitted", False)]
    assert assignments.turn(make_annotator(study, "new"), claim=True).end is End.FULL
    progress = slots.progress(study.id)
    assert (progress.wanted, progress.valid, progress.rejected, progress.surplus) == (1, 1, 1, 0)


def test_decided_by_hand(database: str) -> None:
    study = opened(ONE_PANEL, wanted=1)
    hand_in(study, "careless", control=0)
    hand_in(study, "careful")
    rejected, counted = (panel.id for panel in whole_panels(study.id))
    panels.override(TERMINAL, rejected, valid=True, reason="the control was fair enough")
    assert states(study) == [("surplus", True), ("submitted", True)]
    panels.override(TERMINAL, counted, valid=False, reason="a robot")
    assert states(study) == [("submitted", True), ("submitted", False)]
    panels.override(TERMINAL, counted, valid=True, reason="no robot")
    assert states(study) == [("submitted", True), ("surplus", True)]


def test_other_rules_and_what_they_would_have_done(database: str) -> None:
    study = opened(PairRules(a_panel=9), wanted=2)
    form = studies.get(study.id).scheme
    for number in range(9):
        hand_in(study, f"person {number}", control=(1, 0, -1)[number % 3], other=number % 3 - 1)
    kept = whole_panels(study.id)[1]
    panels.override(TERMINAL, kept.id, valid=False, reason="by hand")
    for least in (0, 1, 0):
        data = monitor.read(study.id)
        rules = replace(studies.get(study.id).rules, human_least=least)
        units = slots.progress(study.id).wanted // rules.ratings_wanted
        told = what_if(data.panels, monitor.ratings_of(study.id), rules, form, units)
        changed = panels.rejudge(TERMINAL, study.id, rules)
        after = whole_panels(study.id)
        assert changed == sum(a.valid != b.valid for a, b in zip(data.panels, after, strict=True))
        assert told.rejected == sum(not panel.valid for panel in after)
        assert told.counted == sum(panel.valid and panel.state == "submitted" for panel in after)
        assert told.counted == slots.progress(study.id).valid
        assert told.ratings_a_story == told.counted / units
        fair = [all(pair.better_by >= least for pair in panel.controls) for panel in after if panel.id != kept.id]
        assert fair == [panel.valid for panel in after if panel.id != kept.id]
    assert not next(panel for panel in whole_panels(study.id) if panel.id == kept.id).valid


def test_more_ratings_are_wanted_and_fewer(database: str) -> None:
    study = opened(ONE_PANEL, wanted=1)
    hand_in(study, "first", control=0)
    hand_in(study, "second")
    panels.override(TERMINAL, whole_panels(study.id)[0].id, valid=True, reason="fair")
    assert states(study) == [("surplus", True), ("submitted", True)]
    settings.set_rules(TERMINAL, study.id, replace(studies.get(study.id).rules, ratings_wanted=3))
    assert states(study) == [("submitted", True), ("submitted", True)]
    assert slots.progress(study.id).left == 1
    settings.set_rules(TERMINAL, study.id, replace(studies.get(study.id).rules, ratings_wanted=1))
    progress = slots.progress(study.id)
    assert (progress.wanted, progress.valid, progress.left) == (1, 1, 0)
    assert assignments.turn(make_annotator(study, "third"), claim=True).end is End.FULL


def test_panels_in_hand_outlive_closing_and_opening(database: str) -> None:
    study = opened(wanted=1)
    person = make_annotator(study)
    held = begin(person)
    answer(person, held)
    before = slots.progress(study.id).wanted
    studies.close_study(TERMINAL, study.id)
    studies.open_study(TERMINAL, study.id)
    assert slots.progress(study.id).wanted == before
    panel_submission.submit(person, held.token)
    assert states(study) == [("submitted", True)]
    with reading() as connection:
        positions = connection.scalars(select(pair_panel.c.position)).all()
        asked = connection.execute(select(pair.c.first_id, pair.c.second_id, pair_panel.c.id).join(pair_panel)).all()
    assert len(set(positions)) == len(positions)
    assert len({frozenset(row[:2]) for row in asked}) == 54 + 9  # pairs of systems' stories, and controls


def test_the_design_of_an_open_study_stays(database: str) -> None:
    study = opened()
    for form in (
        replace(PREFERENCES, pairs=PairRules(a_panel=3)),
        replace(PREFERENCES, pairs=PairRules(a_panel=4), controls=False),
    ):
        with pytest.raises(InputError, match="Close it, change the form, and open it again"):
            settings.set_form(TERMINAL, study.id, form)
    asked = replace(PREFERENCES.main, question="Which one would you read on?")
    settings.set_form(TERMINAL, study.id, replace(PREFERENCES, criteria=(asked,), pairs=PairRules(a_panel=4)))
    studies.close_study(TERMINAL, study.id)
    settings.set_form(TERMINAL, study.id, replace(PREFERENCES, pairs=PairRules(a_panel=3)))
    studies.open_study(TERMINAL, study.id)
    assert len(begin(make_annotator(study)).pairs) == 3 + 2 + 1


def test_a_panel_is_read_pair_by_pair_and_a_control_that_most_fail_with_both_texts(database: str) -> None:
    study = opened(ONE_PANEL, wanted=9)
    for number in range(3):
        hand_in(study, f"person {number}", control=-1)
    found = overview(monitor.read(study.id), study.rules)
    assert found.controls == ()
    assert [(control.failed, control.judged) for control in found.control_pairs] == [(3, 3), (3, 3)]
    texts = panels.control_pair_stories(study.id, found.control_pairs)
    for control in found.control_pairs:
        undamaged, damaged = texts[control.undamaged], texts[control.damaged]
        assert (undamaged.origin, damaged.origin) == ("human", "negative")
        assert undamaged.text.startswith("human goes on")
        assert undamaged.opening == damaged.opening
    read = panels.stories_of(found.panels[0].id)
    assert [(story.pair, story.letter) for story in read[:4]] == [(1, "A"), (1, "B"), (2, "A"), (2, "B")]
    assert all((story.values == {}) == (story.letter == "B") for story in read)
    assert all(one.opening == other.opening for one, other in zip(read[::2], read[1::2], strict=True))
