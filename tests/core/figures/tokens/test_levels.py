"""What the token view draws of a table: levels, parts, differences."""

import itertools
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.figures.tokens.levels import (
    differing_levels,
    differing_words,
    fraction_levels,
    fraction_names,
    level_names,
    parts,
    tokens_in,
)
from core.models.tokens.settings import TokenRequest
from core.tokens import RANKS, Mode
from tests.core.made_tokens import made_table


def test_levels_of_fraction_end_where_they_say() -> None:
    fractions = np.array([1.0, 0.5, 0.499, 0.1, 0.0999, 0.01, 0.0099, 0.0])
    assert fraction_levels(fractions).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert fraction_names() == [
        "fraction 0.5 or more", "fraction 0.1 to 0.5", "fraction 0.01 to 0.1", "fraction below 0.01",
    ]  # fmt: skip


def test_buckets_are_called_as_people_count() -> None:
    assert level_names(RANKS) == ["rank 1 to 10", "rank 11 to 100", "rank 101 to 1,000", "rank above 1,000"]


@settings(max_examples=25)
@given(st.integers(0, 40), st.integers(1, 12), st.data())
def test_parts_hold_every_token_once_and_all_of_the_text(number: int, most: int, data: st.DataObject) -> None:
    widths = data.draw(st.lists(st.integers(1, 3), min_size=number, max_size=number))
    edges = np.concatenate([[0], np.cumsum(widths)]).astype(int).tolist()
    table = made_table("x" * (edges[-1] + 1), list(itertools.pairwise(edges)))
    places = parts(table, most)
    assert places[0][0] == 0
    assert places[-1][1] == len(table.text)
    assert [end for _, end in places[:-1]] == [begin for begin, _ in places[1:]]
    held = [list(range(len(table)))[tokens_in(table, place)] for place in places]
    assert [i for part in held for i in part] == list(range(number))
    assert max(map(len, held), default=0) <= most


def test_a_character_of_several_pieces_is_not_cut_in_two() -> None:
    table = made_table("ab🦊cd", [(0, 1), (1, 2), (2, 3), (2, 3), (2, 3), (3, 4), (4, 5)])
    assert parts(table, 4) == [(0, 2), (2, 4), (4, 5)]
    assert [tokens_in(table, place) for place in parts(table, 4)] == [slice(0, 2), slice(2, 6), slice(6, 7)]


def test_one_text_under_two_tokenizers_differs_where_the_buckets_do() -> None:
    text = "a woodchuck chucks"
    first = made_table(text, [(0, 1), (1, 6), (6, 11), (11, 18)])
    second = made_table(text, [(0, 1), (2, 11), (12, 18)])
    marked = differing_levels(first, second, np.array([0, 1, 0, 2]), np.array([0, 1, 2]))
    assert [values.tolist() for values in marked] == [[False, False, True, False], [False, True, False]]
    none = differing_levels(first, first, np.array([0, 1, 0, 2]), np.array([0, 1, 0, 2]))
    assert not any(values.any() for values in none)


def test_two_texts_differ_by_their_words() -> None:
    first, second = made_table("the cat sat on the mat today"), made_table("the dog sat on the mat")
    values, other, share = differing_words(first, second)
    assert [word for word, marked in zip(first.text.split(), values, strict=True) if marked] == ["cat", "today"]
    assert [word for word, marked in zip(second.text.split(), other, strict=True) if marked] == ["dog"]
    assert share == pytest.approx(10 / 13)


def test_texts_that_share_little_are_not_marked() -> None:
    values, other, share = differing_words(made_table("one two three"), made_table("four five six seven three"))
    assert share == pytest.approx(2 / 8)
    assert not values.any()
    assert not other.any()


@pytest.mark.skipif(find_spec("torch") is None, reason="without PyTorch and the bundled models: make light")
def test_the_signature_names_model_revision_and_mode() -> None:
    assert TokenRequest("x").signature().startswith("smollm2-135m-instruct@0.1.2-q4_1|causal|float32|")
    assert TokenRequest("x", story=7).settings() == {"story": 7, "model": "", "mode": "causal"}
    behind = TokenRequest("x", story=7, prompt="A secret.")
    assert behind.settings() == {"story": 7, "prompted": True, "model": "", "mode": "causal"}
    assert behind.signature() not in (TokenRequest("x").signature(), TokenRequest("x", prompt="Another.").signature())
    assert TokenRequest("x", "m", Mode.MASKED).settings() == {"text": "x", "model": "m", "mode": "masked"}
