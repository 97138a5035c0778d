"""What happened is denied, or turned into its opposite (OpenMEVA section 3.2, "consistency")."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from core.english.knowledge import inflected
from core.english.negation import NEGATIONS
from core.english.sentences import Change, Made, Means, Reading, Sentence, content_words
from core.english.substitution import in_place
from core.english.wordnet import wordnet
from core.english.words import Word, like
from core.perturb.techniques.denial import denials

_TAGS = ("NN", "VB", "JJ", "RB")
SHARE = 0.2
"""Of the sentences that change, one at least."""
PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
DENIALS = NEGATIONS | {"unlikely", "impatiently", "uncertainly"}
_COMMON = 2
"""Times that a word stands in WordNet's tagged texts, from which on it is a word that people use."""
_OTHERWISE = {
    *("go", "come", "get", "have", "take", "give", "make", "let", "keep", "do", "be", "there", "back", "well"),
    *("leave", "sit", "stand", "arrive", "wake", "sleep", "up", "down", "few", "many", "little", "right", "left"),
    *("bore", "interest", "due", "same", "other", "whole", "sudden", "old", "young", "white", "black", "act", "day"),
    *("night", "late", "early", "forward", "cold", "heavy", "light", "good", "narrow", "admit", "proper", "properly"),
    *("ready", "cool", "warm", "shut", "buy", "sell", "afraid", "push", "pull", "top", "side", "outside", "inside"),
    *("outdoors", "indoors", "high", "low", "last", "first", "next", "much", "all", "more", "less", "most", "least"),
    *("long", "short", "only", "prove", "disprove"),
}
"""Words that stories mostly use in another sense, or with other words, than those that have antonyms."""
_COPULAS = {
    *("is", "was", "are", "were", "am", "be", "been", "'s", "'m", "'re", "feel", "felt", "feels", "look", "looked"),
    *("looks", "seem", "seemed", "seems", "became", "become", "becomes", "get", "got", "gets", "turned", "stayed"),
}
"""What adjectives stand after that say something."""
_FIXED = {"sure enough", "happy birthday", "good morning", "good night", "good luck", "good bye", "all right"}
_PARTICLES = {"up", "down", "out", "off", "on", "in", "over", "away", "back"}
_PERSONS = ("noun.person", "noun.animal")


def has_negation(reading: Reading, means: Means) -> bool:
    """Whether a story holds a negation: a word for it, or a prefix."""
    if reading.said & DENIALS:
        return True
    return any(
        len(prefixed(lemma, pos) or lemma) < len(lemma)
        for sentence in reading.sentences
        for _, lemma, pos in content_words(sentence, _TAGS)
    )


@lru_cache(maxsize=50_000)
def prefixed(lemma: str, pos: str) -> str | None:
    """What a word becomes by a negating prefix, or by its loss, as WordNet knows it; None where it has no such."""
    for sense in wordnet().lemmas(lemma, pos)[:2]:
        for other in sense.antonyms():
            long, short = sorted((lemma, str(other.name())), key=len, reverse=True)
            if any(long == prefix + short for prefix in PREFIXES) and (long == lemma or other.count() >= 1):
                return str(other.name())
    return None


@lru_cache(maxsize=50_000)
def antonym(lemma: str, pos: str) -> str | None:
    """The opposite of a word in its commonest sense, that is itself commonest in that sense; None where there is none.

    Not of persons: a boy who becomes a girl is another character, and denies nothing.
    """
    senses = wordnet().lemmas(lemma, pos)
    if not senses or lemma in _OTHERWISE or senses[0].synset().lexname() in _PERSONS:
        return None
    for other in senses[0].antonyms():
        name = str(other.name())
        if name.isalpha() and name not in _OTHERWISE and other.count() >= _COMMON:
            back = wordnet().lemmas(name, pos)
            if back and back[0].synset() == other.synset():
                return name
    return None


def deny(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """Negation words come or go in a fifth of the sentences: of those that others need, the surest first."""
    found = list(denials(reading, means, rng))
    rng.shuffle(found)
    found.sort(key=lambda one: one[0])
    changes = tuple(sorted(change for _, change in found[: _wanted(reading)]))
    return Made("a negation came or went", changes) if changes else None


def _wanted(reading: Reading) -> int:
    return max(1, math.floor(SHARE * len(reading.sentences)))


def _order(reading: Reading, rng: random.Random) -> list[Sentence]:
    """At random, but the last one late: it contradicts nothing that follows."""
    free = reading.free
    return sorted(rng.sample(free, len(free)), key=lambda one: one is free[-1])


def turn_prefix(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """A word takes on a negating prefix, or loses it: "happy" is then "unhappy"."""
    changes = _replaced(reading, means, rng, _prefixed)
    return Made("a negating prefix came or went", changes) if changes else None


def _prefixed(lemma: str, pos: str) -> str | None:
    """Of no noun: "an awful inexperience" denies nothing."""
    return None if pos == "n" or lemma in _OTHERWISE else prefixed(lemma, pos)


def turn_antonym(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """A word becomes its antonym in the same form, in a fifth of the sentences."""
    changes = _replaced(reading, means, rng, antonym)
    return Made("an antonym", changes) if changes else None


def _replaced(
    reading: Reading, means: Means, rng: random.Random, opposite: Callable[[str, str], str | None]
) -> tuple[Change, ...]:
    changes: list[Change] = []
    wanted = _wanted(reading)
    spread = Counter(lemma for one in reading.told for lemma in {lemma for lemma, _ in one})
    for sentence in _order(reading, rng):
        own = {lemma for _, lemma, _ in content_words(sentence, _TAGS)}
        others = {lemma for lemma, number in spread.items() if number > (lemma in own)}
        found = [
            (word, new)
            for word, lemma, pos in content_words(sentence, _TAGS)
            if _elsewhere(lemma, pos, others, means)
            if (other := opposite(lemma, pos)) and (new := inflected(other, word.tag)).lower() != word.lower
            if _told(word, sentence) and not _fixed(word, sentence)
        ]
        if found:
            word, new = rng.choice(found)
            changes.append(in_place(0, reading.text, word, like(word.text, new)))
        if len(changes) == wanted:
            break
    return tuple(sorted(changes))


def _elsewhere(lemma: str, pos: str, others: set[str], means: Means) -> bool:
    """Whether another sentence has the word as well, or one that goes with it, and so contradicts its opposite."""
    return lemma in others or (pos in "nv" and bool(means.relations.relatives(lemma, pos) & others))


def _told(word: Word, sentence: Sentence) -> bool:
    """Whether the sentence tells it: by its verb, or by what it says of somebody; "an unhappy man" may be another."""
    if word.tag.startswith("VB"):
        return word.tag in ("VBD", "VBZ", "VBP", "VB")
    before = [one for one in sentence.words if one.end <= word.start]
    while before and before[-1].tag.startswith("RB") and before[-1].lower not in ("not", "n't"):
        before.pop()
    after = next((one.tag for one in sentence.words if one.start >= word.end), "")
    said = bool(before) and before[-1].lower in _COPULAS and not after.startswith("NN")
    return word.tag == "JJ" and said


def _fixed(word: Word, sentence: Sentence) -> bool:
    """Whether it belongs to the words beside it: "woke up", "happy birthday", "as fast as possible"."""
    after = next((one.lower for one in sentence.words if one.start >= word.end), "")
    before = next((one.lower for one in reversed(sentence.words) if one.end <= word.start), "")
    tied = word.tag.startswith("VB") and after in _PARTICLES | {"to"}  # "disagreed to see" is no English
    return tied or before in ("as", "too") or f"{word.lower} {after}" in _FIXED
