"""Where tokens stand in a text, found from their texts alone."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.judges.likelihood.spelling import places

SIGNS = st.text(st.sampled_from("ab .\né日🦊\ufffd"), min_size=1, max_size=12)


def cut(text: str, edges: set[int]) -> tuple[list[int], list[str]]:
    """Where each token begins in the bytes, and its text as a decoder writes it alone."""
    whole = text.encode()
    begins = sorted({0, *(edge % len(whole) for edge in edges)})
    return begins, [whole[a:b].decode("utf-8", "replace") for a, b in pairwise([*begins, len(whole)])]


@given(SIGNS, st.sets(st.integers(0, 40), max_size=12))
def test_a_token_may_begin_where_it_does(text: str, edges: set[int]) -> None:
    begins, tokens = cut(text, edges)
    found = places(text, tokens[1:])
    assert found is not None
    assert all(earliest <= begin <= latest for begin, (earliest, latest) in zip(begins[1:], found, strict=True))


@given(st.lists(st.sampled_from([" the", " fox", ".", " ran", "ning", "\n", "é", " 日本"]), min_size=2, max_size=9))
def test_whole_characters_leave_no_doubt(tokens: list[str]) -> None:
    found = places("".join(tokens), tokens[1:])
    begins = [len("".join(tokens[:place]).encode()) for place in range(1, len(tokens))]
    assert found == [(begin, begin) for begin in begins]
    assert places("".join(tokens) + "!", tokens[1:]) is None


@given(st.lists(st.sampled_from(["the", "fox", "ran", "🦊"]), min_size=2, max_size=9))
def test_spaces_that_are_left_out(words: list[str]) -> None:
    """As SentencePiece's decoder does of a word alone: the space is its token's."""
    found = places(" ".join(words), words[1:])
    assert found is not None
    begins = [len(" ".join(words[:place]).encode()) for place in range(1, len(words))]
    assert [earliest for earliest, _ in found] == begins
    assert all(latest - earliest <= 1 for earliest, latest in found)


def test_parts_of_a_character() -> None:
    """A sign for three bytes that begin a character, and one for the byte that ends it; or no text at all."""
    assert places("a 🦊 b", [" \ufffd", "\ufffd", " b"]) == [(1, 1), (5, 5), (6, 6)]
    assert places("a 🦊 b", ["", " 🦊", " b"]) == [(1, 1), (1, 1), (6, 6)]
    assert places("a🦊b", ["", "", "", "b"]) is not None


def test_what_does_not_fit() -> None:
    assert places("the fox", [" cat"]) is None
    assert places("the fox", []) == []
    assert places("The Fox", [" fox"]) is None
