"""Long stories for models that read a limited number of words: cut, or in windows of whole sentences."""

import re
from bisect import bisect_right
from enum import StrEnum

from core.stories import first_words, sentences

Span = tuple[int, int]


class Long(StrEnum):
    """What is done with a story that is longer than what is read at once."""

    WINDOWS = "windows"
    CUT = "cut"


def read_in(text: str, words: int, long: Long = Long.WINDOWS) -> list[Span]:
    """What is read of `text`, `words` words at once (0: any number): windows over all of it, or its beginning alone."""
    if not words:
        return [(0, len(text))]
    return windows(text, words) if long is Long.WINDOWS else [(0, len(first_words(text, words)))]


def fits(text: str, words: int) -> bool:
    """Whether all of a text is read at once, whatever is done with longer ones."""
    return not words or len(text.split()) <= words


def windows(text: str, words: int) -> list[Span]:
    """Code-point offsets (start, end) of windows over all of `text`: of whole sentences, but for one that is longer
    than a window, and of `words` words at most. A text that is short enough has one.

    The first is what `first_words` gives, each begins where the one before ends, and the last reaches back as far as it
    may, so that it is no shorter than others.
    """
    places = [match.span() for match in re.finditer(r"\S+", text)]
    if len(places) <= words:
        return [(0, len(text))]
    starts, ends = zip(*places, strict=True)
    split = [_within(span, starts, ends, words) for span in sentences(text)]
    units = [unit for some in split for unit in some]
    begun = {some[0] for some in split if len(some) > 1}  # a sentence that is longer begins a window
    before = [bisect_right(ends, start) for start, _ in units]  # words in front of each
    results: list[Span] = []
    first = 0
    while True:
        reach = ends[min(before[first] + words, len(ends)) - 1]
        behind = first + 1
        while behind < len(units) and units[behind][1] <= reach and units[behind] not in begun:
            behind += 1
        if behind == len(units):
            break
        results.append((units[first][0], units[behind - 1][1]))
        first = behind
    while len(ends) - before[first - 1] <= words:
        first -= 1
    results.append((units[first][0], units[-1][1]))
    return [(0, results[0][1]), *results[1:]]


def _within(span: Span, starts: tuple[int, ...], ends: tuple[int, ...], words: int) -> list[Span]:
    """A sentence; of one that has more words, pieces of so many. `starts`, `ends`: of the text's words."""
    start, end = span
    pieces: list[Span] = []
    while True:
        behind = bisect_right(ends, start) + words
        if behind >= len(ends) or ends[behind - 1] >= end:
            return [*pieces, (start, end)]
        pieces.append((start, ends[behind - 1]))
        start = starts[behind]
