"""What a check-up found in a text: a kind, a sentence, and where."""

from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""Code-point offsets into a text: from, to."""


class Kind(StrEnum):
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

    kind: Kind
    sentence: str
    spans: tuple[Span, ...] = ()


def percent(share: float) -> str:
    """A share as a reader sees it: "12 %", and never "0 %" for more than nothing."""
    return "less than 1 %" if 0 < share < 0.005 else f"{share:.0%}".replace("%", " %")


def merged(spans: list[Span]) -> tuple[Span, ...]:
    """`spans` in order; those that touch or overlap become one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, end))
    return tuple(found)


def weight(text: str) -> int:
    """How many characters of `text` are not white space."""
    return len("".join(text.split()))
