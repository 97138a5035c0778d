"""A panel counts or it does not."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.builtin import MANS, PREFERENCES, UNION
from core.annotation.builtin_criteria import HANNA
from core.annotation.monitor.flags import flags
from core.annotation.panel import Answer
from core.annotation.quality import (
    PanelVerdict,
    StudyProgress,
    WhatIf,
    contradiction_note,
    contradicts,
    is_paused,
    judge_panel,
    rules_in_words,
    what_if,
)
from core.annotation.scheme import CHECK, QualityRules, Scheme
from core.stories import Source
from tests.core.annotation.quality import panel
from tests.core.annotation.whole_panel import WholePanel

HUMAN_3 = "the human story was rated 3, below 4"
NEGATIVE_3 = "the negative story was rated 3, above 2"


@pytest.mark.parametrize(
    ("overall", "points", "expected"),
    [
        (1, 2, False), (1, 4, False), (1, 8, False), (2, 1, False), (2, 2, False), (3, 1, False), (3, 0, False),
        (1, 0, True), (2, 0, True), (5, 2, True), (4, 3, True), (3, 4, True), (5, 1, False), (4, 0, False),
        (5, 0, False),
    ],
)  # fmt: skip
def test_what_does_not_go_together(overall: int, points: int, expected: bool) -> None:
    """At the end of the scale nothing does; else a rating far above its points, or a very low one without any."""
    given = dict(zip([kind.name for kind in MANS.error_types], [2] * (points // 2) + [1] * (points % 2), strict=False))
    assert contradicts(MANS, overall, given) is expected


@given(st.integers(1, 5), st.integers(0, 2), st.integers(0, 2))
def test_points_taken_off_a_low_rating_explain_it(overall: int, first: int, second: int) -> None:
    points = {"repetitive plots": first, "unrelated events": second}
    lower = {kind: number for kind, number in points.items() if number}
    if overall <= 3 and lower and overall < MANS.implied_rating(lower) + 2:
        assert not contradicts(MANS, overall, lower)
    assert contradicts(MANS, overall, points) == contradicts(MANS, overall, lower)


UNASKED = "Nobody asked the annotator whether that is meant."
RIGHT = "A low rating is right for a negative story."


@pytest.mark.parametrize(
    ("source", "rated", "points", "note"),
    [
        (Source.SYSTEM, 2, {}, f"Flagged: rated 2 with nothing deducted. {UNASKED}"),
        (
            *(Source.NEGATIVE, 2, {}),
            f"Flagged: rated 2 with nothing deducted. {UNASKED} {RIGHT}",
        ),
        (
            *(Source.NEGATIVE, 5, {"conflicting logic": 2, "chaotic scenes": 2}),
            f"Flagged: rated 5, while the deductions leave 1. {UNASKED}",
        ),
        (Source.SYSTEM, 3, {"conflicting logic": 2}, ""),
    ],
)
def test_the_owner_reads_at_a_story_what_is_flagged(
    source: Source, rated: int, points: dict[str, int], note: str
) -> None:
    answer = Answer({"overall": rated}, points)
    assert contradiction_note(MANS, QualityRules(), source, answer, meant=False) == note
    assert contradiction_note(MANS, QualityRules(), source, Answer({}, points), meant=False) == ""


def test_what_an_annotator_was_asked_about_and_kept_is_not_flagged() -> None:
    answer = Answer({"overall": 2}, {})
    kept = "Asked about, and kept: rated 2 with nothing deducted. So it is not flagged."
    assert contradiction_note(MANS, QualityRules(), Source.SYSTEM, answer, meant=True) == kept
    assert contradiction_note(MANS, QualityRules(), Source.NEGATIVE, answer, meant=True) == f"{kept} {RIGHT}"
    fine = Answer({"overall": 3}, {"conflicting logic": 2})
    assert contradiction_note(MANS, QualityRules(), Source.SYSTEM, fine, meant=True) == ""


def test_a_scheme_that_takes_no_points_has_no_contradictions() -> None:
    assert not contradicts(UNION, 0, {})
    assert not contradicts(UNION, 1, {"other": 0})


@pytest.mark.parametrize(
    ("human", "negative", "reason"),
    [
        ([4], [2], ""),
        ([5], [1], ""),
        ([3], [2], HUMAN_3),
        ([4], [3], NEGATIVE_3),
        ([3], [3], f"{HUMAN_3}; {NEGATIVE_3}"),
        ([1], [5], "the human story was rated 1, below 4; the negative story was rated 5, above 2"),
        ([], [], ""),
        ([], [3], NEGATIVE_3),
        ([3], [], HUMAN_3),
        ([5, 3, 4], [1], HUMAN_3),
        ([5, 4], [1, 3, 2], NEGATIVE_3),
        ([3.5], [2], "the human story was rated 3.5, below 4"),
    ],
)
def test_controls_decide(human: list[float], negative: list[float], reason: str) -> None:
    assert judge_panel(human, negative, QualityRules()) == PanelVerdict(not reason, reason)


def test_the_study_sets_the_thresholds() -> None:
    rules = QualityRules(human_least=2, negative_most=4)
    assert judge_panel([2], [4], rules) == PanelVerdict(True)
    assert judge_panel([1], [5], rules) == PanelVerdict(
        False, "the human story was rated 1, below 2; the negative story was rated 5, above 4"
    )


def test_the_rules_are_said_as_they_are_applied() -> None:
    rules = QualityRules(human_least=3, negative_most=1)
    counts = "A panel counts where its human story is rated at least 3 and its damaged story at most 1"
    assert rules_in_words(MANS, rules) == f"{counts}."
    several = replace(HANNA, controls=True)
    assert rules_in_words(several, rules) == f"{counts}, on coherence."
    both = replace(rules, judged_on=("surprise", "coherence"))
    assert rules_in_words(several, both) == f"{counts}, on surprise and coherence."
    check = replace(MANS.main, name=CHECK)
    flagged = "Who fails the attention check is flagged and not rejected."
    assert rules_in_words(replace(HANNA, check=check, check_answer=2), rules) == flagged
    assert rules_in_words(replace(MANS, check=check, check_answer=2), rules) == f"{counts}. {flagged}"
    assert rules_in_words(HANNA, rules) == ""
    found = "A panel counts where the undamaged story of every control pair is found"
    assert rules_in_words(PREFERENCES, replace(rules, human_least=1)) == f"{found} better by at least 1."
    assert rules_in_words(PREFERENCES, replace(rules, human_least=0)) == f"{found} no worse."


def test_ratings_may_come_from_an_iterator() -> None:
    assert judge_panel(iter([4]), iter([3]), QualityRules()) == PanelVerdict(False, NEGATIVE_3)


def tried(panels: Sequence[WholePanel], rules: QualityRules, scheme: Scheme, **more: Any) -> WhatIf:
    """What other rules would have made of these."""
    return what_if([panel.brief for panel in panels], {p.id: p.ratings for p in panels}, rules, scheme, **more)


def test_flags_never_reject() -> None:
    odd = panel(1, seconds=1.0, contradictions=5)
    assert flags([odd.brief], {})
    assert tried([odd], QualityRules(), MANS, units=1).rejected == 0


def test_what_if_counts_each_unit_up_to_the_ratings_wanted() -> None:
    panels = [panel(i, unit=(i % 2, None, None), human=(float(2 + i % 4),), valid=False) for i in range(20)]
    for least in (1, 3, 5):
        rules = QualityRules(ratings_wanted=3, human_least=least)
        result = tried(panels, rules, MANS, units=4)
        passing = [p for p in panels if p.human[0] >= least]
        each = [min(3, sum(p.unit == (u, None, None) for p in passing)) for u in (0, 1)]
        assert result.rejected == 20 - len(passing)
        assert result.counted == sum(each)
        assert result.complete == sum(number == 3 for number in each)
        assert result.ratings_a_story == sum(each) / 4


def test_what_if_takes_nothing_away_that_counts_and_adds_what_was_imported() -> None:
    panels = [panel(i) for i in range(3)]
    result = tried(panels, QualityRules(ratings_wanted=1), MANS, units=2)
    assert (result.counted, result.ratings_a_story) == (3, 1.5)  # fewer are wanted now than were when these came
    result = tried(
        [panel(1, valid=False)], QualityRules(), MANS, units=2, imported={(1, None, None): 5, (2, None, None): 4}
    )
    assert (result.counted, result.complete, result.ratings_a_story) == (0, 1, 4.5)


def test_what_if_keeps_decisions_of_people() -> None:
    panels = [panel(1, human=(1.0,), valid=True, overridden=True), panel(2, valid=False, overridden=True)]
    result = tried(panels, QualityRules(), MANS, units=1)
    assert (result.rejected, result.counted) == (1, 1)


def test_what_if_judges_no_try_of_who_runs_studies() -> None:
    mine = [replace(panel(1).brief, own_try=True), replace(panel(2, human=(1.0,)).brief, own_try=True)]
    result = what_if([*mine, panel(3).brief], {}, QualityRules(ratings_wanted=3), MANS, 1)
    assert (result.judged, result.rejected, result.counted) == (1, 0, 2)


def test_what_if_without_panels() -> None:
    assert tried([], QualityRules(), MANS, units=0) == WhatIf(0, 0, 0, 0, 0, 0.0, None)


def test_progress() -> None:
    assert StudyProgress(wanted=10, valid=4, rejected=3, open=1, surplus=0).left == 6
    assert StudyProgress(wanted=10, valid=12, rejected=0, open=0, surplus=0).left == 0


@pytest.mark.parametrize(
    ("verdicts", "after", "paused"),
    [
        ((), 3, False),
        ((False, False), 3, False),
        ((False, False, False), 3, True),
        ((True, False, False, False), 3, True),
        ((False, False, False, True), 3, False),
        ((False, True, False, False), 3, False),
        ((False,), 1, True),
        ((False,) * 50, 0, False),
    ],
)
def test_a_run_of_rejected_panels_pauses(verdicts: tuple[bool, ...], after: int, paused: bool) -> None:
    assert is_paused(verdicts, QualityRules(pause_after=after)) is paused
