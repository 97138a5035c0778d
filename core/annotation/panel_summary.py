"""A panel that was handed in, as the figures that flags, tables and sums need, so that thousands are read at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

UnitKey = tuple[int, int | None, int | None]
"""A slot's unit: the prompt, the story where the slot is for one, and the panel of pairs where it is for one."""


class ControlPair(NamedTuple):
    """The answer about a pair of which one story is damaged: the stories' ids, and by how much the undamaged one was
    found better, below 0 where it was found worse.
    """

    undamaged: int
    damaged: int
    better_by: float


class StorySoFar(NamedTuple):
    """Where a story is from, by its system or its source, and how many ratings of it count."""

    origin: str
    ratings: int


class Show(StrEnum):
    """Which panels a table shows."""

    ALL = "all"
    FLAGGED = "flagged"
    REJECTED = "rejected"
    NOTED = "with a note"
    BY_HAND = "by hand"
    UNPAID = "unpaid"
    SURPLUS = "surplus"


@dataclass(frozen=True, slots=True)
class PanelSummary:
    """A panel that was handed in, without its single ratings.

    `unit` names its slot. `answers` were given, those about controls included, from `lowest` to `highest`; `human`: the
    least that a human control got, `negative`: the most that a negative one got, None without one. `contradictions`:
    stories whose rating does not go with their deductions (`quality.contradicts`), but for those that the form asked
    about and that stayed as they were: they are meant. Of its `stories`, `straight` got the same number on all
    criteria; `inattentive`: its attention check was not answered as it asks. Of a panel of pairs, ratings say how the
    story shown first compares; `controls`: each pair with a damaged story, in the order in which they were shown;
    `turned`: of the pair that was shown twice, each of the two stories was found better once. `seconds` from claim to
    hand-in, pauses included; 0 where the clock tells nothing. `noted`: the annotator left a note; `note_waits`: on a
    rejection on which nobody has decided since. `own_try`: by somebody who runs studies, and so pays themself nothing.
    """

    id: int
    person_id: int | None
    annotator: str
    unit: UnitKey
    prompt: str
    answers: int
    lowest: float
    highest: float
    human: float | None
    negative: float | None
    contradictions: int
    straight: int
    stories: int
    inattentive: bool
    words: int
    seconds: float
    submitted_at: datetime
    state: str
    valid: bool
    reason: str
    overridden: bool
    payment: str
    payment_reason: str
    noted: bool
    controls: tuple[ControlPair, ...] = ()
    turned: bool = False
    own_try: bool = False
    note_waits: bool = False

    @property
    def whose(self) -> int | str:
        """The number of the person who handed it in, or, where they are none here (any more), the rater's name."""
        return self.annotator if self.person_id is None else self.person_id

    @property
    def counts(self) -> bool:
        """Whether it fills a slot."""
        return self.valid and self.state == "submitted"

    @property
    def verdict(self) -> str:
        """Valid, surplus (valid, its slot was filled) or rejected; of a try of somebody who runs studies that it is
        one, too.
        """
        if self.own_try and self.overridden and not self.valid:
            return "own try, left out"
        became = "rejected" if not self.valid else "surplus" if self.state == "surplus" else "valid"
        return f"own try, {became}" if self.own_try else became


def select_panels(panels: Iterable[PanelSummary], which: Show, flagged: Mapping[int, object]) -> list[PanelSummary]:
    """The panels of one kind, the newest first, but of those with a note first those whose note waits; `flagged`: by
    the ids of those with remarks.
    """
    keep = {
        Show.ALL: lambda _: True,
        Show.FLAGGED: lambda panel: panel.id in flagged,
        Show.REJECTED: lambda panel: not panel.valid,
        Show.NOTED: lambda panel: panel.noted,
        Show.BY_HAND: lambda panel: panel.overridden,
        Show.UNPAID: lambda panel: panel.payment != "paid" and not panel.own_try,
        Show.SURPLUS: lambda panel: panel.state == "surplus",
    }[which]
    return sorted(filter(keep, panels), key=lambda panel: (which is Show.NOTED and not panel.note_waits, -panel.id))
