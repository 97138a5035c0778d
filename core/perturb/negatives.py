"""Negative samples (UNION section 3.2): a human story made worse by one to four techniques, one after another.

The first sentence never changes, and the number of sentences stays. Every negative carries what was done to it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.errors import InputError
from core.perturb.edits import Draft, Perturbed, changed
from core.perturb.knowledge import Knowledge
from core.perturb.negation import flip
from core.perturb.substitution import Vocabulary, replace
from core.perturb.words import words
from core.stories import sentences

Change = tuple[int, int, str]
Span = tuple[int, int]


class Technique(StrEnum):
    """The four techniques of UNION."""

    REPETITION = "repetition"
    SUBSTITUTION = "substitution"
    REORDERING = "reordering"
    NEGATION = "negation"


@dataclass(frozen=True)
class Mix:
    """How often what is done (the defaults are the paper's, and its authors' code's for the two ways).

    `techniques`: weights of a draw without replacement; a technique that is left out is never used. `counts`: weights
    of one, two, three and four techniques. `repeat_sentence`, `substitute_sentences`: the share of repetitions and of
    substitutions that touch whole sentences.
    """

    techniques: Mapping[Technique, float] = field(
        default_factory=lambda: {
            Technique.REPETITION: 0.1,
            Technique.SUBSTITUTION: 0.3,
            Technique.REORDERING: 0.4,
            Technique.NEGATION: 0.2,
        }
    )
    counts: tuple[float, ...] = (0.5, 0.2, 0.2, 0.1)
    repeat_sentence: float = 0.7
    substitute_sentences: float = 0.5

    def __post_init__(self) -> None:
        if not self.techniques or min(self.techniques.values()) <= 0:
            raise InputError("Negatives need at least one technique, and a weight above 0 for each.")
        if not 1 <= len(self.counts) <= 4 or min(self.counts) < 0 or not sum(self.counts):
            raise InputError("The numbers of techniques need one to four weights, none below 0.")

    def without(self, *techniques: Technique) -> Mix:
        """The mix that never uses these techniques; the weights of the others stay in proportion."""
        left = {one: weight for one, weight in self.techniques.items() if one not in techniques}
        return Mix(left, self.counts, self.repeat_sentence, self.substitute_sentences)

    def draw(self, rng: random.Random) -> tuple[int, list[Technique]]:
        """How many techniques, and all techniques in the order in which they are tried."""
        (number,) = rng.choices(range(1, len(self.counts) + 1), self.counts)
        left = dict(self.techniques)
        order = []
        while left:
            (chosen,) = rng.choices(list(left), list(left.values()))
            order.append(chosen)
            del left[chosen]
        return number, order


class Sampler:
    """Makes negatives from human stories. The same story and seed give the same negative, whatever was made before."""

    def __init__(self, stories: Sequence[str], knowledge: Knowledge, mix: Mix | None = None) -> None:
        """`stories` lend their sentences, and their keywords by frequency. Raises InputError without any."""
        self.mix = mix or Mix()
        self.knowledge = knowledge
        self._others = [story for story in stories if story.strip()]
        if not self._others:
            raise InputError("Negatives are made from human stories, and there is none.")
        self._vocabulary: Vocabulary | None = None

    @property
    def vocabulary(self) -> Vocabulary:
        """The stories' keywords, counted when they are first wanted (some 200 stories a second and core)."""
        if self._vocabulary is None:
            spans = ((story, span) for story in self._others for span in sentences(story))
            self._vocabulary = Vocabulary.of((story[start:end] for story, (start, end) in spans), self.knowledge)
        return self._vocabulary

    def negative(self, story: str, seed: str) -> Perturbed | None:
        """The negative of a story; None where no technique can do anything to it (a single sentence, for example)."""
        rng = random.Random(seed)
        number, order = self.mix.draw(rng)
        draft = Draft(story)
        for technique in order:
            if len(draft.steps) < number:
                _WORK[technique](self, draft, rng)
        return draft.done() if draft.text != story else None

    def _repeat(self, draft: Draft, rng: random.Random) -> None:
        spans = sentences(draft.text)
        whole = rng.random() < self.mix.repeat_sentence
        if not (_repeat_sentence(draft, spans, rng) if whole else _double(draft, spans, rng)):
            _ = _double(draft, spans, rng) if whole else _repeat_sentence(draft, spans, rng)

    def _substitute(self, draft: Draft, rng: random.Random) -> None:
        whole = rng.random() < self.mix.substitute_sentences
        if not (self._other_sentences(draft, rng) if whole else self._other_words(draft, rng)):
            _ = self._other_words(draft, rng) if whole else self._other_sentences(draft, rng)

    def _other_sentences(self, draft: Draft, rng: random.Random) -> bool:
        spans = sentences(draft.text)[1:]
        other = rng.choice(self._others)
        if other == draft.original or not spans:
            return False
        there = [other[start:end] for start, end in sentences(other)]
        many = min(_how_many(len(spans), rng), len(there))
        taken = rng.sample(range(len(there)), many)
        changes = [
            (*span, _closed(there[i], span, spans[-1]))
            for span, i in zip(sorted(rng.sample(spans, many)), sorted(taken), strict=True)
        ]
        return _step(draft, Technique.SUBSTITUTION, "sentences of another story", changes)

    def _other_words(self, draft: Draft, rng: random.Random) -> bool:
        placed = [(start, draft.text[start:end]) for start, end in sentences(draft.text)[1:]]
        made = replace(placed, self.knowledge, self.vocabulary, rng)
        return _step(draft, Technique.SUBSTITUTION, "keywords", [change for change, _ in made])

    def _reorder(self, draft: Draft, rng: random.Random) -> None:
        spans = sentences(draft.text)[1:]
        texts = [draft.text[start:end] for start, end in spans]
        if len(set(texts)) < 2:
            return
        moved = sorted(rng.sample(range(len(spans)), rng.randint(2, len(spans))))
        if len({texts[i] for i in moved}) < 2:  # equal sentences: any order of them is the same story
            moved = list(range(len(spans)))
        order = moved
        while [texts[i] for i in order] == [texts[i] for i in moved]:
            order = rng.sample(moved, len(moved))
        changes = [
            (*spans[i], _closed(texts[j], spans[i], spans[-1]))
            for i, j in zip(moved, order, strict=True)
            if texts[i] != texts[j]
        ]
        _step(draft, Technique.REORDERING, f"{len(changes)} sentences", changes)

    def _negate(self, draft: Draft, rng: random.Random) -> None:
        spans = sentences(draft.text)[1:]
        for start, end in rng.sample(spans, len(spans)):
            change = flip(draft.text[start:end], rng)
            if change:
                at, to, new = change
                way = "taken out" if len(new) < to - at else "put in"
                _step(draft, Technique.NEGATION, way, [(start + at, start + to, new)])
                return


_WORK = {
    Technique.REPETITION: Sampler._repeat,
    Technique.SUBSTITUTION: Sampler._substitute,
    Technique.REORDERING: Sampler._reorder,
    Technique.NEGATION: Sampler._negate,
}


def _step(draft: Draft, technique: Technique, way: str, changes: Sequence[Change]) -> bool:
    """Do it, if it changes anything and leaves as many sentences as there were."""
    real = [one for one in changes if draft.text[one[0] : one[1]] != one[2]]
    if not real or len(sentences(changed(draft.text, real))) != len(sentences(draft.text)):
        return False
    draft.step(technique, way, real)
    return True


def _closed(text: str, span: Span, last: Span) -> str:
    """A sentence for the place `span`: one without its full stop would swallow the next."""
    return text if span == last or not text[-1].isalnum() else f"{text}."


def _how_many(there: int, rng: random.Random) -> int:
    """One sentence at least, half of them at most."""
    return rng.randint(1, max(1, there // 2))


def _repeat_sentence(draft: Draft, spans: Sequence[Span], rng: random.Random) -> bool:
    """A sentence overwrites those that follow it: one at least, half of the story at most."""
    if len(spans) < 2:
        return False
    chosen = rng.randrange(len(spans) - 1)
    many = min(_how_many(len(spans), rng), len(spans) - 1 - chosen)
    again = draft.text[slice(*spans[chosen])]
    return _step(
        draft, Technique.REPETITION, "a sentence", [(*span, again) for span in spans[chosen + 1 : chosen + 1 + many]]
    )


def _double(draft: Draft, spans: Sequence[Span], rng: random.Random) -> bool:
    """One to four words of a sentence stand there twice."""
    for start, end in rng.sample(spans[1:], len(spans[1:])):
        found = [word for word in words(draft.text[start:end]) if any(c.isalnum() for c in word.text)]
        if found:
            size = min(rng.randint(1, 4), len(found))
            first = rng.randrange(len(found) - size + 1)
            begin, stop = start + found[first].start, start + found[first + size - 1].end
            again = draft.text[begin:stop]
            return _step(draft, Technique.REPETITION, f"{size} words", [(stop, stop, f" {again}")])
    return False
