"""A sentence's words with their Penn tags, as the techniques use them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.english.tagger import tagger

PLACEHOLDER = re.compile(r"\[[A-Z]+\]")
_TOKEN = re.compile(
    r"\[[A-Z]+\]"  # a name that was masked
    r"|\w+?(?=n ?['’] ?t\b)|n ?['’] ?t\b"  # did|n't, and n ' t of tokenised texts
    r"|['’] ?(?:s|re|ve|ll|d|m)\b"
    r"|\w+(?:[-.,:]\w+)*|\S",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"\s?['’]\s?")


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a mark, where it stands (code points), and its Penn tag."""

    text: str
    start: int
    end: int
    tag: str

    @property
    def lower(self) -> str:
        """Return the word in lower case, a contraction without the spaces that tokenised texts have in it."""
        return _QUOTE.sub("'", self.text).lower()


@lru_cache(maxsize=20_000)
def words(sentence: str) -> tuple[Word, ...]:
    """The words and marks of a sentence, contractions split as in the Penn treebank."""
    results = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(sentence)]
    if not results:
        return ()
    loud = sentence.isupper()  # the tagger takes every word in capitals for a name
    tags = tagger().tags([_read(text, loud) for text, _, _ in results])
    return tuple(Word(*result, tag) for result, tag in zip(results, tags, strict=True))


def _read(text: str, loud: bool) -> str:
    """Return the word as the tagger knows it: a name for a placeholder, a capital I."""
    if PLACEHOLDER.fullmatch(text):
        return "Tom"
    if loud:
        text = text.lower()
    return "I" if text == "i" else _QUOTE.sub("'", text)


def like(model: str, word: str) -> str:
    """`word` in the capitals of `model`."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
