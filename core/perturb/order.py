"""Causes and times the wrong way round (OpenMEVA section 3.2, "causal" and "temporal relationship")."""

from __future__ import annotations

import random
from collections.abc import Iterator

from core.perturb.clauses import across, beginning, within
from core.perturb.opposite_words import CAUSE_WORDS, CAUSES, MILD_TIMES, TIME_WORDS, TIMES
from core.perturb.opposites import opposed
from core.perturb.reading import Made, Means, Reading, Sentence, is_clause, one_of

CAUSAL, CAUSAL_OPENINGS = {"because", "so"}, {"so", "therefore", "consequently", "thus", "hence"}
TEMPORAL = {"before", "after", "until", "once", "then", "when"}
TEMPORAL_OPENINGS = {"then", "afterwards", "afterward", "later", "next", "finally", "eventually", "soon"}
_GOING_ON = {"was", "were", "is", "are", "am"}


def has_causes(reading: Reading, means: Means) -> bool:
    """Whether a story speaks of causes."""
    if reading.said & CAUSE_WORDS:
        return True
    return any(
        word.lower in ("so", "since") and is_clause(sentence.body[place + 1 :])
        for sentence in reading.sentences
        for place, word in enumerate(sentence.body)
    )


def has_times(reading: Reading, means: Means) -> bool:
    """Whether a story speaks of times."""
    return bool(reading.said & TIME_WORDS)


def swap_causes(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """Cause and effect change places: within a sentence, or two sentences of which the second begins with "So"."""
    found = [made for sentence in reading.free for _, made in within(sentence, reading.text, CAUSAL)]
    found += [made for sentence in reading.free for _, made in beginning(sentence, reading.text, {"because"})]
    return one_of([*found, *across(reading, CAUSAL_OPENINGS)], rng)


def oppose_causes(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """A cause word becomes its opposite: "because" is then "so"."""
    return one_of([made for sentence in reading.free for _, made in opposed(sentence, CAUSES)], rng)


def swap_times(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """What came after comes first: the two sides of "before", of "then", two sentences of which one begins with it."""
    found = list(across(reading, TEMPORAL_OPENINGS))
    for sentence in reading.free:
        found += _swapped(sentence, reading.text)
    return one_of(found, rng)


def _swapped(sentence: Sentence, story: str) -> Iterator[Made]:
    for word, made in (*within(sentence, story, TEMPORAL), *beginning(sentence, story, TEMPORAL - {"then"})):
        # "He was eating when she came" says the same the other way round
        if word.lower != "when" or not _goes_on(sentence):
            yield made


def _goes_on(sentence: Sentence) -> bool:
    return any(word.lower in _GOING_ON for word in sentence.words) or any(w.tag == "VBG" for w in sentence.words)


def oppose_times(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """A time word becomes its opposite: "after" is then "before"."""
    found = [pair for sentence in reading.free for pair in opposed(sentence, TIMES)]
    plain_to_see = [made for said, made in found if said not in MILD_TIMES]
    return one_of(plain_to_see or [made for _, made in found], rng)
