"""Ratings beside what their deductions imply."""

import numpy as np
import pytest
from scipy import stats

from core.analysis.judgments.error_types import NO_DEDUCTION
from core.analysis.judgments.judgments import JudgedStory, Rating, summarise
from core.annotation.builtin import MANS
from tests.core.analysis.judgments.test_error_types import deducted, study


def test_by_hand() -> None:
    stories = [
        JudgedStory("p", "a", (deducted(3, repetitive_plots=2), deducted(5, chaotic_scenes=2))),
        JudgedStory("q", "a", (deducted(5), deducted(4))),
        JudgedStory("r", "a", (deducted(1, repetitive_plots=2, conflicting_logic=2, chaotic_scenes=2),)),
        JudgedStory("p", "negative", (deducted(1, chaotic_scenes=2),), control=True),
    ]
    found = summarise(stories, MANS, annotators=None, raters_identified=False).deductions
    assert found.ratings == 5
    assert found.points.value == pytest.approx(10 / 5)
    assert found.same.value == pytest.approx(3 / 5)  # 3 of 3, 5 of 5, and 1 of 5 - 6, which is 1
    assert found.far.value == pytest.approx(1 / 5)  # 5 where 3 was due
    assert found.difference.value == pytest.approx((0 + 2 + 0 - 1 + 0) / 5)
    assert found.table == {1: {1: 1}, 3: {3: 1, 5: 1}, 5: {4: 1, 5: 1}}
    assert found.pearson.value == pytest.approx(stats.pearsonr([4, 4.5, 1], [3, 5, 1]).statistic)


def test_a_rating_between_two_steps_stands_at_the_nearer_one() -> None:
    taken = {"error_types": frozenset(["chaotic scenes"]), "points": (("chaotic scenes", 1),)}
    stories = [JudgedStory("p", "a", (Rating(3.7, **taken), Rating(3.2, **taken)))]
    found = summarise(stories, MANS, annotators=None, raters_identified=False).deductions
    assert found.table == {4: {3: 1, 4: 1}}
    assert found.difference.value == pytest.approx((-0.3 - 0.8) / 2)  # the figures take it as it is


def test_intervals_and_totals() -> None:
    stories = study()
    found = summarise(stories, MANS, annotators=None, raters_identified=False).deductions
    given = [r for s in stories if not s.control for r in s.ratings]
    assert found.ratings == len(given) == sum(sum(row.values()) for row in found.table.values())
    implied = [MANS.implied_rating(dict(r.points)) for r in given]
    apart = np.array([r.overall for r in given]) - implied
    assert found.same.value == pytest.approx(np.mean(apart == 0))
    assert found.far.value == pytest.approx(np.mean(np.abs(apart) >= 2))
    assert found.difference.value == pytest.approx(apart.mean())
    for one in (found.points, found.same, found.difference, found.pearson):
        assert one.low is not None
        assert one.low <= (one.value or 0) <= (one.high or 0)


def test_nothing_deducted() -> None:
    found = summarise([JudgedStory("p", "a", (deducted(5),))], MANS, annotators=None, raters_identified=False)
    assert found.deductions.undefined == NO_DEDUCTION == found.deductions.pearson.undefined
    assert (found.deductions.ratings, found.deductions.table) == (1, {})
