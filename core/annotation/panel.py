"""Panels: the stories of one assignment as one annotator sees them, and in which order."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from string import ascii_uppercase

from core.annotation.criterion import OVERALL
from core.annotation.onboarding import PracticeStep
from core.annotation.spans import Span

_BRACKETED = re.compile(r"\[[^\]]*\]|<[^>]*>")
_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z0-9 _-]*\]|<[A-Z][A-Z0-9 _-]*>")


def letter(position: int) -> str:
    """A, B, … Z, then A2, B2, …: how a story is called on the form."""
    turn, index = divmod(position, len(ascii_uppercase))
    return ascii_uppercase[index] + (str(turn + 1) if turn else "")


def order_rows(size: int) -> int:
    """How many rows a balanced design for `size` stories has: `size`, or twice as many where it is odd."""
    return size if size % 2 == 0 else 2 * size


def balanced_order(size: int, row: int) -> list[int]:
    """Row `row` of a Williams design for `size` stories: a permutation of 0..size-1.

    Over `order_rows(size)` rows every story stands in every position, and follows every other story, equally often
    (Williams 1949).
    """
    if size < 1:
        return []
    row %= order_rows(size)
    zigzag = [i // 2 + 1 if i % 2 else (size - i // 2) % size for i in range(size)]
    order = [(value + row) % size for value in zigzag]
    return order[::-1] if row >= size else order


def as_side(value: int) -> int:
    """A pair's answer turned between what is stored and what is shown; the same call turns it back.

    Stored: how the story shown first compares with the other one, below 0 worse, 0 equal, above 0 better. Shown: which
    is better, below 0 the first, 0 neither, above 0 the second.
    """
    return -value


@dataclass(frozen=True)
class Answer:
    """What an annotator has said of one story so far: `values` by criterion, for those that are rated. `saved_at` in
    UTC.

    `spans`: the passages given as evidence, by error type; only types that are deducted have any. `comment`: the reason
    in the annotator's own words.
    """

    values: Mapping[str, int] = field(default_factory=dict)
    deductions: Mapping[str, int] = field(default_factory=dict)
    saved_at: datetime | None = None
    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    comment: str = ""

    @property
    def overall(self) -> int | None:
        """The overall rating, None until it is given."""
        return self.values.get(OVERALL)

    def with_value(self, criterion: str, value: int | None) -> "Answer":
        """The same answer with a rating on a criterion; None takes it back."""
        kept = {name: given for name, given in self.values.items() if name != criterion}
        return replace(self, values=kept if value is None else {**kept, criterion: value})


@dataclass(frozen=True)
class Doubt:
    """A story whose rating is far from its deductions: its letter, its rating and the points deducted."""

    letter: str
    overall: int
    points: int


@dataclass(frozen=True)
class PanelStory:
    """A story as its annotator receives it: an opaque token, a letter and the text. Nothing tells where it is from."""

    token: str
    letter: str
    text: str
    answer: Answer


def in_lower_case(texts: Sequence[str]) -> bool:
    """Whether texts are in small letters throughout, but for names that stand in brackets, such as `[MALE]`."""
    bare = [_BRACKETED.sub("", text) for text in texts]
    return any(map(str.islower, bare)) and not any(sign.isupper() for text in bare for sign in text)


def placeholder_in(texts: Iterable[str]) -> str:
    """What most often stands in brackets and capitals for a name, such as `[MALE]`; "" where nothing does."""
    placeholders = Counter(word for text in texts for word in _PLACEHOLDER.findall(text))
    return placeholders.most_common(1)[0][0] if placeholders else ""


@dataclass(frozen=True)
class PanelPair:
    """Two stories side by side, and what is said of both: `answer` says which side is better (see `as_side`). The
    stories have no answers of their own: the form must not tell which of the two is rated, nor which pair is a control.

    `prompt` is "" where the scheme hides it. The token is the first story's; that of the second is as good.
    """

    prompt: str
    stories: tuple[PanelStory, PanelStory]
    answer: Answer

    @property
    def token(self) -> str:
        """What the pair is known by."""
        return self.stories[0].token


@dataclass(frozen=True)
class Panel:
    """What an annotator has in hand: stories in this annotator's stored order; where they are compared, in `pairs`.

    `prompt` is "" where the scheme hides it, or where each pair has its own.
    """

    token: str
    prompt: str
    stories: tuple[PanelStory, ...]
    pairs: tuple[PanelPair, ...] = ()


class End(StrEnum):
    """Why there is nothing to rate for a person now."""

    COMPLETE = "complete"
    """They have rated all that there is for them."""
    FULL = "full"
    """Every slot was taken before they began."""
    NOT_QUALIFIED = "not qualified"
    EXPIRED = "expired"
    """They left their panel for so long that somebody else took its slot, and no other is free."""
    NO_CONSENT = "no consent"
    ALREADY_DONE = "already done"
    """They had finished before this visit."""
    CLOSED = "closed"
    """The study is not open."""


FINISHED = (End.COMPLETE, End.ALREADY_DONE)
"""The ends of those who have rated all that there was for them."""


@dataclass(frozen=True)
class NoteReply:
    """What was decided on the note that an annotator left on a rejected panel, the `number`-th that they handed in.

    Neither who decided nor why: a reason may tell which of the stories were the controls.
    """

    number: int
    note: str
    accepted: bool


@dataclass(frozen=True)
class AnnotatorTurn:
    """Where an annotator stands: a panel in hand, or the end they have come to, or neither if they may begin a panel.

    `code`: the completion code of that end, `back`: the address that takes the person back to their platform with it,
    and `earlier_code`: what they were given when they finished, where that was before this visit. `consent`: the text
    they have to agree to before they begin, "" if none.
    `finished` counts the panels handed in; `last_rejected` says whether the newest of them was not accepted, `appeal`
    what they have said to that; `reply`: what was decided on the last note that they left on any of them;
    `left_out` whether somebody who runs studies took theirs out again; `lapsed` whether a panel they had begun went to
    somebody else. `most`: how many panels there can be for them, those finished included.
    `paused`: how many rejected panels in a row have paused them, 0 where they are not.
    `closing_question`: what they are asked at the end that they have come to, "" for nothing; `closing_comment`: what
    they have answered.
    `practice`: where they stand in the study's practice, None where there is nothing of it to show.
    """

    panel: Panel | None
    end: End | None
    finished: int
    last_rejected: bool
    code: str = ""
    consent: str = ""
    appeal: str = ""
    lapsed: bool = False
    back: str = ""
    earlier_code: str = ""
    most: int = 0
    paused: int = 0
    practice: PracticeStep | None = None
    closing_question: str = ""
    closing_comment: str = ""
    left_out: bool = False
    reply: NoteReply | None = None
