"""Faults of who does what to whom (OpenMEVA section 3.2, "character behaviour")."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from core.english.knowledge import lemma_of
from core.english.sentences import (
    FINITE,
    Change,
    Made,
    ParsedStory,
    Resources,
    Sentence,
    bare,
    choose,
    content_words,
    lowered,
    raised,
)
from core.english.tagger import tagger
from core.english.wordnet import wordnet
from core.english.words import Word, like

PERSONS = (
    ("i", "me", "my", "mine", "myself"),
    ("we", "us", "our", "ours", "ourselves"),
    ("you", "you", "your", "yours", "yourself"),
    ("he", "him", "his", "his", "himself"),
    ("she", "her", "her", "hers", "herself"),
    ("it", "it", "its", "its", "itself"),
    ("they", "them", "their", "theirs", "themselves"),
)
"""Table 13: subjective, objective, possessive adjective, possessive noun, reflexive."""
FEWEST_PERSONS = 3
_REFLEXIVE = {row[4] for row in PERSONS} | {"yourselves"}
_I, _WE, _HE, _SHE, _THEY = 0, 1, 3, 4, 6
_EXCHANGED = (_I, _WE, _HE, _SHE, _THEY)
"""Rows that pronouns come from: "it" is often nobody, and "you" anybody."""
_STRANGERS = (_HE, _SHE, _THEY)
"""Rows that they go to: "I" and "we" may be whoever tells the story, and was there."""
_WITHIN = {(_HE, _THEY), (_SHE, _THEY), (_WE, _THEY)}
"""From a row to one that may mean the same persons, and others: nobody would stumble over that."""
_SINGULAR = (_HE, _SHE)
"""Their verbs have the same form, so that one stands for the other before any verb."""
_BE = {"am", "is", "are", "was", "were", "'s", "'m", "'re", "be", "been", "being"}
_THINGS = {
    *("noun.artifact", "noun.food", "noun.plant", "noun.object", "noun.substance", "noun.communication"),
    *("noun.possession", "noun.act", "noun.shape"),
}
_LIVING = ("noun.person", "noun.animal")
_WOMEN = {"woman", "girl", "mother", "mom", "wife", "sister", "daughter", "aunt", "grandmother", "grandma", "lady"}
_MEN = {"man", "boy", "father", "dad", "husband", "brother", "son", "uncle", "grandfather", "grandpa", "guy"}
_GENDERED = {
    _HE: _MEN | {"king", "prince", "boyfriend", "[male]"},
    _SHE: _WOMEN | {"queen", "princess", "girlfriend", "[female]"},
}
_NOBODY = {"nobody", "one", "self"}
_AGREEING = {"was", "were", "is", "are", "has", "have", "does", "do"}
_BEYOND = (".", ",", ":", "IN", "CC", "TO")
"""What comes after "his" where it stands for the thing itself."""
_MUTUAL = {"hit", "meet", "touch", "follow", "pass", "cover", "surprise", "strike", "scare", "hurt", "need", "cost"}
"""Verbs that a thing can well do to a person."""
_OBJECTS = {"he": "him", "she": "her", "i": "me", "we": "us", "they": "them"}


def many_persons(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story is in the passive voice somewhere, or speaks of three persons or more by pronouns."""
    rows = {number for number, row in enumerate(PERSONS) if reading.vocabulary & set(row)}
    return len(rows) >= FEWEST_PERSONS or any(_passive(sentence) for sentence in reading.sentences)


def _passive(sentence: Sentence) -> bool:
    """A form of be and a participle, with at most adverbs between them."""
    be = False
    for word in sentence.words:
        if be and word.tag == "VBN":
            return True
        be = word.lower in _BE or (be and (word.tag.startswith("RB") or word.lower in ("not", "n't")))
    return False


