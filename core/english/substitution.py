"""Keyword substitution (UNION section 3.2): a keyword becomes its opposite, or another keyword of the same kind."""

from __future__ import annotations

import random
import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.english.knowledge import Knowledge, inflected, lemma_of, pos_of
from core.english.words import Word, like, words

Change = tuple[int, int, str]
_AN = re.compile(
    r"(?!one(?!r)|once|eu|ewe|u(?:ni(?!n|m)|s[aeiu]|s$|til|biq|rin))[aeiou]|hours?\b|hon(?:est|ou?r)|heir",
    re.IGNORECASE,
)
"""Words after "an": those that begin with a vowel as they are spoken."""
_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
_REACH = 8
"""Characters before a word in which its article stands."""
SHARE = 0.15
"""Of the keywords that are replaced."""
_TRIES = 10


@dataclass(frozen=True)
class Vocabulary:
    """The keywords of a corpus by Penn tag, each tag's in order, with the running sum of their counts."""

    words: dict[str, list[str]]
    counts: dict[str, list[int]]

    @classmethod
    def of(cls, sentences: Iterable[str], knowledge: Knowledge) -> Vocabulary:
        """Count the keywords of these sentences."""
        counted: dict[str, Counter[str]] = {}
        for sentence in sentences:
            for word in keywords(sentence, knowledge):
                counted.setdefault(word.tag, Counter())[word.lower] += 1
        ordered = {tag: sorted(counts.items()) for tag, counts in sorted(counted.items())}
        return cls(
            {tag: [word for word, _ in pairs] for tag, pairs in ordered.items()},
            {tag: list(accumulate(count for _, count in pairs)) for tag, pairs in ordered.items()},
        )

    def draw(self, tag: str, but: str, rng: random.Random) -> str | None:
        """A keyword of this tag by frequency, other than `but`; None where there is no other."""
        candidates, sums = self.words.get(tag, []), self.counts.get(tag, [])
        for _ in range(_TRIES if candidates else 0):
            result = candidates[bisect(sums, rng.random() * sums[-1])]
            if result != but:
                return result
        return next((name for name in candidates if name != but), None)


def keywords(sentence: str, knowledge: Knowledge) -> list[Word]:
    """The words of a sentence that carry its content."""
    result = []
    for word in words(sentence):
        pos = pos_of(word.text, word.tag)
        if pos and knowledge.knows(lemma_of(word.text, pos), pos):
            result.append(word)
    return result


def replace(
    placed: Sequence[tuple[int, str]], knowledge: Knowledge, vocabulary: Vocabulary, rng: random.Random
) -> list[tuple[Change, str]]:
    """Replace 15 % of the keywords of sentences, at least one: each change with "antonym" or "keyword".

    `placed`: where a sentence begins, and the sentence. Nothing where there are no keywords.
    """
    places = [(start, sentence, word) for start, sentence in placed for word in keywords(sentence, knowledge)]
    changes: list[tuple[Change, str]] = []
    wanted = max(1, round(SHARE * len(places)))
    for start, sentence, word in rng.sample(places, len(places)):
        if len(changes) == wanted:
            break
        replacement = _other(word, knowledge, vocabulary, rng)
        if replacement:
            changes.append((in_place(start, sentence, word, replacement[0]), replacement[1]))
    return changes


def replace_as_published(
    placed: Sequence[tuple[int, str]], knowledge: Knowledge, vocabulary: Vocabulary, rng: random.Random
) -> list[tuple[Change, str]]:
    """As `replace`, in the amounts of UNION's authors: one to 15 % of the keywords, drawn evenly. An opposite
    stands there as the lexicon has it, and nothing follows it.
    """
    places = [(start, word) for start, sentence in placed for word in keywords(sentence, knowledge)]
    changes: list[tuple[Change, str]] = []
    wanted = rng.randint(1, max(1, int(SHARE * len(places))))
    for start, word in rng.sample(places, len(places)):
        if len(changes) == wanted:
            break
        replacement = _other(word, knowledge, vocabulary, rng, inflect=False)
        if replacement:
            changes.append(((start + word.start, start + word.end, replacement[0]), replacement[1]))
    return changes


def _other(
    word: Word, knowledge: Knowledge, vocabulary: Vocabulary, rng: random.Random, *, inflect: bool = True
) -> tuple[str, str] | None:
    pos = pos_of(word.text, word.tag)
    opposites = knowledge.antonyms(lemma_of(word.text, pos), pos)
    if opposites:
        opposite = rng.choice(opposites)
        opposite = inflected(opposite, word.tag) if inflect else opposite
        if opposite.lower() != word.lower:
            return like(word.text, opposite), "antonym"
    other = vocabulary.draw(word.tag, word.lower, rng)
    return (like(word.text, other), "keyword") if other else None


def in_place(start: int, sentence: str, word: Word, new: str) -> Change:
    """The change with the article before it put right: "an old man" becomes "a young man"."""
    before = _ARTICLE.search(sentence, max(0, word.start - _REACH), word.start)
    if before:
        article = before[1][0] + (("N" if before[1].isupper() and new.isupper() else "n") if _AN.match(new) else "")
        if article.lower() != before[1].lower():
            return start + before.start(), start + word.end, article + before[2] + new
    return start + word.start, start + word.end, new
