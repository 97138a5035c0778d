"""Negative samples (UNION section 3.2): a human story made worse by one to four techniques in turn.

The first sentence never changes, and the number of sentences stays. Every negative carries what was done to it. The
amounts of the authors' code, `Mix(name=MixName.PAPER)`, stand first: where paper and code part, docs/negatives.md says
which of them they follow.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import permutations

from core.english.knowledge import Knowledge
from core.english.negation import Change, flip, flip_as_published, negated
from core.english.substitution import Vocabulary, replace, replace_as_published
from core.english.words import words
from core.errors import InputError
from core.perturb.edits import Draft, Perturbed, changed
from core.stories import sentences

Span = tuple[int, int]
SIZES = (1, 4)
"""Words of a phrase that is doubled."""
_TRIES = 10


def places(number: int, rng: random.Random) -> list[int]:
    """One to all of so many sentences: the number drawn evenly, then which, in their order."""
    return sorted(rng.sample(range(number), rng.randint(1, number))) if number else []


def overwritten(number: int, whole: int, rng: random.Random) -> tuple[int, list[int]] | None:
    """Which of the `there` sentences that may change stands over which others, in a story of `whole` sentences.

    Half of the story and one more are drawn, and the first of them stands over the others; None where two are not left.
    """
    drawn = sorted(rng.sample(range(number), min(1 + whole // 2, number)))
    return (drawn[0], drawn[1:]) if len(drawn) > 1 else None


def doubled(text: str, free: Sequence[Span], times: int, rng: random.Random) -> list[Change]:
    """So many times: one to four words of a sentence, drawn anew each time, stand there twice."""
    candidates = [
        [(start + word.start, start + word.end) for word in words(text[start:end]) if any(map(str.isalnum, word.text))]
        for start, end in free
    ]
    candidates = [part for part in candidates if part]
    changes = []
    for _ in range(times if candidates else 0):
        donor = rng.choice(candidates)
        size = min(rng.randint(*SIZES), len(donor))
        first = rng.randrange(len(donor) - size + 1)
        begin, stop = donor[first][0], donor[first + size - 1][1]
        changes.append((stop, stop, f" {text[begin:stop]}"))
    return changes


def denied(text: str, free: Sequence[Span], rng: random.Random) -> list[Change]:
    """One to all of these sentences are negated, or their negation goes; those without a verb stay as they are."""
    for _ in range(_TRIES):
        changes = []
        for i in places(len(free), rng):
            start, end = free[i]
            if change := flip_as_published(text[start:end], rng):
                changes.append((start + change[0], start + change[1], change[2]))
        if changes:
            return changes
    return []


class Technique(StrEnum):
    """The four techniques of UNION."""

    REPETITION = "repetition"
    SUBSTITUTION = "substitution"
    REORDERING = "reordering"
    NEGATION = "negation"


class MixName(StrEnum):
    """How much a technique does: what Fabula does, or what the paper's authors' code does."""

    FABULA = "fabula"
    PAPER = "paper"


@dataclass(frozen=True)
class Mix:
    """How often what is done (the defaults are the paper's, and its authors' code's for the two ways), and how much.

    `techniques`: weights of a draw without replacement; a technique that is left out is never used. `counts`: weights
    of one, two, three and four techniques. `repeat_sentence`, `substitute_sentences`: the share of repetitions and of
    substitutions that touch whole sentences. `name`: whose amounts and rules (`published_ways` has the paper's).
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
    name: MixName = MixName.FABULA

    def __post_init__(self) -> None:
        if self.name not in list(MixName):
            raise InputError(f"There is no mix {self.name!r}; choose {' or '.join(MixName)}.")
        object.__setattr__(self, "name", MixName(self.name))  # a plain string is equal, but not the same
        if not self.techniques or min(self.techniques.values()) <= 0:
            raise InputError("Negatives need at least one technique, and a weight above 0 for each.")
        if not 1 <= len(self.counts) <= 4 or min(self.counts) < 0 or not sum(self.counts):
            raise InputError("The numbers of techniques need one to four weights, none below 0.")

    def without(self, *techniques: Technique) -> Mix:
        """The mix that never uses these techniques; the weights of the others stay in proportion."""
        left = {technique: weight for technique, weight in self.techniques.items() if technique not in techniques}
        return Mix(left, self.counts, self.repeat_sentence, self.substitute_sentences, self.name)

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

    def expected_numbers(self) -> dict[int, float]:
        """The share of stories with one, two, … techniques; no story has more than the mix knows."""
        most = len(self.techniques)
        shares = dict.fromkeys(range(1, min(most, len(self.counts)) + 1), 0.0)
        for number, weight in enumerate(self.counts, start=1):
            shares[min(number, most)] += weight / sum(self.counts)
        return shares

    def expected_techniques(self) -> dict[Technique, float]:
        """The share of stories that each technique is used in, 0..1: all orders of the draws, weighed."""
        shares = dict.fromkeys(self.techniques, 0.0)
        for order in permutations(self.techniques):
            chance, left = 1.0, sum(self.techniques.values())
            for technique in order:
                chance *= self.techniques[technique] / left
                left -= self.techniques[technique]
            for number, share in self.expected_numbers().items():
                for technique in order[:number]:
                    shares[technique] += chance * share
        return shares


class _Story(Draft):
    """A story under way, whose first sentences are never touched."""

    def __init__(self, original: str, kept: int) -> None:
        super().__init__(original)
        self._kept = kept

    @property
    def free(self) -> list[Span]:
        """The sentences that may change, as the text stands now."""
        return sentences(self.text)[self._kept :]


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

    def using(self, mix: Mix) -> Sampler:
        """Return a sampler with another mix and the same lenders and lexicon, without counting them again."""
        other = copy(self)
        other.mix = mix
        return other

    @property
    def vocabulary(self) -> Vocabulary:
        """The stories' keywords, counted when they are first wanted."""
        return self._vocabulary or self.count()

    def count(self, done: Callable[[int], None] | None = None) -> Vocabulary:
        """Count the stories' keywords (some 500 stories a second); `done` is told how many stories are counted."""

        def spans() -> Iterator[str]:
            for number, story in enumerate(self._others, start=1):
                yield from (story[start:end] for start, end in sentences(story))
                if done:
                    done(number)

        self._vocabulary = Vocabulary.of(spans(), self.knowledge)
        return self._vocabulary

    def negative(self, story: str, seed: str, kept: int = 1) -> Perturbed | None:
        """The negative of a story; None where no technique can do anything to it (a single sentence, for example).

        `kept`: how many sentences at its beginning never change; none need be where a prompt stands before it.
        """
        rng = random.Random(seed)
        number, order = self.mix.draw(rng)
        draft = _Story(story, kept)
        for technique in order:
            if len(draft.steps) < number:
                _WORK[technique](self, draft, rng)
        return draft.done() if draft.text != story else None

    @property
    def _as_published(self) -> bool:
        return self.mix.name is MixName.PAPER

    def _repeat(self, draft: _Story, rng: random.Random) -> None:
        ways = [_overwrite, _double_often] if self._as_published else [_repeat_sentence, _double]
        if rng.random() >= self.mix.repeat_sentence:
            ways.reverse()
        _ = ways[0](draft, rng) or ways[1](draft, rng)

    def _substitute(self, draft: _Story, rng: random.Random) -> None:
        ways = [self._other_sentences, self._other_words]
        if rng.random() >= self.mix.substitute_sentences:
            ways.reverse()
        _ = ways[0](draft, rng) or ways[1](draft, rng)

    def _other_sentences(self, draft: _Story, rng: random.Random) -> bool:
        spans = draft.free
        other = rng.choice(self._others)
        if other == draft.original or not spans:
            return False
        others = [other[start:end] for start, end in sentences(other)]
        if self._as_published:
            drawn = [spans[i] for i in places(len(spans), rng)]
            lent = [(*span, closed(rng.choice(others), draft.text, span)) for span in drawn]
            return _step(draft, Technique.SUBSTITUTION, f"{_many(len(lent), 'sentence')} of another story", lent)
        many = min(_how_many(len(spans), rng), len(others))
        taken = rng.sample(range(len(others)), many)
        changes = [
            (*span, closed(others[i], draft.text, span))
            for span, i in zip(sorted(rng.sample(spans, many)), sorted(taken), strict=True)
        ]
        return _step(draft, Technique.SUBSTITUTION, f"{_many(many, 'sentence')} of another story", changes)

    def _other_words(self, draft: _Story, rng: random.Random) -> bool:
        placed = [(start, draft.text[start:end]) for start, end in draft.free]
        by = replace_as_published if self._as_published else replace
        made = by(placed, self.knowledge, self.vocabulary, rng)
        opposites = sum(how == "antonym" for _, how in made)
        way = f"{_many(len(made), 'keyword')}, {opposites} by an antonym"
        return _step(draft, Technique.SUBSTITUTION, way, [change for change, _ in made])

    def _reorder(self, draft: _Story, rng: random.Random) -> None:
        spans = draft.free
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
            (*spans[i], closed(texts[j], draft.text, spans[i]))
            for i, j in zip(moved, order, strict=True)
            if texts[i] != texts[j]
        ]
        _step(draft, Technique.REORDERING, _many(len(changes), "sentence"), changes)

    def _negate(self, draft: _Story, rng: random.Random) -> None:
        spans = draft.free
        if self._as_published:
            changes = denied(draft.text, spans, rng)
            _step(draft, Technique.NEGATION, f"in {_many(len(changes), 'sentence')}", changes)
            return
        for start, end in rng.sample(spans, len(spans)):
            sentence = draft.text[start:end]
            change = flip(sentence, rng)
            if change:
                at, to, new = change
                way = "taken out" if negated(sentence) else "put in"
                if _step(draft, Technique.NEGATION, way, [(start + at, start + to, new)]):
                    return


_WORK = {
    Technique.REPETITION: Sampler._repeat,
    Technique.SUBSTITUTION: Sampler._substitute,
    Technique.REORDERING: Sampler._reorder,
    Technique.NEGATION: Sampler._negate,
}


def _step(draft: Draft, technique: Technique, way: str, changes: Sequence[Change]) -> bool:
    """Do it, if it changes anything and leaves as many sentences as there were."""
    real = [change for change in changes if draft.text[change[0] : change[1]] != change[2]]
    if not real or len(sentences(changed(draft.text, real))) != len(sentences(draft.text)):
        return False
    draft.step(technique, way, real)
    return True


def closed(text: str, story: str, place: Span) -> str:
    """A sentence for a place in a story: one without its full stop would swallow the next."""
    if not story[place[1] :].strip() or text.endswith(".") or len(sentences(f"{text} Next")) > 1:
        return text
    return f"{text} ." if " ." in story else f"{text}."


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _how_many(number: int, rng: random.Random) -> int:
    """One sentence at least, half of them at most."""
    return rng.randint(1, max(1, number // 2))


def _repeat_sentence(draft: _Story, rng: random.Random) -> bool:
    """A sentence overwrites those that follow it: one at least, half of the story at most."""
    spans = sentences(draft.text)
    if len(spans) < 2 or not draft.free:
        return False
    before = len(spans) - len(draft.free)
    chosen = rng.randrange(max(before - 1, 0), len(spans) - 1)
    many = min(_how_many(len(spans), rng), len(spans) - 1 - chosen)
    again = draft.text[slice(*spans[chosen])]
    changes = [(*span, closed(again, draft.text, span)) for span in spans[chosen + 1 : chosen + 1 + many]]
    return _step(draft, Technique.REPETITION, f"a sentence over {_many(many, 'sentence')}", changes)


def _overwrite(draft: _Story, rng: random.Random) -> bool:
    """As published: a sentence stands over others after it, half of the story wherever it is long enough."""
    spans = draft.free
    drawn = overwritten(len(spans), len(sentences(draft.text)), rng)
    if drawn is None:
        return False
    again, over = draft.text[slice(*spans[drawn[0]])], [spans[i] for i in drawn[1]]
    changes = [(*span, closed(again, draft.text, span)) for span in over]
    return _step(draft, Technique.REPETITION, f"a sentence over {_many(len(over), 'sentence')}", changes)


def _double_often(draft: _Story, rng: random.Random) -> bool:
    """As published: a phrase stands there twice, half as often as the story has sentences."""
    times = max(1, len(sentences(draft.text)) // 2)
    changes = doubled(draft.text, draft.free, times, rng)
    return _step(draft, Technique.REPETITION, f"{_many(len(changes), 'phrase')} twice", changes)


def _double(draft: _Story, rng: random.Random) -> bool:
    """One to four words of a sentence stand there twice."""
    spans = draft.free
    for start, end in rng.sample(spans, len(spans)):
        chosen_words = [word for word in words(draft.text[start:end]) if any(c.isalnum() for c in word.text)]
        if chosen_words:
            size = min(rng.randint(1, 4), len(chosen_words))
            first = rng.randrange(len(chosen_words) - size + 1)
            begin, stop = start + chosen_words[first].start, start + chosen_words[first + size - 1].end
            again = draft.text[begin:stop]
            if _step(draft, Technique.REPETITION, f"{_many(size, 'word')} twice", [(stop, stop, f" {again}")]):
                return True
    return False
