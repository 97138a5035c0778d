"""What a check-up found in a text: a kind, a sentence, and where."""

from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""Code-point offsets into a text: from, to."""


class FindingKind(StrEnum):
    """What makes a text unfit to be judged by its probabilities; texts are excluded by it."""

    REPETITION = "repetition"
    BOILERPLATE = "boilerplate"
    LANGUAGE = "language"
    NOT_TEXT = "not text"


@dataclass(frozen=True)
class Finding:
    """One thing that a check-up found.

    `sentence` is plain English and holds nothing of the text itself; `spans` are where it was found, in order and
    without overlap, and empty where it is true of the whole.
    """

    kind: FindingKind
    sentence: str
    spans: tuple[Span, ...] = ()


def percent(share: float) -> str:
    """A share as a reader sees it: "12 %", and never "0 %" for more than nothing."""
    return "less than 1 %" if 0 < share < 0.005 else f"{share:.0%}".replace("%", " %")


def merged(spans: list[Span]) -> tuple[Span, ...]:
    """`spans` in order; those that touch or overlap become one."""
    results: list[Span] = []
    for start, end in sorted(spans):
        if results and start <= results[-1][1]:
            results[-1] = (results[-1][0], max(end, results[-1][1]))
        elif end > start:
            results.append((start, end))
    return tuple(results)


def weight(text: str) -> int:
    """How many characters of `text` are not white space."""
    return len("".join(text.split()))
