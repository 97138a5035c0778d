"""Other wordings of the same meaning: a table, and where each wording fits in a sentence.

`data/paraphrases/wordings.txt` says how its lines are written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from core.english.clauses import CONNECTIVES
from core.english.knowledge import inflected, lemma_of
from core.english.sentences import FINITE
from core.english.words import Word
from core.errors import InputError
from core.home import ROOT

TABLE = ROOT / "data" / "paraphrases" / "wordings.txt"
OBJECTS = {"me", "him", "her", "us", "them", "it", "you"}
SUBJECTS = {"i", "he", "she", "we", "they", "it", "you", "this", "that", "there", "everyone", "everybody", "nobody"}
_AGENTS = {
    "i": ("my", "myself", "i"),
    "he": ("his", "himself", "he"),
    "she": ("her", "herself", "she"),
    "we": ("our", "ourselves", "we"),
    "they": ("their", "themselves", "they"),
    "[male]": ("his", "himself", "he"),
    "[female]": ("her", "herself", "she"),
}
_OF_AGENT = {"HIS": 0, "HIMSELF": 1, "HE": 2}
_BOUND = {"NP", "PRON", "POSS", "V"}
"""What other words can only have from those in whose place they stand."""
_PLURAL = {"we", "they", "you"}
_HAVE = {"have", "has", "had", "having", "'ve"}
_BE = {"be", "is", "are", "was", "were", "am", "been", "being", "'re", "'m", "get", "got", "gets", "getting"}
_BEFORE_NOUN = {"DT", "PDT", "PRP$", "CD", "JJ", "JJR", "JJS", "VBN", "NN", "NNS", "NNP", "NNPS", "POS"}
_NAMED = re.compile(r"[a-z][a-z-]*\.[vnar]")


class Span(NamedTuple):
    """Some words of a sentence become `new`: those from `start` to before `stop`, numbers of words."""

    start: int
    stop: int
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentenceWording:
    """What stands in a sentence, each part a word, a form of one or a phrase, and what may stand there instead.

    `followed`: one of these comes next; `without`: words that the sentence must not have; `after`: the word before, or
    its tag, is one of these.
    """

    parts: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]
    followed: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()


Bound = dict[str, str]
"""What the parts of a wording stand for in a sentence: the phrase of an NP or PRON, the word of a POSS, the base form
of what stands under V, the tag of a named word under the letter of its part of speech.
"""


class Wordings:
    """A table of wordings, ready to be looked up; `name` goes into a set's recipe."""

    def __init__(self, text: str) -> None:
        """Raises InputError naming the line that is none."""
        self.name = f"wordings@{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        self._by_first: dict[str, list[SentenceWording]] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                wording = _read(line, number)
                self._by_first.setdefault(next(part for part in wording.parts if part != "^"), []).append(wording)

    def __iter__(self) -> Iterator[SentenceWording]:
        return (wording for wordings in self._by_first.values() for wording in wordings)

    def spans(self, body: Sequence[Word]) -> list[Span]:
        """All that can be said otherwise in a sentence, whose words these are, without the marks at its end."""
        tags = _tags(body)
        spoken = {word.lower for word in body}
        result: list[Span] = []
        for place, word in enumerate(body):
            for key in _keys(word, tags[place]):
                for wording in self._by_first.get(key, ()):
                    if wording.without & spoken or (wording.parts[0] == "^" and place):
                        continue
                    before = {body[place - 1].lower, tags[place - 1]} if place else {"^"}
                    if wording.after and not wording.after & before:
                        continue
                    result += _matched(wording, body, tags, place)
        return result


@lru_cache(maxsize=1)
def shipped() -> Wordings:
    """The table that Fabula brings."""
    return Wordings(TABLE.read_text(encoding="utf-8"))


def _read(line: str, number: int) -> SentenceWording:
    left, arrow, right = line.partition("=>")
    conditions = re.findall(r"\{([!<])([^}]*)\}", left)
    before, _, follows = re.sub(r"\{[^}]*\}", "", left).partition(">")
    others = tuple(tuple(name.split()) for name in right.split("|"))
    bound = {part.removesuffix(".ing") for part in before.split()}
    unbound = {part.removesuffix(".ing") for other in others for part in other} & _BOUND - bound
    if not arrow or not before.split() or not all(others) or unbound:
        raise InputError(f"{TABLE.name}, line {number}: `words => other words | other words` is wanted here.")
    return SentenceWording(
        tuple(before.split()),
        others,
        tuple(follows.strip().split("/")) if follows.strip() else (),
        frozenset(item for kind, ones in conditions if kind == "!" for item in ones.split(",")),
        frozenset(item for kind, ones in conditions if kind == "<" for item in ones.split(",")),
    )


def _keys(word: Word, tag: str) -> Iterator[str]:
    """What a part may be called that this word can be."""
    yield word.lower
    if tag.startswith("VB"):
        yield from (f"{lemma_of(word.text, 'v')}.v", "V")
        if tag == "VBG":
            yield "V.ing"
    elif tag in ("NN", "NNS"):
        yield f"{lemma_of(word.text, 'n')}.n"
    elif tag.startswith("JJ"):
        yield f"{lemma_of(word.text, 'a')}.a"
    elif tag.startswith("RB"):
        yield f"{lemma_of(word.text, 'r')}.r"
    if tag == "PRP$":
        yield "POSS"


