"""Byte-level pieces: every byte comes back, and pieces find their place in the text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.pieces import bytes_of, piece_of, readable, spans, words_of


def test_every_byte_has_a_letter_of_its_own() -> None:
    whole = bytes(range(256))
    piece = piece_of(whole)
    assert len(set(piece)) == 256
    assert bytes_of(piece) == whole
    assert piece_of(b" the\n") == "ĠtheĊ"
    assert not any(letter.isspace() for letter in piece)


def test_half_a_character_is_shown_by_its_bytes() -> None:
    assert readable(" é".encode()) == " é"
    assert readable("é".encode()[:1] + b"!") == "\\xc3!"
    assert bytes_of("日 ") == "日 ".encode()  # of an added token


def obvious_spans(text: str, parts: list[bytes]) -> list[tuple[int, int]]:
    """Byte by byte: the characters that a part touches."""
    owner = [i for i, character in enumerate(text) for _ in character.encode()]
    result, at = [], 0
    for part in parts:
        result.append((owner[at], owner[at + len(part) - 1] + 1))
        at += len(part)
    return result


@settings(max_examples=40)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.data())
def test_parts_find_their_place(text: str, data: st.DataObject) -> None:
    whole = text.encode()
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(whole) - 1)))))
    parts = [part for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True) if (part := whole[a:b])]
    result = spans(text, parts)
    assert result is not None
    assert list(zip(*(side.tolist() for side in result), strict=True)) == obvious_spans(text, parts)


def test_parts_of_another_text_have_no_place() -> None:
    assert spans("ab", [b"a"]) is None
    result = spans("", [])
    assert result is not None
    assert len(result[0]) == len(result[1]) == 0


@pytest.mark.parametrize(
    ("text", "starts", "words"),
    [
        ("a bc  d", [0, 1, 3, 4, 5, 6], [0, 1, 1, 2, 2, 2]),
        (" \n", [0, 1], [0, 0]),
        ("", [], []),
        ("a ", [0, 1], [0, 0]),
        ("日本 語", [0, 1, 2], [0, 0, 1]),
    ],
)
def test_words(text: str, starts: list[int], words: list[int]) -> None:
    assert words_of(text, np.array(starts, dtype=np.int64)).tolist() == words
