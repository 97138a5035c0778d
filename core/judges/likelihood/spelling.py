"""Where the tokens that an endpoint tells stand in the text that it read: their texts have to spell it."""

import re
from collections.abc import Sequence

UNKNOWN = "\ufffd"
"""Stands in a token's text for bytes that are no whole character."""
_PARTS = re.compile(f"({UNKNOWN})")
_LONGEST_PART = 4
"""Bytes of a character of which a token without any text may be a part."""

Place = tuple[int, int]
"""The earliest and the latest byte where a token may begin; the same where the text leaves no doubt."""


def places(text: str, following: Sequence[str]) -> list[Place] | None:
    """Where each of these tokens may begin in the UTF-8 of `text`, of which one token that is not among them comes
    first; None where they do not spell its end.

    Some servers leave the space before a word out of the token's text, and write `UNKNOWN`, or nothing, for a part of a
    character: such a token may stand wherever all of the others still fit.
    """
    whole = text.encode()
    possible = [{len(whole)}]
    for token in reversed(following):
        begins = {begin for end in possible[-1] for begin in _begins(whole, end, token)}
        if not begins:
            return None
        possible.append(begins)
    possible.reverse()
    for index, token in enumerate(following):
        possible[index + 1] = {
            end for end in possible[index + 1] if possible[index].intersection(_begins(whole, end, token))
        }
    return [(min(begins), max(begins)) for begins in possible[: len(following)]]


def _begins(whole: bytes, end: int, token: str) -> set[int]:
    """Where a token may begin that ends at byte `end`."""
    if not token:
        return {end} | _unwritten(whole, end)
    begins = {end}
    for part in reversed(_PARTS.split(token)):
        if part == UNKNOWN:
            begins = {begin for place in begins for begin in _fragments(whole, place)}
        else:
            written = part.encode("utf-8", "replace")
            begins = {place - len(written) for place in begins if whole.endswith(written, 0, place)}
    return begins if token[0].isspace() else begins | _after_spaces(whole, begins)


def _after_spaces(whole: bytes, begins: set[int]) -> set[int]:
    return {begin - 1 for begin in begins if whole[max(begin - 1, 0) : begin] == b" "}


def _fragments(whole: bytes, end: int) -> set[int]:
    """Where bytes that are no whole character, and end at `end`, may begin: a decoder writes one sign for the
    beginning of a character that is cut off, and one for each further byte that follows no beginning.
    """
    begins = set()
    if end and 0x80 <= whole[end - 1] < 0xC0:
        begins.add(end - 1)
    for begin in range(max(end - _LONGEST_PART + 1, 0), end):
        lead, others = whole[begin], whole[begin + 1 : end]
        length = 2 if 0xC0 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if lead >= 0xF0 else 0
        if end - begin < length and all(0x80 <= byte < 0xC0 for byte in others):
            begins.add(begin)
    if whole.endswith(UNKNOWN.encode(), 0, end):  # the text has this sign itself
        begins.add(end - len(UNKNOWN.encode()))
    return begins


def _unwritten(whole: bytes, end: int) -> set[int]:
    """Where a token without any text may begin: it is a space, or part of a character."""
    begins = set()
    for begin in range(end - 1, max(end - _LONGEST_PART, 0) - 1, -1):
        if whole[begin] < 0x80:
            break
        begins.add(begin)
    return begins | _after_spaces(whole, begins | {end})
