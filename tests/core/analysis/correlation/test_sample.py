"""Filters keep what they say, and account for what they leave out."""

import numpy as np
import pytest

from core.analysis.correlation.sample import Filter, sample
from core.analysis.stories.listing import Selection
from core.scores import ScoreColumn, ScoreTable

TEXTS = ("one two three", "one", "one two three four", "", "one two")


@pytest.fixture
def table() -> ScoreTable:
    values = np.array([1.0, np.nan, 3.0, 4.0, 5.0])
    return ScoreTable(
        tuple("abcde"),
        tuple("ppqqr"),
        ("x", "y", "x", "y", "z"),
        TEXTS,
        np.array([1.5, 2, np.nan, 4, 5]),
        (ScoreColumn("m", "m|v:1", values, {1: "the story is empty"}),),
        np.array([[1.0, 2], [2, np.nan], [np.nan, np.nan], [4, 4], [5, 5]]),
        {"logic": np.array([1, 0, 2, 0, 0])},
    )


def test_nothing_asked_for_is_everything(table: ScoreTable) -> None:
    result = sample(table, Filter())
    assert result.table is table
    assert result.excluded == {}


@pytest.mark.parametrize(
    ("chosen", "kept", "excluded"),
    [
        (Filter(frozenset("xz")), "ace", {"of other systems": 2}),
        (Filter(shortest=2), "ace", {"shorter than 2 words": 2}),
        (Filter(longest=3), "abde", {"longer than 3 words": 1}),
        (Filter(error_type="logic"), "ac", {"that nobody gave logic": 3}),
        (Filter(error_type="chaos"), "", {"that nobody gave chaos": 5}),
        (
            Filter(frozenset("x"), 4, 9),
            "c",
            {"of other systems": 3, "shorter than 4 words": 1, "longer than 9 words": 0},
        ),
    ],
)
def test_what_is_kept_and_what_is_not(table: ScoreTable, chosen: Filter, kept: str, excluded: dict[str, int]) -> None:
    result = sample(table, chosen)
    assert "".join(result.table.keys) == kept
    assert result.excluded == excluded
    assert len(kept) + sum(excluded.values()) == len(TEXTS)


def test_everything_about_a_story_goes_with_it(table: ScoreTable) -> None:
    score_table = table.take(np.array([1, 3]))
    assert (score_table.keys, score_table.prompts, score_table.systems, score_table.texts) == (
        ("b", "d"),
        ("p", "q"),
        ("y", "y"),
        ("one", ""),
    )
    np.testing.assert_array_equal(score_table.human, [2, 4])
    np.testing.assert_array_equal(score_table.columns[0].values, [np.nan, 4])
    assert score_table.columns[0].reasons == {0: "the story is empty"}
    np.testing.assert_array_equal(score_table.ratings, [[2, np.nan], [4, 4]])
    np.testing.assert_array_equal(score_table.votes["logic"], [0, 0])


def test_a_selection_comes_first(table: ScoreTable) -> None:
    chosen = Filter(frozenset("x"), selection=Selection(3, "odd ones", 3))
    result = sample(table, chosen, {"a", "b", "z"})
    assert "".join(result.table.keys) == "a"
    assert result.excluded == {"outside the selection odd ones": 3, "of other systems": 1}
