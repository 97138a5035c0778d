"""Error types: who makes which, how they go together, and what they take off."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from core.analysis.judgments.error_types import ALL_MEANS, NO_DEDUCTION, NO_POINTS, NOT_GIVEN, Given, errors, pearsons
from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.judgments import keys_in_cell, summarise
from core.analysis.judgments.rating_table import table_of
from core.annotation.builtin import MANS, TURING, UNION
from core.arrays import Floats
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.published.reproduce import judged_stories
from core.statistics.draws import Draws, draw_prompts
from tests.core.analysis.judgments.error_types import TYPES, study_with_deductions


def deducted(overall: int, **points: int) -> Rating:
    """A rating with points off, types named with _ for a space."""
    taken = tuple((name.replace("_", " "), number) for name, number in points.items())
    return Rating(float(overall), frozenset(name for name, _ in taken), points=taken)


def test_rates_by_hand() -> None:
    stories = [
        JudgedStory("p", "a", (deducted(3, repetitive_plots=2), deducted(4, repetitive_plots=1, chaotic_scenes=2))),
        JudgedStory("q", "a", (deducted(5), deducted(5))),
        JudgedStory("p", "b", (deducted(4), deducted(4, conflicting_logic=1))),
    ]
    rates = summarise(stories, MANS, annotators=None, raters_identified=False).errors.by_system
    assert list(rates) == ["a", "b"]
    assert list(rates["a"]) == TYPES
    repeated = rates["a"]["repetitive plots"]
    assert (repeated.share.value, repeated.points.value) == (0.5, 0.75)
    assert (repeated.share.low, repeated.share.high) == (0, 1)  # all of p, or none of it
    assert rates["a"]["chaotic scenes"].points.value == 0.5
    assert rates["b"]["conflicting logic"].share.value == 0.5
    assert rates["b"]["conflicting logic"].share.low is None  # a single prompt


def test_means_hide_a_systems_error_types() -> None:
    stories = [
        JudgedStory("p", "a", (deducted(3, repetitive_plots=2),)),
        JudgedStory("p", "b", (Rating(3.5, raters=4),)),
    ]
    rates = summarise(stories, MANS, annotators=None, raters_identified=False).errors.by_system
    assert rates["a"]["repetitive plots"].share.value == 1
    hidden = rates["b"]["repetitive plots"]
    assert (hidden.share.value, hidden.share.undefined, hidden.points.undefined) == (None, ALL_MEANS, ALL_MEANS)


def shares_of(stories: list[JudgedStory], name: str) -> list[float]:
    return [float(np.mean([name in r.error_types for r in s.ratings])) for s in stories]


def test_correlations_are_scipys_and_leave_controls_out() -> None:
    stories = study_with_deductions()
    result = summarise(stories, MANS, annotators=None, raters_identified=False).errors
    judged = [s for s in stories if not s.control]
    means = [s.mean for s in judged]
    for name in TYPES:
        own = shares_of(judged, name)
        points = [float(np.mean([dict(r.points).get(name, 0) for r in s.ratings])) for s in judged]
        assert result.with_rating[name].share.value == pytest.approx(stats.pearsonr(own, means).statistic)
        assert result.with_rating[name].points.value == pytest.approx(stats.pearsonr(points, means).statistic)
    for number, name in enumerate(TYPES[:-1]):
        assert list(result.between[name]) == TYPES[number + 1 :]
        for other, estimate in result.between[name].items():
            expected = stats.pearsonr(shares_of(judged, name), shares_of(judged, other)).statistic
            assert estimate.value == pytest.approx(expected)
    assert set(result.by_system) == {"a", "b", "negative"}


def test_intervals_are_of_draws_of_whole_prompts() -> None:
    rng = np.random.default_rng(1)
    prompts = np.repeat(np.arange(9), 4)
    columns = np.column_stack([x := rng.normal(size=36), x + rng.normal(size=36)])
    draws = draw_prompts([str(p) for p in prompts], seed=4, resamples=300)
    estimate = pearsons(columns, [(0, 1)], prompts, draws)[0]
    built = []
    for copies in draws.copies.astype(int):
        rows = np.concatenate([np.flatnonzero(prompts == p) for p in np.repeat(np.arange(9), copies)])
        built.append(stats.pearsonr(columns[rows, 0], columns[rows, 1]).statistic)
    assert (estimate.low, estimate.high) == pytest.approx(tuple(np.percentile(built, [2.5, 97.5])))


@pytest.mark.parametrize("far", [0.0, 1e6])
def test_numbers_far_from_nought_correlate_alike(far: float) -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 20))
    draws = draw_prompts([str(i) for i in range(20)], resamples=50)
    estimate = pearsons(np.column_stack([x + far, y]), [(0, 1)], np.arange(20), draws)[0]
    assert estimate.value == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-6)


def none_drawn(rows: Floats) -> Draws:
    return draw_prompts([str(i) for i in range(len(rows))], resamples=10)


def test_what_has_no_correlation_says_why() -> None:
    flat = np.column_stack([np.ones(5), np.arange(5)])
    assert pearsons(flat, [(0, 1)], np.arange(5), none_drawn(flat))[0].undefined == "one of the two does not vary"
    two = flat[:2]
    assert "only 2 stories" in str(pearsons(two, [(0, 1)], np.arange(2), none_drawn(two))[0].undefined)


def test_types_without_points_have_no_points() -> None:
    votes = (Rating(0.0, frozenset({"repeated plot"})), Rating(1.0))
    stories = [JudgedStory(f"p{i}", "s", votes if i % 2 else (Rating(1.0), Rating(1.0))) for i in range(6)]
    judgments = summarise(stories, UNION, annotators=None, raters_identified=False)
    assert judgments.errors.no_points == NO_POINTS == judgments.deductions.undefined
    assert judgments.errors.by_system["s"]["repeated plot"].points.undefined == NO_POINTS
    assert judgments.errors.with_rating["repeated plot"].points.undefined == NO_POINTS
    assert judgments.errors.with_rating["repeated plot"].share.value == pytest.approx(-1)
    assert judgments.errors.with_rating["other"].share.undefined == "one of the two does not vary"


def test_nothing_given() -> None:
    stories = [JudgedStory("p", "s", (Rating(3.0), Rating(4.0)))]
    for scheme in (MANS, TURING):
        judgments = summarise(stories, scheme, annotators=None, raters_identified=False)
        assert judgments.errors.undefined == NOT_GIVEN
        assert (judgments.errors.by_system, judgments.errors.with_rating, judgments.errors.between) == ({}, {}, {})
    assert summarise([], MANS, annotators=0, raters_identified=True).errors.undefined == NOT_GIVEN


def test_only_the_controls_were_given_types() -> None:
    stories = [
        JudgedStory("p", "negative", (deducted(1, chaotic_scenes=2),), control=True),
        JudgedStory("p", "a", (deducted(5),)),
    ]
    judgments = summarise(stories, MANS, annotators=None, raters_identified=False)
    assert judgments.errors.by_system["negative"]["chaotic scenes"].share.value == 1
    assert "only 1 story was" in str(judgments.errors.with_rating["chaotic scenes"].share.undefined)
    assert judgments.error_types == {}
    assert judgments.deductions.undefined == "no rating that counts takes points off"


def test_a_type_that_the_scheme_has_no_more_is_left_out() -> None:
    story = JudgedStory("p", "a", (Rating(3.0, frozenset({"gone"}), points=(("gone", 2),)),))
    assert summarise([story], MANS, annotators=None, raters_identified=False).errors.undefined == NOT_GIVEN


def test_part_of_what_was_given() -> None:
    votes = np.eye(4)
    given = Given(np.arange(4.0), np.array([0, 1, 1, 2]), votes, votes * 2, ("a", "b", "c", "d"), np.array([5, 6, 7]))
    part = given.of(np.array([0, 2]))
    assert part.units.tolist() == [0, 1]
    assert part.prompts.tolist() == [5, 7]
    assert part.values.tolist() == [0, 3]
    np.testing.assert_array_equal(given.means(given.votes), [[1, 0, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 1]])


def test_no_more_than_one_system() -> None:
    given = Given(np.ones(2), np.array([0, 1]), np.eye(2), np.zeros((2, 2)), ("a", "b"), np.array([0, 1]))
    result = errors(given, ["s", "s"], [False, False], draw_prompts(["p", "q"], resamples=20))
    assert list(result.by_system) == ["s"]
    assert result.by_system["s"]["a"].share.value == 0.5


def test_the_released_data(shared: Path) -> None:
    """Votes of UNION against SciPy; MANS has ratings alone."""
    stories = list(judged_stories(read_union(shared / "union-roc")).values())
    result = summarise(stories, UNION, annotators=None, raters_identified=False).errors
    means = [s.mean for s in stories]
    for name, with_rating in result.with_rating.items():
        assert with_rating.share.value == pytest.approx(stats.pearsonr(shares_of(stories, name), means).statistic)
        assert with_rating.share.low is not None
        assert with_rating.share.low < (with_rating.share.value or 0) < (with_rating.share.high or 0)
    assert all(
        0 < rate.share.value < 1 for rate in result.by_system["unknown"].values() if rate.share.value is not None
    )
    mans = list(judged_stories(read_mans(shared / "mans-roc" / "mans_roc.json")).values())
    assert summarise(mans, MANS, annotators=None, raters_identified=False).errors.undefined == NOT_GIVEN


def test_released_votes_without_types(shared: Path) -> None:
    """The WritingPrompts half of UNION repeats the votes where its types should be."""
    stories = list(judged_stories(read_union(shared / "union-wp")).values())
    judgments = summarise(stories, UNION, annotators=None, raters_identified=False)
    assert judgments.stories == 200
    assert judgments.errors.undefined == NOT_GIVEN
    assert judgments.box is not None
    assert (judgments.box.n, judgments.box.mean) == (200, pytest.approx(judgments.mean))


def test_by_hand() -> None:
    stories = [
        JudgedStory("p", "a", (deducted(3, repetitive_plots=2), deducted(5, chaotic_scenes=2))),
        JudgedStory("q", "a", (deducted(5), deducted(4))),
        JudgedStory("r", "a", (deducted(1, repetitive_plots=2, conflicting_logic=2, chaotic_scenes=2),)),
        JudgedStory("p", "negative", (deducted(1, chaotic_scenes=2),), control=True),
    ]
    deductions = summarise(stories, MANS, annotators=None, raters_identified=False).deductions
    assert deductions.ratings == 5
    assert deductions.points.value == pytest.approx(10 / 5)
    assert deductions.same.value == pytest.approx(3 / 5)  # 3 of 3, 5 of 5, and 1 of 5 - 6, which is 1
    assert deductions.far.value == pytest.approx(1 / 5)  # 5 where 3 was due
    assert deductions.difference.value == pytest.approx((0 + 2 + 0 - 1 + 0) / 5)
    assert deductions.table == {1: {1: 1}, 3: {3: 1, 5: 1}, 5: {4: 1, 5: 1}}
    assert deductions.pearson.value == pytest.approx(stats.pearsonr([4, 4.5, 1], [3, 5, 1]).statistic)


def test_a_rating_between_two_steps_stands_at_the_nearer_one() -> None:
    taken = {"error_types": frozenset(["chaotic scenes"]), "points": (("chaotic scenes", 1),)}
    stories = [JudgedStory("p", "a", (Rating(3.7, **taken), Rating(3.2, **taken), Rating(2.5, **taken)))]
    deductions = summarise(stories, MANS, annotators=None, raters_identified=False).deductions
    assert deductions.table == {4: {3: 2, 4: 1}}
    assert deductions.difference.value == pytest.approx((-0.3 - 0.8 - 1.5) / 3)  # the figures take it as it is


def test_intervals_and_totals() -> None:
    stories = study_with_deductions()
    deductions = summarise(stories, MANS, annotators=None, raters_identified=False).deductions
    given = [r for s in stories if not s.control for r in s.ratings]
    assert deductions.ratings == len(given) == sum(sum(row.values()) for row in deductions.table.values())
    implied = [MANS.implied_rating(dict(r.points)) for r in given]
    apart = np.array([r.overall for r in given]) - implied
    assert deductions.same.value == pytest.approx(np.mean(apart == 0))
    assert deductions.far.value == pytest.approx(np.mean(np.abs(apart) >= 2))
    assert deductions.difference.value == pytest.approx(apart.mean())
    for estimate in (deductions.points, deductions.same, deductions.difference, deductions.pearson):
        assert estimate.low is not None
        assert estimate.low <= (estimate.value or 0) <= (estimate.high or 0)


def test_the_stories_of_a_cell_are_those_that_hold_such_a_rating() -> None:
    stories = study_with_deductions()
    table = replace(table_of(stories), keys=tuple(str(number) for number in range(len(stories))))
    counted = summarise(stories, MANS, annotators=None, raters_identified=False).deductions.table
    assert counted
    for implied, row in counted.items():
        for given in (*row, 9):
            assert keys_in_cell(table, MANS, implied, given) == tuple(
                str(number)
                for number, story in enumerate(stories)
                if not story.control
                and any(
                    (MANS.implied_rating(dict(r.points)), round(r.overall)) == (implied, given) for r in story.ratings
                )
            )


def test_nothing_deducted() -> None:
    judgments = summarise([JudgedStory("p", "a", (deducted(5),))], MANS, annotators=None, raters_identified=False)
    assert judgments.deductions.undefined == NO_DEDUCTION == judgments.deductions.pearson.undefined
    assert (judgments.deductions.ratings, judgments.deductions.table) == (1, {})
