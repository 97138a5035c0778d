"""Panels: letters and the balanced order of stories."""

from collections import Counter
from itertools import pairwise

import pytest

from core.annotation.panel import as_side, balanced_order, in_lower_case, letter, order_rows, placeholder_in

SIZES = range(1, 10)


def design(size: int) -> list[list[int]]:
    """A full set of rows."""
    return [balanced_order(size, row) for row in range(order_rows(size))]


@pytest.mark.parametrize("size", SIZES)
def test_a_row_is_a_permutation(size: int) -> None:
    assert all(sorted(row) == list(range(size)) for row in design(size))


@pytest.mark.parametrize("size", SIZES)
def test_each_story_stands_in_each_position_equally_often(size: int) -> None:
    rows = design(size)
    places = Counter((story, position) for row in rows for position, story in enumerate(row))
    assert len(places) == size * size
    assert set(places.values()) == {len(rows) // size}


@pytest.mark.parametrize("size", SIZES)
def test_each_story_follows_each_other_equally_often(size: int) -> None:
    rows = design(size)
    neighbours = Counter(pair for row in rows for pair in pairwise(row))
    assert len(neighbours) == size * (size - 1)
    assert set(neighbours.values()) <= {len(rows) // size}


def test_williams_design_for_four() -> None:
    assert design(4) == [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]


@pytest.mark.parametrize("size", SIZES)
def test_rows_begin_again_after_a_full_set(size: int) -> None:
    rows = design(size)
    assert balanced_order(size, len(rows)) == rows[0]
    assert balanced_order(size, 3 * len(rows) + 1) == rows[1 % len(rows)]


def test_seven_stories_have_fourteen_different_rows() -> None:
    assert len({tuple(row) for row in design(7)}) == 14


def test_an_empty_panel_has_no_order() -> None:
    assert balanced_order(0, 3) == []


def test_letters() -> None:
    assert [letter(i) for i in (0, 1, 6, 25, 26, 27, 51, 52)] == ["A", "B", "G", "Z", "A2", "B2", "Z2", "A3"]
    assert len({letter(i) for i in range(300)}) == 300


def test_a_pairs_answer_turns_there_and_back() -> None:
    assert as_side(-1) == 1  # the first is better
    assert [as_side(as_side(value)) for value in (-2, -1, 0, 1, 2)] == [-2, -1, 0, 1, 2]


def test_texts_in_lower_case_are_told() -> None:
    assert in_lower_case(["[MALE] went home .", "it rained ."])
    assert not in_lower_case(["it rained .", "He went home."])
    assert not in_lower_case(["雨下了一天。"])  # a script without capitals


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["[FEMALE] met [MALE] .", "[MALE] left ."], "[MALE]"),
        (["<NAME> met [NAME_2] and <NAME> ."], "<NAME>"),
        (["He left [laughs].", "As said [1], 2 < 3 > 1.", "[Male] left ."], ""),
        ([], ""),
    ],
)
def test_what_stands_for_names_is_found(texts: list[str], told: str) -> None:
    assert placeholder_in(texts) == told
