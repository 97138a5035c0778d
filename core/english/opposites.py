"""Replaces words of a sentence by their opposites where these fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.english.negation import is_tokenised
from core.english.sentences import SUBJECTS, Made, Sentence, is_clause
from core.english.words import Word, like


@dataclass(frozen=True, slots=True)
class Opposite:
    """What a word becomes, "" where only `opening` is its opposite. `tags`: beginnings of Penn tags that it must have
    ("" is any); `before`: words that must not stand before it ("" is the beginning of the sentence), `after`: nor after
    it, one or two, `elsewhere`: nor anywhere in the sentence; `clause`: whether a clause must follow it, and a subject
    stand before it. `opening`: what it becomes instead where it opens a sentence, before a comma. `ends`: whether it
    ends or begins what takes time.
    """

    new: str
    tags: tuple[str, ...] = ("",)
    before: Collection[str] = ()
    after: Collection[str] = ()
    elsewhere: Collection[str] = ()
    clause: bool = False
    opening: str = ""
    ends: bool = False


_SPANS = {
    *("day", "night", "evening", "morning", "afternoon", "hour", "week", "weekend", "month", "year", "decade"),
    *("century", "summer", "winter", "spring", "autumn", "season", "semester", "term", "school", "class", "lesson"),
    *("course", "shift", "trip", "vacation", "journey", "ride", "flight", "visit", "date", "party", "wedding"),
    *("ceremony", "dinner", "meal", "movie", "film", "show", "play", "concert", "song", "story", "book", "game"),
    *("match", "race", "season", "practice", "meeting", "interview", "speech", "session", "war", "event"),
}
"""What has an end in time, not in space."""
_NEAR = 5
"""Words from "of" on among which a noun is looked for."""


def opposed(sentence: Sentence, table: Mapping[str, Opposite]) -> Iterator[tuple[str, Made]]:
    """Each word, or words, of a sentence that the table turns into an opposite; of two at one place the longer."""
    body = sentence.body
    for place in range(len(body)):
        for size in (4, 3, 2, 1):
            words = body[place : place + size]
            text = " ".join(word.lower for word in words)
            opposite = table.get(text) if len(words) == size else None
            new = _becomes(opposite, sentence, place, size) if opposite else None
            if new:
                edit = Made(f"“{text}” became “{new}”", ((words[0].start, words[-1].end, _written(words, new)),))
                yield text, edit
                break


def _becomes(opposite: Opposite, sentence: Sentence, place: int, size: int) -> str | None:
    body = sentence.body
    ahead, rest = body[place - 1].lower if place else "", body[place + size :]
    follows = rest[0].lower if rest else ""
    if (
        not body[place].tag.startswith(opposite.tags)
        or ahead in opposite.before
        or any(w.lower in opposite.elsewhere for w in body)
    ):
        return None
    if follows in opposite.after or " ".join(word.lower for word in rest[:2]) in opposite.after:
        return None
    if ahead == follows != "" or (opposite.ends and not _in_time(rest)):  # "day after day"
        return None
    if not place and opposite.opening:
        comma = " ," if is_tokenised(sentence.text) else ","
        words = rest[1:] if rest and rest[0].text == "," else rest
        return (
            opposite.opening + (comma if words == rest else "") if words and words[0].tag in SUBJECTS - {"JJ"} else None
        )
    if not opposite.clause:
        return opposite.new
    clause = is_clause(rest) and rest[0].tag in SUBJECTS - {"JJ"}
    return opposite.new if clause and any(word.tag in SUBJECTS for word in body[:place]) else None


def _in_time(rest: Sequence[Word]) -> bool:
    """Whether what ends or begins takes time: "the end of the day", but not "of the street", and no "end zone"."""
    if rest and rest[0].lower == "of":
        return any(word.lower in _SPANS for word in rest[1:_NEAR])
    return not rest or not rest[0].tag.startswith(("NN", "JJ", "CD"))


def _written(words: Sequence[Word], new: str) -> str:
    """Return the new word with the capitals of the words that stood there."""
    loud = len(words[0].text) > 1 and all(word.text.isupper() for word in words)
    return new.upper() if loud else like(words[0].text, new)
