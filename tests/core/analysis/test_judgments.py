"""What people said of a study's stories, in an example small enough to compute by hand."""

import numpy as np
import pytest

from core.analysis.judgments import ErrorSummary, GroupSummary, JudgedStory, rating_table, summarise
from core.annotation.agreement import alpha_interval, ceiling, krippendorff_alpha, one_rater
from core.annotation.builtin import MANS, UNION

NONE = frozenset[str]()


def votes(*given: tuple[int, str]) -> tuple[tuple[float, frozenset[str]], ...]:
    """Ratings with their error types, comma-separated."""
    return tuple((float(overall), frozenset(filter(None, types.split(",")))) for overall, types in given)


STORIES = [
    JudgedStory("p1", "s2s", votes((1, ""), (1, ""), (1, ""))),
    JudgedStory("p1", "gpt", votes((0, "repeated plot"), (0, "repeated plot,chaotic scene"), (1, ""))),
    JudgedStory("p2", "s2s", votes((0, "other"), (1, ""), (1, ""))),
    JudgedStory("p2", "gpt", votes((0, "poor coherence"), (0, "conflicting logic,other"), (0, "chaotic scene"))),
    JudgedStory("p3", "gpt", ()),
    JudgedStory("p1", "human", votes((1, ""), (0, "poor coherence"), (1, "")), control=True),
    JudgedStory("p1", "negative", votes((0, "chaotic scene"), (0, ""), (0, "")), control=True),
]
TABLE = np.array([[1, 1, 1], [0, 0, 1], [0, 1, 1], [0, 0, 0]], dtype=float)


def test_counts_and_mean_leave_controls_and_unrated_stories_out() -> None:
    found = summarise(STORIES, UNION, annotators=7, raters_identified=True)
    assert (found.stories, found.ratings, found.annotators, found.raters_identified) == (4, 12, 7, True)
    assert found.mean == pytest.approx((1 + 1 / 3 + 2 / 3 + 0) / 4)


def test_agreement_leaves_controls_out() -> None:
    found = summarise(STORIES, UNION, annotators=None, raters_identified=False, seed=3, resamples=200)
    assert found.annotators is None
    assert found.alpha.nominal == pytest.approx(krippendorff_alpha(TABLE, "nominal"))
    assert found.alpha.ordinal == pytest.approx(krippendorff_alpha(TABLE, "ordinal"))
    assert found.alpha.interval == pytest.approx(krippendorff_alpha(TABLE, "interval"))
    assert found.alpha.nominal == pytest.approx(
        1 - (4 / 12) / (72 / (12 * 11))
    )  # 4 of 12 pairs differ, 72 of 132 by chance
    prompts = ["p1", "p1", "p2", "p2"]
    assert (found.alpha.low, found.alpha.high) == alpha_interval(TABLE, prompts, "nominal", seed=3, resamples=200)
    assert found.one_rater == one_rater(TABLE, seed=3)
    assert found.ceiling == ceiling(TABLE)


def test_the_interval_is_of_the_scheme_own_level() -> None:
    stories = [JudgedStory(f"p{i}", "s", votes((1 + i % 5, ""), (1 + (i * 3) % 5, ""))) for i in range(12)]
    table = rating_table([[overall for overall, _ in s.ratings] for s in stories])
    found = summarise(stories, MANS, annotators=None, raters_identified=False, resamples=100)
    prompts = [s.prompt for s in stories]
    assert (found.alpha.low, found.alpha.high) == alpha_interval(table, prompts, "interval", resamples=100)
    assert (found.alpha.low, found.alpha.high) != alpha_interval(table, prompts, "nominal", resamples=100)


def test_every_group_shows_controls_too() -> None:
    found = summarise(STORIES, UNION, annotators=None, raters_identified=False)
    assert list(found.by_system) == ["gpt", "human", "negative", "s2s"]
    assert found.by_system["gpt"].n == 2
    assert found.by_system["gpt"].mean == pytest.approx(1 / 6)
    assert found.by_system["gpt"].sd == pytest.approx(np.std([1 / 3, 0], ddof=1))
    assert found.by_system["human"] == GroupSummary(1, pytest.approx(2 / 3), None)
    assert found.by_system["negative"] == GroupSummary(1, 0.0, None)


