"""What a web page or a letter puts around a text, and neither the text's author nor its generator wrote."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.checks.findings import Finding, FindingKind, Span, merged, percent, weight
from core.checks.phrases import ANYWHERE, BEGINNINGS, LITERALS
from core.stories import sentences

THRESHOLD = 0.1
"""Of a text's characters. Of 1,500 web pages' beginnings (webtext) 4 % have as much, of 1,500 ROCStories and 600
WritingPrompts stories none, of 659 texts of GPT-2 small 4 %."""
SHARED_WORDS = 5
SHARED_TEXTS = 10
SHARED_SHARE = 0.01
_NAVIGATION_LINES, _NAVIGATION_WORDS, _NAVIGATION_CHARACTERS = 5, 3, 40
_LONGEST_SEGMENT = 300
"""Characters: a longer sentence only mentions what a phrase below would give away."""

_ADDRESS = re.compile(r"(?:https?://|\bwww\.)[^\s<>\"]+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63})+", re.IGNORECASE)
_HEADER = re.compile(
    r"[ \t>]*(?:from|to|cc|bcc|subject|date|sent|reply-to|return-path|received|message-id|mime-version|content-[\w-]+"
    r"|x-[\w-]+):[ \t]*\S.*",
    re.IGNORECASE,
)
_BEGINNINGS = re.compile("|".join(p for patterns in BEGINNINGS.values() for p in patterns), re.IGNORECASE)
_ANYWHERE = re.compile("|".join(p for patterns in ANYWHERE.values() for p in patterns), re.IGNORECASE)
_LINE = re.compile(r"[^\n\r]+")
_BARS = re.compile(r"(?<!\S)(?:[|»›•·]|>{1,2})(?!\S)")
_BARS_IN_A_MENU, _WORDS_A_BAR = 3, 5


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
        return (Finding(FindingKind.BOILERPLATE, sentence, self.spans),)


def boilerplate(text: str, common: frozenset[str] = frozenset(), places: Sequence[Span] | None = None) -> Boilerplate:
    """Find boilerplate in `text`.

    `common`: what `common_segments` found in its corpus; `places`: its sentences, where they are known.
    """
    result: dict[str, list[Span]] = {}
    addresses = [match.span() for match in _ADDRESS.finditer(text)]
    if addresses:
        result["web or mail addresses"] = addresses
    shared, lowered = 0, text.lower()
    literals = [literal for literal in LITERALS if literal in lowered]
    for start, end in sentences(text) if places is None else places:
        if common and _key(text[start:end]) in common:
            result.setdefault("sentences that many texts share", []).append((start, end))
            shared += 1
        elif sort := _sort(text[start:end], literals):
            result.setdefault(sort, []).append((start, end))
    lines = [(a, b) for a, b in (match.span() for match in _LINE.finditer(text)) if text[a:b].strip()]
    for what, where in (("mail headers", _headers(text, lines)), ("a menu", _menus(text, lines))):
        if where:
            result[what] = where
    spans = merged([span for part in result.values() for span in part])
    solid = weight(text)
    share = sum(weight(text[a:b]) for a, b in spans) / solid if solid else 0.0
    return Boilerplate(share, spans, tuple(result), shared)


def common_segments(texts: Sequence[str], places: Sequence[Sequence[Span]]) -> frozenset[str]:
    """The sentences and lines of five words or more that stand in ten texts, and in one of a hundred, or more.

    `places`: the sentences of each text.
    """
    counts: Counter[str] = Counter()
    for text, spans in zip(texts, places, strict=True):
        counts.update({key for a, b in spans if (key := _key(text[a:b])).count(" ") >= SHARED_WORDS - 1})
    fewest = max(SHARED_TEXTS, SHARED_SHARE * len(texts))
    return frozenset(key for key, count in counts.items() if count >= fewest)


def _key(segment: str) -> str:
    return " ".join(segment.lower().split())


def _sort(segment: str, literals: Sequence[str]) -> str:
    """What sort of boilerplate a sentence or line is, "" where it is none that a phrase gives away.

    `literals`: those of `LITERALS` that its text has.
    """
    if len(segment) > _LONGEST_SEGMENT:
        return ""
    if _BEGINNINGS.match(segment):
        return next(what for what, patterns in BEGINNINGS.items() for p in patterns if re.match(p, segment, re.I))
    lowered = segment.lower() if literals else ""
    if any(literal in lowered for literal in literals) and _ANYWHERE.search(segment):
        return next(what for what, patterns in ANYWHERE.items() for p in patterns if re.search(p, segment, re.I))
    return ""


def _headers(text: str, lines: list[Span]) -> list[Span]:
    """Two lines or more under one another: a single "Date:" may stand in a story."""
    are = [_HEADER.fullmatch(text, *line) is not None for line in lines]
    return [line for i, line in enumerate(lines) if are[i] and any(are[max(0, i - 1) : i] + are[i + 1 : i + 2])]


def _menus(text: str, lines: list[Span]) -> list[Span]:
    """Lines with three separators or more, and five lines or more in a row of a few words without a full stop."""
    result = [(a, b) for a, b in lines if _barred(text[a:b])]
    short = [_short(text[a:b]) for a, b in lines]
    edges = [-1, *(i for i, is_short in enumerate(short) if not is_short), len(lines)]
    for left, right in pairwise(edges):
        if right - left - 1 >= _NAVIGATION_LINES:
            result.append((lines[left + 1][0], lines[right - 1][1]))
    return result


def _barred(line: str) -> bool:
    bars = len(_BARS.findall(line))
    return bars >= _BARS_IN_A_MENU and len(line.split()) <= (1 + _WORDS_A_BAR) * bars


def _short(line: str) -> bool:
    line = line.strip()
    few = len(line.split()) <= _NAVIGATION_WORDS and len(line) <= _NAVIGATION_CHARACTERS
    return few and line[-1] not in '.!?…。！？,;:"”’—-'
