import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.checks.repetition import N, repeats, repetition, words
from tests.core.stories import TEXTS

ONCE = "The old man walked down to the harbour and looked for his boat."


def brute(tokens: list[str]) -> tuple[float, int]:
    """Share of runs of four seen before, and the longest passage that stands there twice, by trying all."""
    seen: set[tuple[str, ...]] = set()
    again = 0
    runs = [tuple(tokens[i : i + N]) for i in range(len(tokens) - N + 1)]
    for run in runs:
        again += run in seen
        seen.add(run)
    longest = max(
        (
            n
            for n in range(N, len(tokens) // 2 + 1)
            for i in range(len(tokens) - n + 1)
            for j in range(i + n, len(tokens) - n + 1)
            if tokens[i : i + n] == tokens[j : j + n]
        ),
        default=0,
    )
    return (again / len(runs) if runs else 0.0), longest


@given(TEXTS | st.lists(st.sampled_from(["a", "B", "b.", "İ", "ﬁ", "夜"]), max_size=60).map(" ".join))
def test_whether_a_text_goes_in_circles_is_told_quickly(text: str) -> None:
    assert repeats(text) == repetition(text).repeats


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=40))
def test_share_and_longest_passage_are_those_of_trying_all(tokens: list[str]) -> None:
    result = repetition(" ".join(tokens))
    share, longest = brute(tokens)
    assert result.share == pytest.approx(share)
    assert result.longest == longest


def test_the_spans_are_the_second_time_and_the_longest_passage_is_shown_twice() -> None:
    text = f"{ONCE} {ONCE.upper()} Nobody knew."
    result = repetition(text)
    assert result.repeats
    assert result.longest == 13
    (start, end), *others = result.spans
    assert text[start:end] == ONCE.upper().rstrip(".")
    assert not others
    first, second = result.longest_spans
    assert text[slice(*first)].lower() == text[slice(*second)].lower() == ONCE.lower().rstrip(".")


@pytest.mark.parametrize("text", ["", "no", "no no no no", "one two three four", ONCE])
def test_a_short_or_an_ordinary_text_does_not_repeat(text: str) -> None:
    result = repetition(text)
    assert not result.repeats
    assert result.spans == ()
    assert result.findings() == ()


def test_capitals_that_grow_in_small_letters_move_no_span() -> None:
    text = "İ " + "The boat was gone again. " * 4
    result = repetition(text)
    assert result.repeats
    assert text[slice(*result.spans[0])].startswith("The boat was gone")


def test_words_of_scripts_without_spaces_are_characters() -> None:
    assert len(words("他走了。")) == 3
    assert repetition("他走到了海边，" * 6).repeats


def test_the_sentence_holds_nothing_of_the_text() -> None:
    (finding,) = repetition("spam " * 60).findings()
    assert "spam" not in finding.sentence
    assert finding.spans


def test_a_long_text_is_quick_and_its_spans_are_in_order() -> None:
    rng = random.Random(1)
    text = " ".join(rng.choice("abcdefgh") for _ in range(20_000))
    result = repetition(text)
    assert result.share > 0.5
    assert all(end <= start for (_, end), (start, _) in pairwise(result.spans))
