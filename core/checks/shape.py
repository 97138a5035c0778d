"""Whether a text is a text at all: not empty, without words, one character over and over, or control characters."""

import re
from collections import Counter

from core.checks.findings import Finding, FindingKind, percent

FEWEST_CHARACTERS = 20
"""A shorter text may well be mostly one character."""
ONE_CHARACTER = 0.5
LETTERS = 0.5
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd\ufffe\uffff\ud800-\udfff]+")
"""Also what a wrong encoding leaves behind. Tab, the line ends and the form feed are white space."""

_LETTERS = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])+")
"""A vowel sign of Hindi or Thai is no letter to Python, but a part of one."""


def shape(text: str) -> tuple[Finding, ...]:
    """What is wrong with `text` before anything is read in it."""
    if not text.strip():
        return (Finding(FindingKind.NOT_TEXT, "The text is empty."),)
    results = []
    if not any(c.isalpha() for c in text):
        results.append(Finding(FindingKind.NOT_TEXT, "The text has no words."))
    elif strange := _strange(text):
        results.append(Finding(FindingKind.NOT_TEXT, strange))
    if spans := tuple(match.span() for match in _CONTROL.finditer(text)):
        count = sum(end - start for start, end in spans)
        what = "1 control or broken character" if count == 1 else f"{count:,} control or broken characters"
        results.append(
            Finding(FindingKind.NOT_TEXT, f"The text holds {what}: was it read in the wrong encoding?", spans)
        )
    return tuple(results)


def _strange(text: str) -> str:
    solid = "".join(text.split())
    if len(solid) < FEWEST_CHARACTERS:
        return ""
    share = Counter(solid.lower()).most_common(1)[0][1] / len(solid)
    if share > ONE_CHARACTER:
        return f"One character makes up {percent(share)} of the text."
    others = 1 - sum(len(run) for run in _LETTERS.findall(solid)) / len(solid)
    if others > 1 - LETTERS:
        return f"{percent(others)} of the text is neither letters nor white space."
    return ""