def exchange_pronoun(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A pronoun becomes another person's in the same case: of somebody of whom the story has not spoken."""
    names, persons = _names(reading), _persons(reading)
    absent = [row for row in _STRANGERS if not _present(reading, row, names, persons)]
    twice = sum(word.lower in PERSONS[row] for word in reading.words for row in _SINGULAR) > 1
    known = twice and len(names | persons) <= 1  # that the only one is he, or she
    results = [edit for sentence in reading.free for edit in _exchanged(sentence, absent, known)]
    strong = [result for result in results if result.way.endswith("(subject)")]
    return choose(strong or results, rng)


def _names(reading: ParsedStory) -> set[str]:
    """What may be names, in lower case; "Tom Smith" is one."""
    names, before = set(), False
    for sentence in reading.sentences:
        for place, word in enumerate(sentence.words):
            named = _named(place, sentence)
            if named and not before:
                names.add(word.lower)
            before = named
    return names


def _persons(reading: ParsedStory) -> set[str]:
    """Nouns for a person or an animal, in their base forms."""
    lemmas = (lemma for sentence in reading.sentences for _, lemma, _ in content_words(sentence, ("NN",)))
    return {lemma for lemma in lemmas if _kind(lemma) in _LIVING} - _NOBODY


def _named(place: int, sentence: Sentence) -> bool:
    """Whether a word may be a name: by its tag; in small letters where it does or has something and has no article."""
    word = sentence.words[place]
    if sentence.text.islower():
        after = sentence.words[place + 1].tag if place + 1 < len(sentence.words) else ""
        somebody = word.lower.endswith(("one", "body", "thing"))
        return bare(place, sentence.words) and after in FINITE | {"POS"} and not somebody
    return word.tag.startswith("NNP") and not (tagger().knows(word.lower) or _kind(word.lower) == "noun.time")


def _present(reading: ParsedStory, row: int, names: set[str], persons: set[str]) -> bool:
    """Whether the story knows somebody whom this row's pronouns may mean."""
    if reading.vocabulary & set(PERSONS[row]):
        return True
    if row not in _SINGULAR:
        return False
    other = _SHE if row == _HE else _HE
    of_other = len(names) == 1 and bool(reading.vocabulary & set(PERSONS[other]))  # the only name is hers, or his
    return bool(names and not of_other) or bool(persons - _GENDERED[other] - names)


def _exchanged(sentence: Sentence, absent: Sequence[int], known: bool) -> Iterator[Made]:
    words = sentence.words
    if any(word.lower in _REFLEXIVE for word in words) or sentence.quoted:
        return
    for place, word in enumerate(words):
        for row in _EXCHANGED:
            before, after = words[max(0, place - 1) : place], words[place + 1 :]
            case = _case(word, row, before, after)
            if case is None:
                continue
            for other in absent:
                if other == row or (row, other) in _WITHIN or (not known and {row, other} == {_HE, _SHE}):
                    continue
                if case != 0 or _agrees(row, other, before, after):
                    new = like(word.text if word.lower != "i" or place == 0 else "i", PERSONS[other][case])
                    role = ("subject", "object", "possessive", "possessive")[case]
                    yield Made(f"“{word.lower}” became “{new.lower()}” ({role})", ((word.start, word.end, new),))


def _case(word: Word, row: int, before: Sequence[Word], after: Sequence[Word]) -> int | None:
    """0 subject, 1 object, 2 possessive before its noun, 3 without one; "her" by its tag."""
    subject, object_, possessive, alone, _ = PERSONS[row]
    if word.lower == subject:
        return 0
    if word.lower == possessive and word.tag == "PRP$" and _owns(after):
        return 2
    if word.lower == alone and alone != "mine" and not _owns(after):
        return 3 if not after or after[0].tag in _BEYOND or (before and before[0].lower == "of") else None
    return 1 if word.lower == object_ and word.tag == "PRP" else None


def _owns(after: Sequence[Word]) -> bool:
    """Whether the words after a possessive are what somebody has."""
    if after and after[0].tag.startswith("RB"):
        return len(after) > 1 and after[1].tag.startswith("JJ")
    return bool(after) and after[0].tag.startswith(("NN", "JJ", "CD", "VBG"))


def _agrees(row: int, other: int, before: Sequence[Word], after: Sequence[Word]) -> bool:
    """Whether the verb stays as it is: he and she are alike, others only before a past tense or a modal verb."""
    if row in _SINGULAR and other in _SINGULAR:
        return True
    if not after or after[0].lower in _BE or (before and before[0].lower in _BE):
        return False
    # "he applied but was turned down": the second verb has the same subject
    shared = any(word.lower in ("and", "but", "or") and two.lower in _AGREEING for word, two in pairwise(after))
    return after[0].tag in ("VBD", "MD") and not shared


def swap_roles(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Subject and object change places: a thing does to a person what the person did to it."""
    results = []
    for sentence in reading.free:
        if not sentence.quoted and (edit := _roles(sentence, reading.text)):
            results.append(edit)
    return choose(results, rng)


def _roles(sentence: Sentence, story: str) -> Made | None:
    body = sentence.body
    if len(body) < 4 or body[0].tag not in ("PRP", "NNP") or body[1].tag != "VBD":
        return None
    subject, verb = body[0], body[1]
    object_ = _thing(body, 2)
    lemma = lemma_of(verb.text, "v")
    if subject.lower in ("it", "you") or verb.lower in _BE or lemma in _MUTUAL | {"have", "do"} or not object_:
        return None
    start, end = object_[0].start, object_[-1].end
    text = story[start:end]
    was = story[subject.start : subject.end]
    new = _OBJECTS.get(subject.lower, lowered(was, subject))
    changes: tuple[Change, ...] = ((subject.start, subject.end, raised(text, was)), (start, end, new))
    return Made("subject and object swapped", changes)


def _thing(body: Sequence[Word], start: int) -> Sequence[Word]:
    """A determiner and one or two nouns for a thing, where the phrase ends there; else nothing."""
    if body[start].tag not in ("DT", "PRP$") or body[start].lower in ("this", "that", "these", "those", "all", "both"):
        return ()
    stop = start + 1
    while stop < len(body) and body[stop].tag in ("JJ", "NN", "NNS") and stop < start + 4:
        stop += 1
    words = body[start:stop]
    beyond = body[stop : stop + 1]
    if words[-1].tag not in ("NN", "NNS") or (beyond and beyond[0].tag not in ("IN", "TO", ",", "CC", "RB", "WRB")):
        return ()
    if beyond and beyond[0].lower in ("of", "that", "and", "or"):
        return ()
    return words if _kind(lemma_of(words[-1].text, "n")) in _THINGS else ()


@lru_cache(maxsize=20_000)
def _kind(lemma: str) -> str:
    """WordNet's file of a noun's commonest sense, such as "noun.person"; "" where it has none."""
    senses = wordnet().synsets(lemma, "n")
    return str(senses[0].lexname()) if senses else ""
