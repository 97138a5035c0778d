"""A set of negatives, one of each human story: how often each technique was used, and which stories could not be
changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.perturb.cases import Case, kept_sentences
from core.perturb.edits import Perturbed
from core.perturb.negatives.sampler import Mix, Sampler
from core.statistics.intervals import wilson
from core.stories import StoryRecord, sentences

NEGATIVE = "negative"
"""The aspect of a case that was made for training or quality control: several techniques may have been at it."""
EMPTY, SINGLE, NOTHING = (
    "the story is empty",
    "it has one sentence, and a story's first never changes",
    "no technique finds anything to change",
)


@dataclass(frozen=True, slots=True)
class TechniqueShare:
    """So many `stories` of those that were changed, as a share (0..1) with Wilson's 95 % interval, and as the mix
    has it; None where none was changed.
    """

    name: str
    stories: int
    share: float | None
    low: float | None
    high: float | None
    expected: float


@dataclass(frozen=True)
class NegativeSet:
    """The negatives of `stories` stories in their order, and why others have none: (id, reason)."""

    stories: int
    cases: tuple[Case, ...]
    unchanged: tuple[tuple[str, str], ...]
    mix: Mix

    @property
    def reasons(self) -> dict[str, int]:
        """How many stories could not be changed, by why."""
        return dict(Counter(reason for _, reason in self.unchanged))

    @property
    def numbers(self) -> list[TechniqueShare]:
        """Stories by number of techniques."""
        counter = Counter(str(len(case.perturbed.steps)) for case in self.cases)
        return self._shares(counter, {str(number): share for number, share in self.mix.expected_numbers().items()})

    @property
    def techniques(self) -> list[TechniqueShare]:
        """Stories by technique; one may be among several."""
        counter = Counter(step.technique for case in self.cases for step in case.perturbed.steps)
        return self._shares(counter, {str(name): share for name, share in self.mix.expected_techniques().items()})

    def _shares(self, counts: Mapping[str, int], expected: Mapping[str, float]) -> list[TechniqueShare]:
        return [_share(name, counts.get(name, 0), len(self.cases), share) for name, share in expected.items()]


def _share(name: str, stories: int, whole: int, expected: float) -> TechniqueShare:
    if not whole:
        return TechniqueShare(name, stories, None, None, None, expected)
    return TechniqueShare(name, stories, stories / whole, *wilson(stories / whole, whole), expected)


def negative_of(record: StoryRecord, sampler: Sampler, seed: int) -> Perturbed | None:
    """The negative of one story: the same in every set with these lenders, this mix and this seed."""
    kept = kept_sentences(record.prompt, record.text)
    return sampler.negative(record.text, f"{seed}/{record.key}", kept)


def why_not(record: StoryRecord) -> str:
    """Why a story has no negative."""
    number = len(sentences(record.text))
    if not number:
        return EMPTY
    return SINGLE if number <= kept_sentences(record.prompt, record.text) else NOTHING


def negative_set(
    records: Sequence[StoryRecord], sampler: Sampler, seed: int, done: Callable[[int], None] | None = None
) -> NegativeSet:
    """One negative of each story; `done` is told how many stories are through."""
    cases, unchanged = [], []
    for number, record in enumerate(records, start=1):
        perturbed = negative_of(record, sampler, seed)
        if perturbed:
            cases.append(Case(record.key, NEGATIVE, 0, record.prompt, perturbed))
        else:
            unchanged.append((record.key, why_not(record)))
        if done:
            done(number)
    return NegativeSet(len(records), tuple(cases), tuple(unchanged), sampler.mix)
