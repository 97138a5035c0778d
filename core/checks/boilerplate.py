"""What a web page or a letter puts around a text: it is not what the text's author or generator wrote."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.checks.findings import Finding, Kind, Span, merged, percent, weight
from core.checks.phrases import PHRASES
from core.stories import sentences

THRESHOLD = 0.1
SHARED_WORDS = 5
SHARED_TEXTS = 10
SHARED_SHARE = 0.01
_NAVIGATION_LINES, _NAVIGATION_WORDS = 5, 3
_LONGEST_SEGMENT = 300
"""Characters: a longer sentence only mentions what a phrase below would give away."""

_ADDRESS = re.compile(r"(?:https?://|\bwww\.)[^\s<>\"]+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63})+", re.IGNORECASE)
_HEADER = re.compile(
    r"[ \t>]*(?:from|to|cc|bcc|subject|date|sent|reply-to|return-path|received|message-id|mime-version|content-[\w-]+"
    r"|x-[\w-]+):[ \t]*\S.*",
    re.IGNORECASE,
)
_SORTS = {what: re.compile("|".join(patterns), re.IGNORECASE) for what, patterns in PHRASES.items()}
_ANY = re.compile("|".join(pattern for patterns in PHRASES.values() for pattern in patterns), re.IGNORECASE)
_LINE = re.compile(r"[^\n\r]+")
_BARS = re.compile(r"(?<!\S)(?:[|»›•·]|>{1,2})(?!\S)")
_BARS_IN_A_MENU = 3


@dataclass(frozen=True)
class Boilerplate:
    """`spans`: what is boilerplate. `share`: of the text's characters without white space, in 0..1.

    `what`: the sorts that were found, in the reader's words. `shared`: how many sentences or lines stand in many texts
    of the corpus as well (0 where a text is checked alone).
    """

    share: float
    spans: tuple[Span, ...]
    what: tuple[str, ...]
    shared: int

    def findings(self) -> tuple[Finding, ...]:
        """One where boilerplate makes up a good part of the text."""
        if self.share < THRESHOLD:
            return ()
        sentence = f"{percent(self.share)} of the text looks like boilerplate: {', '.join(self.what)}."
        return (Finding(Kind.BOILERPLATE, sentence, self.spans),)


def segments(text: str) -> list[Span]:
    """The sentences of `text`; a line's end ends one."""
    return sentences(text)


def boilerplate(text: str, common: frozenset[str] = frozenset()) -> Boilerplate:
    """Find boilerplate in `text`; `common`: what `common_segments` found in its corpus."""
    found: dict[str, list[Span]] = {}
    addresses = [match.span() for match in _ADDRESS.finditer(text)]
    if addresses:
        found["web or mail addresses"] = addresses
    shared = 0
    for start, end in segments(text):
        if common and _key(text[start:end]) in common:
            found.setdefault("sentences that many texts share", []).append((start, end))
            shared += 1
        elif end - start <= _LONGEST_SEGMENT and _ANY.search(text[start:end]):
            found.setdefault(_sort(text[start:end]), []).append((start, end))
    lines = [match.span() for match in _LINE.finditer(text)]
    for what, where in (("mail headers", _headers(text, lines)), ("a menu", _menus(text, lines))):
        if where:
            found[what] = where
    spans = merged([span for one in found.values() for span in one])
    solid = weight(text)
    share = sum(weight(text[a:b]) for a, b in spans) / solid if solid else 0.0
    return Boilerplate(share, spans, tuple(found), shared)


def common_segments(texts: Sequence[str]) -> frozenset[str]:
    """The sentences and lines of five words or more that stand in ten texts, and in one of a hundred, or more."""
    counts = Counter(
        key
        for text in texts
        for key in {_key(text[a:b]) for a, b in segments(text)}
        if key.count(" ") >= SHARED_WORDS - 1
    )
    fewest = max(SHARED_TEXTS, SHARED_SHARE * len(texts))
    return frozenset(key for key, count in counts.items() if count >= fewest)


def _key(segment: str) -> str:
    return " ".join(segment.lower().split())


def _sort(segment: str) -> str:
    return next(what for what, pattern in _SORTS.items() if pattern.search(segment))


def _headers(text: str, lines: list[Span]) -> list[Span]:
    """Two lines or more under one another: a single "Date:" may stand in a story."""
    are = [_HEADER.fullmatch(text, *line) is not None for line in lines]
    return [line for i, line in enumerate(lines) if are[i] and any(are[max(0, i - 1) : i] + are[i + 1 : i + 2])]


def _menus(text: str, lines: list[Span]) -> list[Span]:
    """Lines with three separators or more, and five lines or more in a row of three words at most without an end."""
    found = [line for line in lines if len(_BARS.findall(text, *line)) >= _BARS_IN_A_MENU]
    short = [_short(text[a:b]) for a, b in lines]
    edges = [-1, *(i for i, is_short in enumerate(short) if not is_short), len(lines)]
    for left, right in pairwise(edges):
        if right - left - 1 >= _NAVIGATION_LINES:
            found.append((lines[left + 1][0], lines[right - 1][1]))
    return found


def _short(line: str) -> bool:
    line = line.strip()
    return not line or (
        len(line.split()) <= _NAVIGATION_WORDS and len(line) <= 40 and line[-1] not in '.!?…。！？,;:"”’—-'
    )
