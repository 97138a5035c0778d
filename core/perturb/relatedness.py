"""What has nothing to do with the rest (OpenMEVA section 3.2, "relatedness")."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from core.perturb.commonsense import LIGHT
from core.perturb.knowledge import lemma_of
from core.perturb.negatives import closed
from core.perturb.reading import QUOTES, Change, Made, Means, Reading, Sentence, bare, content_words
from core.perturb.substitution import in_place
from core.perturb.words import Word, like, words
from core.stories import sentences

SHARE = 0.25
"""Of the nouns and verbs that are replaced."""
LEAST = 2
"""One word may fit by chance."""
_TRIES = 12
_PRONOUNS = ("one", "body", "thing", "self", "selves")
"""Ends of words that the tagger takes for nouns, and that stand for nobody in particular."""


def frames(stories: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """What follows each verb form in these stories: an object, a certain preposition, nothing."""
    found: dict[str, set[str]] = {}
    for story in stories:
        for start, end in sentences(story):
            there = words(story[start:end])
            for word, after in zip(there, [*there[1:], None], strict=True):
                if word.tag.startswith("VB"):
                    found.setdefault(word.lower, set()).add(_frame(after))
    return {verb: frozenset(seen) for verb, seen in found.items()}


def _frame(after: Word | None) -> str:
    if after is None or not after.text[0].isalnum():
        return "nothing"
    if after.tag in ("IN", "TO", "RP", "VBG"):
        return after.lower
    return "object" if after.tag[:2] in ("DT", "PR", "NN", "JJ", "CD") else after.tag


def replace_at_random(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """A quarter of the nouns and verbs become others of the same form; a verb one that has been seen before such words
    as follow here.
    """
    there = [pair for sentence in reading.free for pair in _words(sentence)]
    wanted = max(LEAST, math.ceil(SHARE * len(there)))
    changes: list[Change] = []
    for word, after in rng.sample(there, len(there)):
        if len(changes) == wanted:
            break
        other = _drawn(word, after, means, rng)
        if other:
            changes.append(in_place(0, reading.text, word, like(word.text, other)))
    number = "a word" if len(changes) == 1 else f"{len(changes)} words"
    return Made(f"{number} at random", tuple(sorted(changes))) if changes else None


def _words(sentence: Sentence) -> list[tuple[Word, Word | None]]:
    """Nouns and verbs of content, each with the word after it."""
    after = dict(zip(sentence.words, sentence.words[1:], strict=False))
    alone = {word for place, word in enumerate(sentence.words) if bare(place, sentence.words)}
    return [
        (word, after.get(word))
        for word, lemma, _ in content_words(sentence, ("NN", "VB"))
        if word not in alone
        and lemma not in LIGHT
        and not word.lower.endswith(_PRONOUNS)
        and word.lower not in ("nothing", "right")
    ]


def _drawn(word: Word, after: Word | None, means: Means, rng: random.Random) -> str | None:
    for _ in range(_TRIES):
        other = means.vocabulary.draw(word.tag, word.lower, rng)
        if other is None:
            return None
        verb = word.tag.startswith("VB")
        fits = not verb or _frame(after) in means.frames.get(other, ())
        if fits and lemma_of(other, "v" if verb else "n") not in LIGHT:
            return other
    return None


def replace_sentence(reading: Reading, means: Means, rng: random.Random) -> Made | None:
    """A sentence becomes one of another story that shares no word of content with this one."""
    free = [sentence for sentence in reading.free if not sentence.quoted]
    if not free:
        return None
    here = rng.choice(free)
    said = reading.said
    for _ in range(_TRIES):
        other = rng.choice(means.lenders)
        there = [other[start:end] for start, end in sentences(other)]
        if other == reading.text or not there or _written(other) != _written(reading.text):
            continue
        lent = rng.choice(there)
        if not _content(lent) & said and any(c.isalpha() for c in lent) and not QUOTES.search(lent):
            new = closed(lent, reading.text, (here.start, here.end))
            return Made("a sentence of another story", ((here.start, here.end, new),))
    return None


def _written(story: str) -> tuple[bool, bool]:
    """Whether in lower case, and whether tokenised: a sentence of another kind would show by that alone."""
    return story.islower(), " ." in story


def _content(sentence: str) -> set[str]:
    found: Sequence[Word] = words(sentence)
    return {word.lower for word in found if word.tag.startswith(("NN", "VB", "JJ")) and len(word.text) > 3}
