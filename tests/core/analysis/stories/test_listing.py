"""Stories in order, with those that have no value last, and a page of them at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.stories.listing import (
    A_PAGE,
    RATINGS,
    WORDS,
    StoryIndex,
    in_order,
    orders,
    page_of,
    pages,
    values_by,
)
from core.scores import ScoreColumn, ScoreTable

INDEX = StoryIndex(np.array([11, 7, 9, 20, 3]), np.array([0, -1, 1, 2, -1]))


@pytest.mark.parametrize(("greatest_first", "wanted"), [(True, [20, 11, 3, 9, 7]), (False, [11, 20, 3, 9, 7])])
def test_without_a_value_or_a_row_they_come_last(greatest_first: bool, wanted: list[int]) -> None:
    values = np.array([1.0, np.nan, 2.0])
    ids = np.array([3, 20, 9, 11, 7])
    assert in_order(ids, INDEX, values, greatest_first=greatest_first).tolist() == wanted


def test_equal_ones_stay_as_they_stand() -> None:
    assert in_order(np.array([20, 9, 11]), INDEX, np.ones(3), greatest_first=True).tolist() == [20, 9, 11]


@given(st.permutations([11, 7, 9, 20, 3]), st.integers(0, 5))
def test_every_story_is_found_at_its_row(ids: list[int], number: int) -> None:
    rows = dict(zip(INDEX.ids.tolist(), INDEX.rows.tolist(), strict=True))
    wanted = np.array(ids[:number], dtype=np.int64)
    assert INDEX.rows_of(wanted).tolist() == [rows[one] for one in wanted.tolist()]


def test_a_story_that_came_later_is_left_out() -> None:
    assert INDEX.places(np.array([9, 99, 1])).tolist() == [2]
    assert StoryIndex(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.intp)).places(np.array([1])).tolist() == []


@pytest.mark.parametrize(("stories", "wanted"), [(0, 1), (1, 1), (A_PAGE, 1), (A_PAGE + 1, 2), (1000, 10)])
def test_pages(stories: int, wanted: int) -> None:
    ids = np.arange(stories)
    assert pages(stories) == wanted
    whole = [one for page in range(1, wanted + 1) for one in page_of(ids, page).tolist()]
    assert whole == ids.tolist()
    assert all(len(page_of(ids, page)) <= A_PAGE for page in range(1, wanted + 1))


def test_what_they_are_put_in_order_by() -> None:
    columns = (ScoreColumn("m", "m", np.array([5.0, 6.0]), {}),)
    ratings = np.array([[2.0, 4.0], [1.0, np.nan]])
    table = ScoreTable(("a", "b"), ("p", "p"), ("x", "y"), ("one two", ""), np.array([3.0, 1.0]), columns, ratings)
    names = ["m"]
    assert orders(table, names) == [WORDS, RATINGS, "Mean rating", "m"]
    values = {order: values_by(table, names, order).tolist() for order in orders(table, names)}
    assert values == {WORDS: [2, 0], RATINGS: [2, 1], "Mean rating": [3, 1], "m": [5, 6]}
