"""Words that mean the same in their commonest sense (WordNet)."""

from __future__ import annotations

import random
from functools import lru_cache

from core.english.knowledge import inflected
from core.english.sentences import Change, ParsedStory, Sentence, content_words
from core.english.substitution import in_place
from core.english.wordnet import wordnet
from core.english.words import Word, like

MOST = 2
"""Words a story that are replaced, as in OpenMEVA's own tool, and one more for each further `WORDS` words."""
WORDS = 100
_COMMON = 2
"""Times that a synonym stands in WordNet's tagged texts."""
_OTHERWISE = {
    *("be", "have", "do", "get", "go", "come", "make", "take", "give", "let", "like", "well", "back", "one", "man"),
    *("look", "find", "see", "know", "think", "feel", "keep", "put", "set", "run", "turn", "work", "use", "time"),
    *("people", "thing", "way", "lot", "there", "here", "then", "now", "right", "home", "up", "out", "off", "on"),
    *("not", "very", "so", "too", "just", "even", "still", "only", "never", "always", "also", "no", "more", "most"),
}
"""Words of so many senses, or so tied to others, that none stands in for them everywhere."""
_PARTICLES = {"up", "down", "out", "off", "on", "in", "over", "away", "back", "for", "to", "at", "after", "through"}


@lru_cache(maxsize=50_000)
def synonyms(lemma: str, pos: str) -> tuple[str, ...]:
    """Words of its commonest sense that are themselves commonest in that sense, and in use."""
    senses = wordnet().synsets(lemma, pos)
    if not senses or lemma in _OTHERWISE or not _mostly(lemma, pos):
        return ()
    results = []
    for other in senses[0].lemmas():
        name = str(other.name())
        if name != lemma and name.isalpha() and name.islower() and other.count() >= _COMMON and name not in _OTHERWISE:
            back = wordnet().synsets(name, pos)
            if back and back[0] == senses[0] and _mostly(name, pos):
                results.append(name)
    return tuple(results)


def _mostly(lemma: str, pos: str) -> bool:
    """Whether the commonest sense is at least half of a word's uses in WordNet's tagged texts, as whatever part of
    speech: "to dog" is to chase, and nobody says so.
    """
    own = [item.count() for item in wordnet().lemmas(lemma, pos) if item.name().lower() == lemma]
    return bool(own) and own[0] * 2 >= sum(item.count() for item in wordnet().lemmas(lemma) if item.name() == lemma)


def _same_form(new: str, name: str) -> bool:
    """Whether a form is no commoner word of its own, as "rent" is beside "to rend"."""
    counts = [sum(lemma.count() for lemma in wordnet().lemmas(word)) for word in (new, name)]
    return new == name or counts[0] <= counts[1]


def replacements(reading: ParsedStory, rng: random.Random) -> list[Change]:
    """Some words of the story as their synonyms, in the same form."""
    candidates = [
        (word, names)
        for sentence in reading.free
        for word, lemma, pos in content_words(sentence, ("NN", "VB", "JJ", "RB"))
        if (names := synonyms(lemma, pos)) and not tied(word, sentence)
    ]
    most = MOST + len(reading.words) // WORDS
    changes = []
    for word, names in sorted(rng.sample(candidates, min(most, len(candidates))), key=lambda part: part[0].start):
        name = rng.choice(names)
        new = inflected(name, word.tag)
        if new.lower() != word.lower and _same_form(new, name):
            changes.append(in_place(0, reading.text, word, like(word.text, new)))
    return changes


def tied(word: Word, sentence: Sentence) -> bool:
    """Whether a verb means something only with the word after it: "look for"."""
    after = next((item.lower for item in sentence.words if item.start >= word.end), "")
    return word.tag.startswith("VB") and after in _PARTICLES
