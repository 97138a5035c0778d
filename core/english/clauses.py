"""Where a sentence, or two of them, can be cut at a connective, and how the clauses read in the other order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.english.sentences import FINITE, SUBJECTS, Change, Made, ParsedStory, Sentence, is_clause, lowered, raised
from core.english.words import Word

CONNECTIVES = {
    *("because", "so", "since", "when", "while", "after", "before", "until", "once", "then", "if", "unless"),
    *("although", "though", "but", "that", "which", "who", "where", "whether", "as", "than", "therefore", "however"),
}
"""A clause that holds one is more than one."""
_UNFINISHED = {"is", "was", "are", "were", "'s", "only", "just", "mostly", "mainly", "probably", "maybe", "even", "and"}
"""What a clause does not end with: "this was because", "it was only because"."""
_PRONOUNS = {"he", "she", "it", "his", "her", "its"}
_ADJECTIVES = {"next", "later"}
"""Openings that may belong to a noun: "next time"."""
LEADS = {"and", "but", "or", "yet"}
"""What may stand before a sentence's first clause, and stays there."""


class Swap(NamedTuple):
    """What is said on the `left` and on the `right` of a connective `word` (or after it, where it comes first), and the
    story with both in each other's place.
    """

    word: Word
    left: Sequence[Word]
    right: Sequence[Word]
    made: Made


def swapped(first: Sequence[Word], second: Sequence[Word], story: str, *, opens: bool) -> tuple[Change, ...]:
    """Two stretches of a story that change places; `opens`: the first opens its sentence, which the second never does.

    A capital stays at the beginning of the sentence, and with names.
    """
    a, b = ((words[0].start, words[-1].end) for words in (first, second))
    said_first, said_second = story[slice(*a)], story[slice(*b)]
    return (
        (*a, raised(said_second, said_first) if opens else said_second),
        (*b, lowered(said_first, first[0]) if opens else said_first),
    )


def plain(words: Sequence[Word]) -> bool:
    """Whether it is one clause and no more."""
    if any(word.lower in CONNECTIVES for word in words) or not is_clause(words):
        return False
    # "and" before another subject with a verb of its own begins another clause
    return not any(
        word.lower in ("and", "or") and is_clause(words[place + 1 :]) and words[place + 1].tag in ("PRP", "NNP", "DT")
        for place, word in enumerate(words)
    )


def swapped_within(sentence: Sentence, story: str, connectives: Collection[str]) -> Iterator[Swap]:
    """Sentences of the form "A because B": its clauses swapped ("B because A")."""
    body = sentence.body
    if sentence.quoted:
        return
    start = 1 if body and body[0].lower in LEADS else 0
    for place, word in enumerate(body):
        if word.lower not in connectives or place <= start:
            continue
        stop = place
        while stop > start and (body[stop - 1].text == "," or (body[stop - 1].lower == "and" and word.lower == "then")):
            stop -= 1
        left, right = body[start:stop], body[place + 1 :]
        if (
            plain(left)
            and plain(right)
            and left[-1].lower not in _UNFINISHED
            and _understood(left, right, story[: sentence.start])
        ):
            edit = Made(f"the sides of “{word.lower}” swapped", swapped(left, right, story, opens=not start))
            yield Swap(word, left, right, edit)


def beginning(sentence: Sentence, story: str, connectives: Collection[str]) -> Iterator[Swap]:
    """Sentences of the form "When A, B": with the clauses swapped ("When B, A")."""
    body = sentence.body
    if not body or body[0].lower not in connectives or sentence.quoted:
        return
    comma = next((i for i, word in enumerate(body) if word.text == ","), 0)
    left, right = body[1:comma], body[comma + 1 :]
    if left and plain(left) and plain(right) and _understood(left, right, story[: sentence.start]):
        edit = Made(f"the sides of “{body[0].lower}” swapped", swapped(left, right, story, opens=False))
        yield Swap(body[0], left, right, edit)


def _understood(first: Sequence[Word], second: Sequence[Word], message: str) -> bool:
    """Whether the second says who is meant where it comes first: not "he lost because Tom was sad", of whom nothing has
    been `told`.
    """
    verb = next(place for place, word in enumerate(first) if word.tag in FINITE)
    named = [word.text for word in first[:verb] if word.tag.startswith("NN")]
    return second[0].lower not in _PRONOUNS or not named or any(name in message for name in named)


def across(reading: ParsedStory, openings: Collection[str]) -> Iterator[Swap]:
    """Two sentences "A. So B.": what they say swapped ("B. So A."), the opening in its place."""
    for before, after in pairwise(reading.free):
        body, words = after.body, before.body
        if not body or body[0].lower not in openings or before.quoted or after.quoted:
            continue
        start = 2 if len(body) > 1 and body[1].text == "," else 1
        span = body[start:]
        if start == 1 and span and body[0].lower in _ADJECTIVES and span[0].tag.startswith("NN"):
            continue
        earlier = reading.text[: before.start]
        if span and words and _statement(span) and _statement(words) and _understood(words, span, earlier):
            way = f"the sentences around “{body[0].lower}” swapped"
            yield Swap(body[0], words, span, Made(way, swapped(words, span, reading.text, opens=True)))


def _statement(words: Sequence[Word]) -> bool:
    """Whether a sentence can stand after "so" as it is: it begins with a subject, and has a finite verb."""
    opens = words[0].tag in SUBJECTS and any(word.tag in FINITE for word in words[1:])
    return opens and words[-1].lower not in _UNFINISHED