def test_error_types_are_shares_of_the_stories_not_all_found_best() -> None:
    found = summarise(STORIES, UNION, annotators=None, raters_identified=False)
    assert {name: summary.share for name, summary in found.error_types.items()} == {
        "repeated plot": pytest.approx(1 / 3),
        "poor coherence": pytest.approx(1 / 3),
        "conflicting logic": pytest.approx(1 / 3),
        "chaotic scene": pytest.approx(2 / 3),
        "other": pytest.approx(2 / 3),
    }
    repeated = np.array([[0, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 0]])
    assert found.error_types["repeated plot"].alpha == pytest.approx(krippendorff_alpha(repeated, "nominal"))


def test_error_counts_leave_the_catch_all_out() -> None:
    # of the three faulted stories: one has repeated + chaotic, one only "other", one three types beside "other"
    found = summarise(STORIES, UNION, annotators=None, raters_identified=False)
    assert found.error_counts == pytest.approx({"1": 0, "2": 1 / 3, "3": 1 / 3, "4": 0})
    assert list(found.error_counts) == ["1", "2", "3", "4"]


def test_an_error_type_nobody_gave_has_no_alpha() -> None:
    stories = [JudgedStory("p", "s", votes((0, "other"), (0, ""))), JudgedStory("q", "s", votes((1, ""), (1, "")))]
    found = summarise(stories, UNION, annotators=None, raters_identified=False)
    assert found.error_types["repeated plot"] == ErrorSummary(0.0, None)
    assert found.error_types["other"].alpha == pytest.approx(0.0)


def test_data_without_error_types_has_none() -> None:
    stories = [JudgedStory("p", "s", votes((2, ""), (3, ""))), JudgedStory("q", "s", votes((4, ""), (5, "")))]
    found = summarise(stories, MANS, annotators=None, raters_identified=False)
    assert found.error_types == {}
    assert found.error_counts == {}
    assert found.mean == 3.5


def test_a_deduction_from_a_story_that_everyone_gave_the_top() -> None:
    """The form asks no equality of rating and deductions, so a 5 may come with points off."""
    stories = [JudgedStory("p", "s", votes((5, "conflicting logic"), (5, "")))]
    found = summarise(stories, MANS, annotators=2, raters_identified=True)
    assert found.stories == 1


@pytest.mark.parametrize("stories", [[], [JudgedStory("p", "s", ())], STORIES[4:5]])
def test_nothing_judged(stories: list[JudgedStory]) -> None:
    found = summarise(stories, MANS, annotators=0, raters_identified=True)
    assert (found.stories, found.ratings, found.annotators) == (0, 0, 0)
    assert (found.mean, found.one_rater, found.ceiling) == (None, None, None)
    alpha = found.alpha
    assert (alpha.nominal, alpha.ordinal, alpha.interval, alpha.low, alpha.high) == (None,) * 5
    assert (found.by_system, found.error_types, found.error_counts) == ({}, {}, {})


def test_only_controls_judged() -> None:
    found = summarise(STORIES[5:], UNION, annotators=None, raters_identified=False)
    assert (found.stories, found.mean, found.alpha.nominal) == (0, None, None)
    assert list(found.by_system) == ["human", "negative"]


def test_the_seed_decides() -> None:
    stories = [JudgedStory(f"p{i}", "s", votes((1 + i % 5, ""), (1 + (i * 2) % 5, ""))) for i in range(15)]
    one, again, other = (
        summarise(stories, MANS, annotators=None, raters_identified=False, seed=seed, resamples=100)
        for seed in (1, 1, 2)
    )
    assert one == again
    whole = summarise(stories, MANS, annotators=None, raters_identified=False)
    assert whole == summarise(stories, MANS, annotators=None, raters_identified=False, seed=0, resamples=1000)
    assert one.alpha.low != other.alpha.low
    assert one.one_rater != other.one_rater


def test_rating_table_pads_with_gaps() -> None:
    np.testing.assert_array_equal(rating_table([[1, 2, 3], [], [4]]), [[1, 2, 3], [np.nan] * 3, [4, np.nan, np.nan]])
    assert rating_table([]).shape == (0, 0)


def test_a_story_mean() -> None:
    assert JudgedStory("p", "s", votes((1, ""), (2, ""), (2, ""))).mean == pytest.approx(5 / 3)
