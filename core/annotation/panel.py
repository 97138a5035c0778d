"""Panels: the stories of one prompt as one annotator sees them, and in which order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from string import ascii_uppercase


def letter(position: int) -> str:
    """A, B, … Z, then A2, B2, …: how a story is called on the form."""
    turn, index = divmod(position, len(ascii_uppercase))
    return ascii_uppercase[index] + (str(turn + 1) if turn else "")


def balanced_order(size: int, row: int) -> list[int]:
    """Row `row` of a Williams design for `size` stories: a permutation of 0..size-1.

    Over `size` rows (2 * `size` where it is odd) every story stands in every position, and follows every other story,
    equally often (Williams 1949).
    """
    if size < 1:
        return []
    rows = size if size % 2 == 0 else 2 * size
    row %= rows
    zigzag = [i // 2 + 1 if i % 2 else (size - i // 2) % size for i in range(size)]
    order = [(value + row) % size for value in zigzag]
    return order[::-1] if row >= size else order


@dataclass(frozen=True)
class Answer:
    """What an annotator has said of one story so far; `overall` is None until rated. `saved_at` in UTC."""

    overall: int | None = None
    deductions: Mapping[str, int] = field(default_factory=dict)
    saved_at: datetime | None = None


@dataclass(frozen=True)
class PanelStory:
    """A story as its annotator receives it: an opaque token, a letter and the text. Nothing tells where it is from."""

    token: str
    letter: str
    text: str
    answer: Answer


@dataclass(frozen=True)
class Panel:
    """One prompt and its stories in this annotator's stored order."""

    token: str
    prompt: str
    stories: tuple[PanelStory, ...]


class Waiting(StrEnum):
    """Why there is no panel for an annotator: they have had every prompt, no slot is free, or the study is not open."""

    COMPLETE = "complete"
    FULL = "full"
    CLOSED = "closed"


@dataclass(frozen=True)
class Turn:
    """Where an annotator stands: a panel in hand, or why there is none for them; neither if they may begin one.

    `finished` counts the panels handed in, `last_rejected` says whether the newest of them was not accepted.
    """

    panel: Panel | None
    waiting: Waiting | None
    finished: int
    last_rejected: bool
