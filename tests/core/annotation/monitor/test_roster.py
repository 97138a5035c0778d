"""One row per person, and which panels a table shows."""

from dataclasses import replace

import pytest

from core.annotation.monitor.overview import overview
from core.annotation.monitor.roster import Member, StudyData, roster
from core.annotation.panel_summary import Show, select_panels
from core.annotation.raters import AgreementSummary
from core.annotation.scheme import QualityRules
from core.payments import Pay
from core.people import Person, Role, called
from tests.core.annotation.quality import panel


def member(number: int) -> Member:
    return Member(Person(number, f"p{number}", Role.ANNOTATOR), f"p{number}", "finished")


def test_a_persons_work() -> None:
    briefs = tuple(
        panel(i, person_id=1, seconds=seconds, words=words, valid=i != 3).brief
        for i, (seconds, words) in enumerate([(60.0, 100), (120.0, 300), (0.0, 500), (300.0, 200)], 1)
    )
    data = StudyData(Pay(), briefs, (member(1), member(2)), {1: AgreementSummary(12, 0.5, -0.25)})
    worked, idle = roster(data, {2: ("odd: very",), 99: ("not theirs",)})
    assert (worked.panels, worked.valid, worked.rejected, worked.rate) == (4, 3, 1, 0.25)
    assert worked.flags == "1: odd"
    assert worked.minutes == 2.0  # the median of those whose clock says something
    assert worked.pace == pytest.approx(600 / 480 * 60)
    assert worked.agreement == AgreementSummary(12, 0.5, -0.25)
    assert (idle.panels, idle.rate, idle.minutes, idle.pace, idle.agreement) == (0, None, None, None, None)


def test_every_panel_is_in_one_row() -> None:
    erased = Member(Person(2, "erased 2", Role.ANNOTATOR), "erased 2", "erased", rater="erased 2")
    briefs = (
        panel(1, person_id=1).brief,
        panel(2, person_id=None, annotator="erased 2").brief,
        panel(3, person_id=None, annotator="rater 7").brief,
        panel(4, person_id=None, annotator="p1").brief,  # called like somebody else
    )
    result = overview(StudyData(Pay().changed(100, "EUR", None), briefs, (member(1), erased)), QualityRules())
    assert [(row.member.key, row.panels) for row in result.people] == [
        (1, 1),
        ("erased 2", 1),
        ("rater 7", 1),
        ("p1", 1),
    ]
    assert result.sums.owed == 400
    assert {row.member.key for row in result.people} == {brief.whose for brief in result.panels}


def test_which_panels_a_table_shows() -> None:
    panels = [
        panel(1).brief,
        panel(2, valid=False, payment="paid").brief,
        panel(3, state="surplus").brief,
        panel(4, appeal="why?", overridden=True).brief,
        panel(5, payment="withheld").brief,
    ]
    numbers = {
        which: [select_panel.id for select_panel in select_panels(panels, which, {5: ("odd",)})] for which in Show
    }
    assert numbers == {
        Show.ALL: [5, 4, 3, 2, 1],
        Show.FLAGGED: [5],
        Show.REJECTED: [2],
        Show.NOTED: [4],
        Show.BY_HAND: [4],
        Show.UNPAID: [5, 4, 3, 1],
        Show.SURPLUS: [3],
    }
    assert [brief.verdict for brief in panels] == ["valid", "rejected", "surplus", "valid", "valid"]
    waits = panel(3, appeal="why?", valid=False).brief
    assert [brief.id for brief in select_panels([waits, *panels], Show.NOTED, {})] == [3, 4]  # though 4 is newer
    assert [brief.counts for brief in panels] == [True, False, False, True, True]


def test_an_overview_adds_up() -> None:
    briefs = tuple(panel(i, person_id=i % 2 + 1, valid=i % 3 > 0).brief for i in range(1, 8))
    pay = Pay().changed(100, "EUR", None)
    result = overview(StudyData(pay, briefs, (member(1), member(2))), QualityRules())
    assert (result.rejected, result.sums.owed, result.sums.owed_panels) == (2, 700, 7)
    assert sum(step.valid for step in result.steps) == 5


def test_tries_of_who_runs_studies_are_neither_judged_nor_owed() -> None:
    owner = Member(Person(9, "me", Role.OWNER), "me", "has begun")
    theirs = [replace(panel(number, person_id=9, valid=False).brief, own_try=True) for number in (2, 3)]
    paid = replace(panel(4, person_id=9, payment="paid").brief, own_try=True)
    briefs = (panel(1, person_id=1).brief, *theirs, paid)
    result = overview(StudyData(Pay().changed(100, "EUR", None), briefs, (member(1), owner)), QualityRules())
    assert (len(result.judged), result.rejected, len(result.times)) == (1, 0, 1)
    assert sum(step.rejected for step in result.steps) == 0
    assert (result.sums.owed_panels, result.sums.owed, result.sums.paid_panels) == (1, 100, 1)
    assert (result.own_tries(), result.own_tries(9), result.own_tries(1)) == (3, 3, 0)
    assert [row.panels for row in result.people] == [1, 3]
    fast = replace(panel(5, person_id=9).brief, own_try=True, words=9_000, seconds=60.0)
    assert overview(StudyData(Pay(), (replace(fast, own_try=False),), ()), QualityRules()).remarks
    assert not overview(StudyData(Pay(), (fast,), ()), QualityRules()).remarks
    left_out = replace(theirs[0], overridden=True)
    assert [one.verdict for one in (theirs[0], left_out, fast)] == [
        "own try, rejected",
        "own try, left out",
        "own try, valid",
    ]
    assert [brief.id for brief in select_panels(briefs, Show.UNPAID, {})] == [1]


def test_what_people_are_called() -> None:
    assert called("Ada", "annotator", 12) == "Ada (annotator 12)"
    assert called("annotator", "annotator", 12) == called("", "annotator", 12) == "annotator 12"
