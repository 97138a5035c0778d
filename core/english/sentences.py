"""A story as the aspects see it: its sentences, their tagged words, and which of them may change."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from core.english.frames import Frames
from core.english.knowledge import lemma_of, pos_of
from core.english.relations import Relations
from core.english.substitution import Vocabulary
from core.english.tagger import tagger
from core.english.wordnet import wordnet
from core.english.words import PLACEHOLDER, Word, words
from core.stories import sentences

Change = tuple[int, int, str]
"""Code points `start` to `end` of a text become something new."""
SUBJECTS = {"PRP", "PRP$", "DT", "NN", "NNS", "NNP", "NNPS", "EX", "CD", "PDT", "JJ"}
"""Tags that a subject begins with."""
_DETERMINERS = {"DT", "PDT", "PRP$", "POS", "CD", "JJ", "JJR", "JJS", "NN", "NNP", "VBG", "VBN"}
FINITE = {"VBD", "VBZ", "VBP", "MD"}
QUOTES = re.compile(r"[\"“”«»`]|''|(?<!\w)['’]|['’](?!\w)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Code points `start` to `end` of a story, and the words there; their offsets are into the story."""

    start: int
    end: int
    text: str
    words: tuple[Word, ...]

    @property
    def body(self) -> tuple[Word, ...]:
        """Its words without the marks at its end."""
        last = len(self.words)
        while last and not any(c.isalnum() for c in self.words[last - 1].text):
            last -= 1
        return self.words[:last]

    @property
    def quoted(self) -> bool:
        """Whether it holds quotation marks: half of what somebody says must not be moved."""
        return QUOTES.search(self.text) is not None


class ParsedStory:
    """A story, of which the first `kept` sentences never change."""

    def __init__(self, text: str, kept: int) -> None:
        self.text = text
        self.kept = kept

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Return the sentences in their order, with their words."""
        return tuple(_sentence(self.text, start, end) for start, end in sentences(self.text))

    @property
    def free(self) -> tuple[Sentence, ...]:
        """The sentences that may change."""
        return self.sentences[self.kept :]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """All words, the kept sentences' too."""
        return tuple(word for sentence in self.sentences for word in sentence.words)

    @cached_property
    def content(self) -> tuple[frozenset[tuple[str, str]], ...]:
        """Return the content words of each sentence, as base forms with n, v, a or r."""
        return tuple(
            frozenset((lemma, pos) for _, lemma, pos in content_words(sentence, ("NN", "VB", "JJ", "RB")))
            for sentence in self.sentences
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All words in lower case."""
        return frozenset(word.lower for word in self.words)


def _sentence(text: str, start: int, end: int) -> Sentence:
    part = text[start:end]
    placed = tuple(Word(word.text, word.start + start, word.end + start, word.tag) for word in words(part))
    return Sentence(start, end, part, placed)


@dataclass(frozen=True)
class Resources:
    """What the aspects draw on: a lexicon's relations, the stories that lend sentences and words, what stands beside
    these and in which of the stories, paraphrases by sentence, and the stories whose sentences are weakly related.
    """

    relations: Relations
    lenders: Sequence[str]
    vocabulary: Vocabulary
    frames: Frames = field(default_factory=dict)
    seen_in: Mapping[str, frozenset[int]] = field(default_factory=dict)
    paraphrases: Mapping[str, str] = field(default_factory=dict)
    weakly_related: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Made:
    """What a technique does to a story, and in which way."""

    way: str
    changes: tuple[Change, ...]


Technique = Callable[[ParsedStory, Resources, random.Random], Made | None]
"""Finds what to change in a story, or None where it finds nothing."""


def choose(mades: Sequence[Made], rng: random.Random) -> Made | None:
    """One at random, None where there is none."""
    return rng.choice(mades) if mades else None


def bare(place: int, words: Sequence[Word]) -> bool:
    """Whether a singular noun stands without an article or its like, as names of stuff and fixed phrases do: "to town".

    Most other nouns would need one there.
    """
    return words[place].tag == "NN" and (not place or words[place - 1].tag not in _DETERMINERS)


def content_words(sentence: Sentence, tags: Sequence[str]) -> Iterator[tuple[Word, str, str]]:
    """Words whose Penn tags begin so, with their base form and part of speech; names and placeholders are none."""
    for word in sentence.words:
        pos = pos_of(word.text, word.tag) if word.tag.startswith(tuple(tags)) else ""
        if pos and word.text.isalpha() and not PLACEHOLDER.fullmatch(word.text):
            yield word, lemma_of(word.text, pos), pos


@lru_cache(maxsize=50_000)
def is_word(text: str) -> bool:
    """Whether a text in lower case is a word of English, in whatever form, and no more than a name."""
    return tagger().knows(text) or any(lemma_of(text, pos) in _lemmas(pos) or text in _lemmas(pos) for pos in "nvar")


@lru_cache(maxsize=4)
def _lemmas(pos: str) -> frozenset[str]:
    return frozenset(wordnet().all_lemma_names(pos))


def lowered(text: str, first: Word) -> str:
    """A beginning of a sentence as it stands within one; `first`: its first word, which may be a name."""
    loud = len(first.text) > 1 and first.text.isupper()
    keeps = loud or first.tag.startswith("NNP") or first.lower in ("i", "i'm") or not is_word(first.lower)
    return text if keeps else text[:1].lower() + text[1:]


def raised(text: str, like: str) -> str:
    """What stands within a sentence as its beginning, with a capital where `like` has one."""
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


def is_clause(part: Sequence[Word]) -> bool:
    """Whether these words are a plain statement: a subject, then a finite verb, nothing set apart."""
    if len(part) < 2 or part[0].tag not in SUBJECTS:
        return False
    if part[0].tag in ("JJ", "CD") and len(part) > 1 and part[1].tag[:2] not in ("NN", "JJ"):
        return False
    if not any(word.tag in FINITE for word in part[1:]):
        return False
    return all(word.text[0].isalnum() or word.tag == "POS" or word.text[0] in "'’[" for word in part)
