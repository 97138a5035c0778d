"""Sentences and words that have nothing to do with the rest (OpenMEVA section 3.2, "relatedness")."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from core.english.frames import frame_of, surely
from core.english.knowledge import lemma_of, pos_of
from core.english.sentences import QUOTES, Change, Made, ParsedStory, Resources, Sentence, bare, content_words
from core.english.substitution import in_place
from core.english.words import Word, like, words
from core.perturb.negatives.sampler import closed
from core.perturb.techniques.commonsense import LIGHT
from core.stories import sentences

SHARE = 0.25
"""Of the nouns and verbs that are replaced."""
LEAST = 2
"""One word may fit by chance."""
_TRIES = 40
_CANDIDATES = 5
_PRONOUNS = ("one", "body", "thing", "self", "selves")
"""Ends of words that the tagger takes for nouns, and that stand for nobody in particular."""


def replace_at_random(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A quarter of the nouns and verbs become others of the same form, that have been seen between such words as stand
    here.
    """
    keywords = [part for sentence in reading.free for part in _words(sentence)]
    wanted = max(LEAST, math.ceil(SHARE * len(keywords)))
    changes: list[Change] = []
    for word, frame in rng.sample(keywords, len(keywords)):
        if len(changes) == wanted:
            break
        other = _drawn(word, frame, means, rng)
        if other:
            changes.append(in_place(0, reading.text, word, like(word.text, other)))
    return Made(f"{len(changes)} words at random", tuple(sorted(changes))) if len(changes) >= LEAST else None


def _words(sentence: Sentence) -> list[tuple[Word, str]]:
    """Nouns and verbs of content, each with the frame that it stands in."""
    places = {word: place for place, word in enumerate(sentence.words)}
    return [
        (word, frame)
        for word, lemma, _ in content_words(sentence, ("NN", "VB"))
        if not bare(places[word], sentence.words) and (frame := frame_of(sentence.words, places[word]))
        if lemma not in LIGHT and surely(word.lower, word.tag) and not word.lower.endswith(_PRONOUNS)
    ]


def _drawn(word: Word, frame: str, means: Resources, rng: random.Random) -> str | None:
    for _ in range(_TRIES):
        other = means.vocabulary.draw(word.tag, word.lower, rng)
        if other is None:
            return None
        fits = frame in means.frames.get((other, word.tag), ()) and surely(other, word.tag)
        if fits and lemma_of(other, "v" if word.tag.startswith("VB") else "n") not in LIGHT:
            return other
    return None


def replace_sentence(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A sentence becomes one of another story that shares no word of content with this one: of some drawn at random
    that whose nouns and verbs are most seldom seen in one story with those here.
    """
    free = [sentence for sentence in reading.free if not sentence.quoted]
    drawn = [rng.choice(means.lenders) for _ in range(_TRIES)] if free else []
    lent = [(other, rng.choice(sentences(other))) for other in drawn if sentences(other)]
    strange = [other[a:b] for other, (a, b) in lent if _strange(other, other[a:b], reading)][:_CANDIDATES]
    if not strange:
        return None
    here = rng.choice(free)
    met = set().union(*(means.seen_in.get(lemma, ()) for lemma in _lemmas(reading.text)))
    new = closed(min(strange, key=lambda name: _met(name, met, means)), reading.text, (here.start, here.end))
    return Made("a sentence of another story", ((here.start, here.end, new),))


def _strange(other: str, sentence: str, reading: ParsedStory) -> bool:
    """Whether a sentence of another story can stand here, and has nothing of what is said here."""
    if other == reading.text or _written(other) != _written(reading.text) or QUOTES.search(sentence):
        return False
    return len(_lemmas(sentence)) >= LEAST and not _content(sentence) & reading.vocabulary


def _met(sentence: str, met: set[int], means: Resources) -> float:
    """The share of the stories with its words that have a word of this story as well, 0..1 in the mean."""
    shares = [len(seen & met) / len(seen) for lemma in _lemmas(sentence) if (seen := means.seen_in.get(lemma))]
    return sum(shares) / len(shares) if shares else 1.0


def _lemmas(text: str) -> set[str]:
    """The nouns and verbs of content, in their base forms."""
    result = set()
    for start, end in sentences(text):
        for word in words(text[start:end]):
            pos = pos_of(word.text, word.tag)
            if pos in ("n", "v"):
                result.add(lemma_of(word.text, pos))
    return result - LIGHT


def _written(story: str) -> tuple[bool, bool]:
    """Whether in lower case, and whether tokenised: a sentence of another kind would show by that alone."""
    return story.islower(), " ." in story


def _content(sentence: str) -> set[str]:
    result: Sequence[Word] = words(sentence)
    return {word.lower for word in result if word.tag.startswith(("NN", "VB", "JJ")) and len(word.text) > 3}
