"""Windows over long texts: everything is read, in whole sentences, and a short text as it always was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stories import first_words, sentences
from core.windows import Long, fits, read_in, windows
from tests.core.stories import TEXTS

WORDY = st.lists(st.sampled_from(["a", "dog", "ran.", "Mr.", "home!", "。", "?", "M。M", "\n", '."'])).map(" ".join)


@given(TEXTS | WORDY, st.integers(1, 12))
def test_every_sentence_is_read_in_windows_that_are_short_enough(text: str, words: int) -> None:
    result = windows(text, words)
    assert fits(text, words) == (len(result) == 1)
    reached = 0
    for start, end in result:
        assert len(text[start:end].split()) <= words or len(result) == 1
        assert not text[reached : max(start, reached)].strip()  # nothing is left out between two
        assert end > reached or not text
        reached = end
    assert not text[reached:].strip()
    if len(result) > 1:
        for start, end in sentences(text):
            whole = any(first <= start and end <= last for first, last in result)
            assert whole or len(text[start:end].split()) > words


@given(TEXTS | WORDY, st.integers(1, 12))
def test_the_first_window_is_the_cut(text: str, words: int) -> None:
    for long in Long:
        start, end = read_in(text, words, long)[0]
        assert text[start:end] == first_words(text, words)
    assert len(read_in(text, words, Long.CUT)) == 1


def test_a_text_of_any_length_is_read_at_once_where_no_number_is_given() -> None:
    text = "A dog. " * 500
    assert [read_in(text, 0, long) for long in Long] == [[(0, len(text))]] * 2
    assert fits(text, 0)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A b. C d. E f.", ["A b. C d.", "C d. E f."]),
        ("A b. C d. E f. G h. I.", ["A b. C d.", "E f. G h.", "G h. I."]),
        ("A b c d e f. G.", ["A b c d", "e f. G."]),
        ("Yes. B c d e f g h i j k. No.", ["Yes.", "B c d e", "f g h i", "j k. No."]),
    ],
)
def test_windows_by_hand(text: str, wanted: list[str]) -> None:
    assert [text[start:end] for start, end in windows(text, 4)] == wanted
