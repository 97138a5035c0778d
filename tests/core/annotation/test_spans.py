"""Passages of a story: inside the text, in order, joined where they meet."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.spans import MOST_SPANS, check_span, with_span, without_span
from core.errors import InputError

SPANS = st.tuples(st.integers(0, 60), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def covered(spans: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


@given(st.lists(SPANS, max_size=12))
def test_spans_cover_what_was_marked_in_order_and_apart(marked: list[tuple[int, int]]) -> None:
    result: tuple[tuple[int, int], ...] = ()
    for span in marked:
        result = with_span(result, span)
    assert covered(result) == covered(marked)
    assert all(end < start for (_, end), (start, _) in pairwise(result))


@given(st.lists(SPANS, max_size=12), SPANS)
def test_what_is_taken_back_leaves_nothing_in_common(marked: list[tuple[int, int]], gone: tuple[int, int]) -> None:
    left = without_span(marked, gone)
    assert not covered(left) & covered([gone])
    assert set(left) == {span for span in marked if not covered([span]) & covered([gone])}


@pytest.mark.parametrize("span", [(-1, 2), (3, 3), (4, 2), (0, 6), (5, 6)])
def test_a_passage_outside_of_the_story_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="lies outside of the story, which ends at 5"):
        check_span("a🦊b\u0301c", span)  # five code points


def test_a_passage_may_be_the_whole_story() -> None:
    check_span("a🦊b\u0301c", (0, 5))


def test_too_many_passages_are_refused() -> None:
    result = tuple((3 * i, 3 * i + 1) for i in range(MOST_SPANS))
    assert len(with_span(result[:-1], result[-1])) == MOST_SPANS
    with pytest.raises(InputError, match="at most 100 passages"):
        with_span(result, (3 * MOST_SPANS, 3 * MOST_SPANS + 1))
