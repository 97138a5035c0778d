"""Test sets: the cases that human stories give, aspect by aspect, and how many (OpenMEVA section 3.2, appendix B)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.checks.language import ENGLISH, SURE_OF_ANOTHER, language
from core.english.sentences import ParsedStory, Resources
from core.perturb.cases import Case, Of, kept_sentences
from core.perturb.edits import Perturbed
from core.perturb.negatives.sets import EMPTY, SINGLE
from core.perturb.test_sets.aspects import Aspect, Change, Techniques, Test, test_of
from core.perturb.test_sets.discrimination import coherent, incoherent
from core.perturb.test_sets.grammar import passes
from core.perturb.test_sets.invariance import perturbed
from core.stories import StoryRecord, sentences

Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Yield:
    """What `stories` gave in an aspect: `good` coherent examples (or originals), `changed` ones, of which `passed` the
    grammaticality filter (None where nobody was asked). `ways`: changed ones by technique.
    """

    aspect: str
    of: Of
    stories: int
    good: int
    changed: int
    passed: int | None
    ways: Mapping[str, int]

    @property
    def share(self) -> float:
        """Changed ones a story, 0..1."""
        return self.changed / self.stories if self.stories else 0.0


@dataclass(frozen=True)
class TestSet:
    """The cases of `stories` usable stories, and why others were left out: (id, reason). `seed`, and `made_with`: what
    it depends on besides.
    """

    __test__ = False  # no class of tests, whatever pytest takes its name for

    test: Test
    stories: int
    cases: tuple[Case, ...]
    left_out: tuple[tuple[str, str], ...]
    seed: int
    made_with: Mapping[str, str] = field(default_factory=dict)

    @property
    def reasons(self) -> dict[str, int]:
        """How many stories were left out, by why."""
        return dict(Counter(reason for _, reason in self.left_out))

    def yields(self, aspects: Iterable[str]) -> list[Yield]:
        """A row an aspect; of invariance one each of human stories and of incoherent ones."""
        return yields(self.cases, aspects, self.stories)


def yields(cases: Iterable[Case], aspects: Iterable[str], stories: int) -> list[Yield]:
    """What so many stories gave: a row an aspect, of a change one each of human stories and of incoherent ones."""
    there: dict[tuple[str, Of], list[Case]] = {}
    for case in cases:
        there.setdefault((case.aspect, case.of), []).append(case)
    return [
        _yield(aspect, of, stories, there.get((aspect, of), []))
        for aspect in aspects
        for of in (Of if test_of(aspect) is Test.INVARIANCE else (Of.HUMAN,))
    ]


def lengths(cases: Iterable[Case]) -> dict[str, tuple[float, float]]:
    """Mean words of input and story (Tables 16 and 17): of "coherent" and "incoherent" ones, or of the originals that
    are "human" and that are "incoherent".
    """
    groups: dict[str, list[tuple[int, int]]] = {}
    for case in cases:
        if test_of(case.aspect) is Test.DISCRIMINATION:
            groups.setdefault("coherent" if case.label else "incoherent", []).append(_words(case))
        elif case.label:
            groups.setdefault(f"{case.of} originals", []).append(_words(case))
    return {
        name: (sum(a for a, _ in pairs) / len(pairs), sum(b for _, b in pairs) / len(pairs))
        for name, pairs in groups.items()
    }


def _yield(aspect: str, of: Of, stories: int, cases: Sequence[Case]) -> Yield:
    changed = [case for case in cases if not case.label]
    judged = [case for case in changed if case.acceptable is not None]
    return Yield(
        str(aspect),
        of,
        stories,
        len(cases) - len(changed),
        len(changed),
        sum(passes(case) for case in changed) if judged else None,
        dict(Counter(step.technique for case in changed for step in case.perturbed.steps)),
    )


def _words(case: Case) -> tuple[int, int]:
    """Of its input (the prompt, or the first sentence) and of the rest."""
    text = case.perturbed.text
    if case.prompt.strip():
        return len(case.prompt.split()), len(text.split())
    end = next((end for _, end in sentences(text)), 0)
    return len(text[:end].split()), len(text[end:].split())


def usable(records: Sequence[StoryRecord]) -> tuple[list[StoryRecord], list[tuple[str, str]]]:
    """The stories that can be tested with, and the others: (id, reason)."""
    kept, left_out = [], []
    for record in records:
        reason = _why_not(record)
        if reason:
            left_out.append((record.key, reason))
        else:
            kept.append(record)
    return kept, left_out


def _why_not(record: StoryRecord) -> str | None:
    there = len(sentences(record.text))
    if not there:
        return EMPTY
    if there <= kept_sentences(record.prompt, record.text):
        return SINGLE
    result = language(record.text)
    if result.code not in ("", ENGLISH) and result.probability >= SURE_OF_ANOTHER:
        return f"it is in {result.name}, and the aspects are of English"
    return None


def sampled(records: Sequence[StoryRecord], most: int | None, seed: int) -> list[StoryRecord]:
    """At most so many stories, at random, in their order."""
    if most is None or most >= len(records):
        return list(records)
    places = random.Random(f"{seed}/stories").sample(range(len(records)), most)
    return [records[place] for place in sorted(places)]


def discrimination_cases(
    records: Sequence[StoryRecord],
    aspects: Sequence[Aspect],
    means: Resources,
    seed: int,
    done: Told | None = None,
    by: Techniques = Techniques.OURS,
) -> Iterator[Case]:
    """Coherent and incoherent examples of usable stories; `done` is told how many stories are through."""
    for number, record in enumerate(records, start=1):
        reading = ParsedStory(record.text, kept_sentences(record.prompt, record.text))
        for aspect in aspects:
            if coherent(reading, aspect, means, by):
                yield Case(record.key, aspect, 1, record.prompt, unchanged(record.text))
            made = incoherent(reading, aspect, means, f"{seed}/{record.key}", by)
            if made:
                yield Case(record.key, aspect, 0, record.prompt, made)
        if done:
            done(number)


def invariance_cases(
    records: Sequence[StoryRecord],
    changes: Sequence[Change],
    means: Resources,
    seed: int,
    done: Told | None = None,
    by: Techniques = Techniques.OURS,
) -> Iterator[Case]:
    """Originals and changed ones, of usable stories and of an incoherent example of each: of an aspect drawn from those
    that find something to change in it.
    """
    for number, record in enumerate(records, start=1):
        kept = kept_sentences(record.prompt, record.text)
        own = f"{seed}/{record.key}"
        reading = ParsedStory(record.text, kept)
        for change in changes:
            yield from _pair(record, record.key, change, Of.HUMAN, perturbed(reading, change, means, own, by))
        aspect, worse = _incoherent(reading, means, own, by)
        if worse:
            reading = ParsedStory(worse.text, kept)
            for change in changes:
                made = perturbed(reading, change, means, f"{own}/{aspect}", by)
                yield from _pair(record, f"{record.key}/{aspect}", change, Of.INCOHERENT, made)
        if done:
            done(number)


def _pair(record: StoryRecord, key: str, change: Change, of: Of, made: Perturbed | None) -> Iterator[Case]:
    if made:
        story = "" if key == record.key else record.key
        yield Case(key, change, 1, record.prompt, unchanged(made.original), story, of)
        yield Case(key, change, 0, record.prompt, made, story, of)


def _incoherent(
    reading: ParsedStory, means: Resources, seed: str, by: Techniques
) -> tuple[Aspect | None, Perturbed | None]:
    """An incoherent example, never of semantic repetition: whether there are paraphrases must change nothing else."""
    aspects = [aspect for aspect in Aspect if aspect is not Aspect.SEMANTIC_REPETITION]
    for aspect in random.Random(f"{seed}/incoherent").sample(aspects, len(aspects)):
        made = incoherent(reading, aspect, means, seed, by)
        if made:
            return aspect, made
    return None, None


def unchanged(text: str) -> Perturbed:
    """A text to which nothing was done."""
    return Perturbed(text, text, (), ())
