"""A case of a test set or of a set of negatives, and the human stories that cases are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.perturb.edits import Perturbed
from core.stories import Source, StoryRecord, begins_with_prompt, sentences


class Of(StrEnum):
    """What an original is: a human story, or one that was made incoherent before."""

    HUMAN = "human"
    INCOHERENT = "incoherent"


@dataclass(frozen=True, slots=True)
class Case:
    """A story of a test set. `label`: 1 where it counts as good, 0 where it was changed in this `aspect`.

    `story`: the id of the human story that it comes from ("" where that is `id` itself): cases of one story are not
    independent. `acceptable`: the mean P(acceptable) of the sentences that were changed, 0..1; None where none was,
    or nobody judged them.
    """

    id: str
    aspect: str
    label: int
    prompt: str
    perturbed: Perturbed
    story: str = ""
    of: Of = Of.HUMAN
    acceptable: float | None = None

    @property
    def source(self) -> str:
        """The id of the human story that it comes from."""
        return self.story or self.id


def human_stories(records: Sequence[StoryRecord]) -> list[StoryRecord]:
    """What negatives are made of: the stories by people, or, where none is marked so, all but the negative ones."""
    candidates = [record for record in records if record.source is not Source.NEGATIVE]
    return [record for record in candidates if record.source is Source.HUMAN] or candidates


def kept_sentences(prompt: str, text: str) -> int:
    """How many sentences of a story never change: the first, or the prompt's where the story begins with it; none
    where the prompt stands before it and so is the beginning (UNION section 3.2).
    """
    if not prompt.strip():
        return 1
    return len(sentences(prompt)) if begins_with_prompt(prompt, text) else 0
