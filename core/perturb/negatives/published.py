"""UNION's techniques in the amounts of its authors' code: what `Mix(name=MixName.PAPER)` does to the sentences that may
change (UNION 2020, section 3.2). Where paper and code part, docs/negatives.md says which of them this follows.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from core.english.negation import Change, flip_as_published
from core.english.words import words

Span = tuple[int, int]
SIZES = (1, 4)
"""Words of a phrase that is doubled."""
_TRIES = 10


def places(there: int, rng: random.Random) -> list[int]:
    """One to all of so many sentences: the number drawn evenly, then which, in their order."""
    return sorted(rng.sample(range(there), rng.randint(1, there))) if there else []


def overwritten(there: int, whole: int, rng: random.Random) -> tuple[int, list[int]] | None:
    """Which of the `there` sentences that may change stands over which others, in a story of `whole` sentences.

    Half of the story and one more are drawn, and the first of them stands over the others; None where two are not left.
    """
    drawn = sorted(rng.sample(range(there), min(1 + whole // 2, there)))
    return (drawn[0], drawn[1:]) if len(drawn) > 1 else None


def doubled(text: str, free: Sequence[Span], times: int, rng: random.Random) -> list[Change]:
    """So many times: one to four words of a sentence, drawn anew each time, stand there twice."""
    found = [
        [(start + word.start, start + word.end) for word in words(text[start:end]) if any(map(str.isalnum, word.text))]
        for start, end in free
    ]
    found = [one for one in found if one]
    changes = []
    for _ in range(times if found else 0):
        there = rng.choice(found)
        size = min(rng.randint(*SIZES), len(there))
        first = rng.randrange(len(there) - size + 1)
        begin, stop = there[first][0], there[first + size - 1][1]
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