def _tags(body: Sequence[Word]) -> list[str]:
    """Penn tags, those of participles and past tenses by the words before them: the tagger confuses both."""
    tags = [word.tag for word in body]
    for place, tag in enumerate(tags):
        if tag not in ("VBD", "VBN"):
            continue
        first = place
        while first and (tags[first - 1].startswith("RB") or body[first - 1].lower == "n't"):
            first -= 1
        before = body[first - 1].lower if first else ""
        if before in _HAVE | _BE:
            tags[place] = "VBN"
        elif before in SUBJECTS or (first and tags[first - 1] in ("NNP", "NNPS")):
            tags[place] = "VBD"
    return tags


def _matched(wording: SentenceWording, body: Sequence[Word], tags: Sequence[str], start: int) -> Iterator[Span]:
    bound: Bound = {}
    place = start
    for part in wording.parts:
        if part == "^":
            continue
        stop = _taken(part, body, tags, place, bound)
        if stop is None:
            return
        place = stop
    if wording.followed and not any(_follows(what, body, tags, place) for what in wording.followed):
        return
    shared = any(
        word.tag == "CC" and other == "VB" for word, other in zip(body[place:], tags[place + 1 :], strict=False)
    )
    for other in wording.others:
        if shared and "V.ing" in other:
            continue  # "was able to stay and watch": the second verb would have to change as well
        new = _written(other, bound, body, tags, start)
        if new is not None:
            yield Span(start, place, new)


def _taken(part: str, body: Sequence[Word], tags: Sequence[str], place: int, bound: Bound) -> int | None:
    """Where the next part begins, None where this one is not here."""
    if place >= len(body):
        return None
    word, tag = body[place], tags[place]
    if part in ("NP", "PRON"):
        stop = place + (word.lower in OBJECTS) if part == "PRON" else phrase(body, tags, place)
        if stop == place:
            return None
        bound[part] = " ".join(item.text for item in body[place:stop])
        return stop
    if part not in _keys(word, tag):
        return None
    if part == "POSS":
        bound[part] = word.lower
    elif part in ("V", "V.ing"):
        if part == "V" and tag != "VB":
            return None
        bound["V"] = lemma_of(word.text, "v")
    elif _NAMED.fullmatch(part):
        bound.setdefault(part[-1], tag)
    return place + 1


def phrase(body: Sequence[Word], tags: Sequence[str], place: int) -> int:
    """Where a noun phrase that begins here ends; `place` where none does."""
    if place < len(body) and body[place].lower.endswith(("self", "selves")):
        return place
    if place < len(body) and (tags[place] == "PRP" or body[place].lower in OBJECTS) and tags[place] != "PRP$":
        return place + 1
    stop = place
    while stop < len(body) and tags[stop] in _BEFORE_NOUN:
        if tags[stop] in ("DT", "PDT", "PRP$") and stop > place and tags[stop - 1] not in ("DT", "PDT"):
            break  # another phrase begins: "gave her the book"
        stop += 1
    while stop > place and not tags[stop - 1].startswith("NN"):
        stop -= 1
    owns = tags[stop] == "POS" if stop < len(body) else False
    bare = tags[place] == "NN" if place < len(body) else False
    return place if owns or bare else stop


def _follows(what: str, body: Sequence[Word], tags: Sequence[str], place: int) -> bool:
    if what == "END":
        return place == len(body)
    if place >= len(body):
        return False
    if what == "NP":
        return phrase(body, tags, place) > place
    if what == "PRON":
        return body[place].lower in OBJECTS
    if what == "POSS":
        return tags[place] == "PRP$"
    if what == "SUBJ":
        stop = place + 1 if body[place].lower in SUBJECTS else phrase(body, tags, place)
        while stop < len(body) and tags[stop].startswith("RB"):
            stop += 1
        return place < stop < len(body) and tags[stop] in FINITE
    return what in (tags[place], body[place].lower)


def _written(
    other: Sequence[str], bound: Bound, body: Sequence[Word], tags: Sequence[str], start: int
) -> tuple[str, ...] | None:
    """The new words; None where it is not known whose, or whether one or many."""
    new = []
    for part in other:
        if part in _OF_AGENT:
            agent = _agent(body, tags, start)
            if agent not in _AGENTS:
                return None
            new.append(_AGENTS[agent][_OF_AGENT[part]])
        elif part == "WAS":
            agent = _agent(body, tags, start)
            if not agent:
                return None
            new.append("were" if agent in _PLURAL else "was")
        elif part in ("NP", "PRON", "POSS"):
            new.append(bound[part])
        elif part in ("V", "V.ing"):
            new.append(inflected(bound["V"], "VBG") if part == "V.ing" else bound["V"])
        elif _NAMED.fullmatch(part):
            new.append(_inflected(part[:-2], bound.get(part[-1], "")))
        else:
            new.append(part)
    return tuple(new)


def _inflected(lemma: str, tag: str) -> str:
    return inflected(lemma, tag) if tag and tag not in ("VB", "NN", "JJ", "RB") else lemma


def _agent(body: Sequence[Word], tags: Sequence[str], place: int) -> str:
    """The subject of the verb here: a pronoun or a placeholder, "he or she" for one whose pronoun is not known, "they"
    for several, "" where it is not seen.
    """
    first = place
    while first and body[first - 1].lower not in CONNECTIVES and body[first - 1].text != ",":
        first -= 1
        if body[first].lower in _AGENTS and (not first or tags[first - 1] not in ("CC", "IN", "TO")):
            return body[first].lower
    subject = body[first:place]
    if not subject or phrase(body, tags, first) != place or any(word.tag == "CC" for word in body[:place]):
        return ""
    if subject[-1].lower in _AGENTS:
        return subject[-1].lower
    if subject[-1].lower == "you":
        return "you"
    return "they" if tags[place - 1] in ("NNS", "NNPS") else "he or she"
