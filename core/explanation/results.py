"""Why a UNION gave a story its score: what each sentence adds, what the second head would write, where edits show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import InputError
from core.metrics.trained.odds import probability
from core.perturb.cases import kept_sentences
from core.perturb.edits import Perturbed
from core.perturb.negatives.marks import marked
from core.statistics.roc import beaten
from core.stories import Story, sentences, whole_story

Span = tuple[int, int]


@dataclass(frozen=True)
class StoryLayout:
    """A story as it is scored: prompt and text, its sentences (code points), and how many at the beginning a negative
    never changes.
    """

    text: str
    spans: tuple[Span, ...]
    fixed: int

    @classmethod
    def of(cls, story: Story) -> StoryLayout:
        """A prompt that stands before its story has sentences of its own, even without a full stop."""
        prompt, text = story.prompt.strip(), story.text.strip()
        joined = whole_story(prompt, text)
        offset = len(joined) - len(text)
        before = sentences(prompt) if offset else []
        spans = [*before, *((start + offset, end + offset) for start, end in sentences(text))]
        return cls(joined, tuple(spans), len(before) + kept_sentences(prompt, text))


@dataclass(frozen=True)
class ScoredSentence:
    """Code points `start` to `end` of the story. `fixed`: no negative's differs here.

    `without`: the story's logit where it is left out of what is read, of each window that it stands in; None where it
    lies behind what the checkpoint reads, or nothing else is read. Of a negative: whether it was `edited`, by which
    `techniques`, and the logit with the human story's sentence `restored` in its place.
    """

    start: int
    end: int
    fixed: bool
    without: float | None
    edited: bool = False
    techniques: tuple[str, ...] = ()
    restored: float | None = None


@dataclass(frozen=True)
class Rebuilt:
    """The piece at code points `start` to `end` of the story as it is read, where the second head would write another
    one, `instead`; both probabilities are over the base's whole vocabulary.
    """

    start: int
    end: int
    instead: str
    p: float
    p_standing: float


@dataclass(frozen=True)
class Explanation:
    """Logits are of P(human). `human`: of the human story, where this one is a negative of it. `rebuilt`: None where
    the checkpoint has not learnt to reconstruct; `pieces`: how many pieces were read for it.
    """

    logit: float
    sentences: tuple[ScoredSentence, ...]
    pieces: int = 0
    rebuilt: tuple[Rebuilt, ...] | None = None
    human: float | None = None

    @property
    def probability(self) -> float:
        """That the story is a person's; 0 to 1."""
        return probability(self.logit)

    def contribution(self, sentence: ScoredSentence) -> float | None:
        """What the sentence adds to the logit: the whole story's less that of the story without it."""
        return None if sentence.without is None else self.logit - sentence.without

    def regained(self, sentence: ScoredSentence) -> float | None:
        """What the human story's sentence in its place gives back of the logit."""
        return None if sentence.restored is None else sentence.restored - self.logit


def explanation_from(data: Mapping[str, Any]) -> Explanation:
    """An explanation as `core.formats.plain_json` has written it."""
    rebuilt = data["rebuilt"]
    return Explanation(
        data["logit"],
        tuple(ScoredSentence(**{**item, "techniques": tuple(item["techniques"])}) for item in data["sentences"]),
        data["pieces"],
        None if rebuilt is None else tuple(Rebuilt(**item) for item in rebuilt),
        data["human"],
    )


@dataclass(frozen=True)
class Search:
    """Whether the sentences that pull a negative's score down are those that were edited.

    Of the `free` sentences (read, and open to change) so many were `edited`; `hits` of these are among as many with
    the lowest contributions. `auc`: that an edited one contributes less than another, ties half; None where all or
    none of the free ones were edited.
    """

    free: int
    edited: int
    hits: int
    auc: float | None

    @property
    def chance(self) -> float:
        """Hits to expect of a blind choice."""
        return self.edited**2 / self.free if self.free else 0.0


def search(explanation: Explanation, technique: str | None = None) -> Search:
    """Look for the edited sentences of a negative, or for those of one technique among these and the unedited ones."""
    free = [
        (value, sentence.edited)
        for sentence in explanation.sentences
        if (value := explanation.contribution(sentence)) is not None
        and not sentence.fixed
        and (technique is None or not sentence.edited or technique in sentence.techniques)
    ]
    values, edited = np.array([value for value, _ in free]), np.array([was for _, was in free], dtype=bool)
    number = int(edited.sum())
    lowest = np.argsort(values, kind="stable")[:number]
    auc = None
    if 0 < number < len(free):
        auc = float(beaten(values[~edited], values[edited]).sum() / (number * (len(free) - number)))
    return Search(len(free), number, int(edited[lowest].sum()), auc)


def verdict(explanation: Explanation) -> str:
    """One plain sentence on whether a negative's recorded edits are where its score drops."""
    result = search(explanation)
    if not result.edited:
        return "No sentence that the checkpoint reads was edited, so there is no edit for its score to find."
    if result.auc is None:
        return "Every sentence that may change was edited, so none is left to tell the edited ones from."
    if result.edited == 1:
        which = "was the edited one" if result.hits else "was not the edited one"
        return f"The sentence whose removal raises the score most {which} (by chance: 1 in {result.free})."
    were = "was" if result.hits == 1 else "were"
    return (
        f"{result.hits} of the {result.edited} sentences whose removal raises the score most {were} edited "
        f"(by chance: {result.chance:.1f})."
    )


def edits_by_sentence(perturbed: Perturbed) -> list[tuple[bool, tuple[str, ...]]]:
    """Of each sentence of a negative: whether another one stands there in the original, and what made it.

    Raises InputError for what has not as many sentences as its original: no sampler's negative is so.
    """
    before, after = (
        [text[start:end] for start, end in sentences(text)] for text in (perturbed.original, perturbed.text)
    )
    if len(before) != len(after):
        raise InputError("The negative has not as many sentences as its original: they cannot be set side by side.")
    by_sentence: list[dict[str, None]] = [{} for _ in after]
    reached = 0
    spans = sentences(perturbed.text)
    for mark in marked(perturbed)[1]:
        end = reached + len(mark.text)
        for number, span in enumerate(spans):
            if _touch(span, (reached, end)):
                by_sentence[number] |= dict.fromkeys([*mark.whole, *mark.inside])
        reached = end
    return [
        (old != new, tuple(names) if old != new else ())
        for old, new, names in zip(before, after, by_sentence, strict=True)
    ]


def _touch(span: Span, other: Span) -> bool:
    """Whether they share a character, or an empty one lies in the other."""
    return max(span[0], other[0]) < min(span[1], other[1]) or (other[0] == other[1] and span[0] <= other[0] <= span[1])


def originals(perturbed: Perturbed) -> Sequence[str]:
    """The sentences of the human story."""
    return [perturbed.original[start:end] for start, end in sentences(perturbed.original)]
