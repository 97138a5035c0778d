"""Causes and times in the wrong order (OpenMEVA section 3.2, "causal" and "temporal relationship")."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

from core.english.clauses import Swap, across, beginning, swapped_within
from core.english.knowledge import lemma_of
from core.english.negation import negated
from core.english.opposite_words import (
    CAUSE_WORDS,
    CAUSES,
    CONCLUSIONS,
    LAST_TIMES,
    MILD_TIMES,
    TIME_WORDS,
    TIMES,
)
from core.english.opposites import opposed
from core.english.sentences import Made, ParsedStory, Resources, Sentence, choose, is_clause
from core.english.words import Word

CAUSAL, CAUSAL_OPENINGS = {"because", "so"}, {"so", "therefore", "consequently", "thus", "hence"}
TEMPORAL = {"before", "after", "once", "then"}
TEMPORAL_OPENINGS = {"then", "afterwards", "afterward", "later", "next", "finally", "eventually", "soon"}
_MIND = {
    *("think", "know", "realize", "realise", "feel", "forget", "learn", "notice", "believe", "love", "like", "hate"),
    *("understand", "remember", "decide", "worry", "fear", "enjoy", "see", "hope", "figure"),
}
_WISHES = {
    *("want", "need", "love", "like", "wish", "crave", "hungry", "thirsty", "tired", "bored", "sleepy", "curious"),
    *("favorite", "enjoy", "interested", "must"),
}
"""Words for what makes people do things."""
_FEELINGS = {
    *("happy", "sad", "upset", "angry", "mad", "scared", "afraid", "nervous", "excited", "worried", "embarrassed"),
    *("sorry", "proud", "glad", "bored", "annoyed", "frustrated", "disappointed", "jealous", "lonely", "sick"),
}


def has_causes(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story speaks of causes."""
    if reading.vocabulary & CAUSE_WORDS:
        return True
    return any(
        word.lower in ("so", "since") and is_clause(sentence.body[place + 1 :])
        for sentence in reading.sentences
        for place, word in enumerate(sentence.body)
    )


def has_times(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story speaks of times."""
    return bool(reading.vocabulary & TIME_WORDS)


def swap_causes(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Cause and effect change places: within a sentence, or two sentences of which the second begins with "So".

    Not where somebody's mind is one of them: "he thought that nobody came because he was upset" is as good.
    """
    results = [swap for sentence in reading.free for swap in swapped_within(sentence, reading.text, CAUSAL)]
    results += [swap for sentence in reading.free for swap in beginning(sentence, reading.text, {"because"})]
    results += across(reading, CAUSAL_OPENINGS)
    return choose([swap.made for swap in results if not _fits_too(swap)], rng)


def _fits_too(swap: Swap) -> bool:
    """Whether it may be true both ways."""
    if any(_of_mind(clause) for clause in (swap.left, swap.right)) or _for_a_purpose(swap):
        return True
    wanted = any(lemma_of(word.text, "v") == "want" for word in swap.right)
    return wanted and swap.word.lower == "because"  # "she wanted it because she was there"


def _for_a_purpose(swap: Swap) -> bool:
    """ "So she could see": then it is what was wanted, and no effect."""
    return swap.word.lower == "so" and any(word.tag == "MD" for word in swap.right)


def _of_mind(clause: Sequence[Word]) -> bool:
    """Whether it speaks of what somebody thinks or feels."""
    return any(
        word.lower in _FEELINGS or (word.tag.startswith("VB") and lemma_of(word.text, "v") in _MIND) for word in clause
    )


def oppose_causes(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A cause word becomes its opposite: "because" is then "so". What follows from a sentence before it ("so",
    "therefore") only follows in spite of it where somebody wanted or needed something there: in spite of a difficulty
    people do go on.
    """
    results = []
    for before, sentence in pairwise(reading.sentences[max(0, reading.kept - 1) :]):
        wished = any(lemma_of(word.text, "v") in _WISHES or word.lower in _WISHES for word in before.words)
        for text, edit in opposed(sentence, CAUSES):
            fits = text in CONCLUSIONS and (not wished or negated(before.text))
            felt = text == "because" and _felt(sentence, edit)  # "he was happy, so she sang"
            if not fits and not felt:
                results.append(edit)
    return choose(results, rng)


def swap_times(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """What came after comes first: the two sides of "before", of "then", two sentences of which one begins with it."""
    result = list(across(reading, TEMPORAL_OPENINGS))
    for sentence in reading.free:
        result += swapped_within(sentence, reading.text, TEMPORAL)
        result += beginning(sentence, reading.text, TEMPORAL - {"then"})
    return choose([swap.made for swap in result], rng)


def _felt(sentence: Sentence, edit: Made) -> bool:
    """Whether a feeling stands before the change."""
    here = edit.changes[0][0]
    return any(word.lower in _FEELINGS for word in sentence.words if word.end <= here)


def oppose_times(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A time word becomes its opposite: "the next day" is then "the previous day".

    "Before" and "after" are exchanged by swapping their sides: the word alone mostly leaves as good a story.
    """
    sure: list[Made] = []
    mild: list[Made] = []
    for sentence in reading.free:
        ends = sentence is reading.free[-1]
        for text, edit in opposed(sentence, TIMES):
            if ends or text not in LAST_TIMES:
                (mild if text in MILD_TIMES else sure).append(edit)
    return choose(sure or mild, rng)
