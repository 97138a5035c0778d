"""Techniques as OpenMEVA prints them (Tables 1, 2, 12 and 13): any word of the tables, in any sentence.

Ours are narrower, as a fault that no reader sees tests nothing. Where the paper is silent, the plainest way is taken.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from core.english.clauses import swapped
from core.english.knowledge import inflected, lemma_of, pos_of, shared_wordnet
from core.english.negation import flip
from core.english.sentences import FINITE, Change, Made, ParsedStory, Resources, Sentence, choose, content_words
from core.english.substitution import in_place
from core.english.wordnet import wordnet
from core.english.words import Word, like
from core.perturb.negatives.sampler import closed
from core.perturb.techniques.character import PERSONS
from core.perturb.techniques.consistency import prefixed
from core.perturb.techniques.published_words import (
    CAUSAL,
    CAUSAL_OPENINGS,
    CAUSE_WORDS,
    CAUSES,
    NO_DEGREE,
    TEMPORAL,
    TEMPORAL_OPENINGS,
    TIME_WORDS,
    TIMES,
    Opposites,
)
from core.stories import sentences

SIZE, NEIGHBOURS, DENIED, REPLACED, TYPOS = 4, 0.1, 0.2, 0.25, 0.02
"""Words that are repeated; shares of entities, of sentences, of nouns and verbs, and of mistyped words."""
_HALF = 0.5
_CONTENT, _ENTITIES = ("NN", "VB", "JJ", "RB"), ("NN", "VB")
_BE = {"be", "is", "are", "was", "were", "am", "been", "being", "'s", "'m", "'re"}
_PHRASE = ("DT", "PRP$", "CD", "JJ", "NN")
_MARKS = {",", ";", ":", "-", "–", "—", "--"}


def any_story(reading: ParsedStory, means: Resources) -> bool:
    """All human stories are coherent examples of both repetitions."""
    return True


def has_triple(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story holds head and tail of a relation of the lexicon: nouns or verbs, as footnote 3 has it."""
    present = {(lemma, pos) for sentence in reading.sentences for _, lemma, pos in content_words(sentence, _ENTITIES)}
    lemmas = {lemma for lemma, _ in present}
    return any((means.relations.relatives(lemma, pos) & lemmas) - {lemma} for lemma, pos in present)


def has_causes(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story has a word of cause (Table 12)."""
    return any(_base(word) in CAUSE_WORDS and not _degree(word) for word in reading.words)


def has_times(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story has a word of time (Table 12)."""
    return any(_base(word) in TIME_WORDS for word in reading.words)


def _degree(word: Word) -> bool:
    return word.lower in NO_DEGREE and word.tag != "IN"


def _base(word: Word) -> str:
    """The word as the tables have it."""
    pos = pos_of(word.text, word.tag)
    return lemma_of(word.text, pos) if pos in ("n", "v") and word.lower not in TIMES else word.lower


def repeat_words(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Any four words in a row stand there again, after "and"."""
    results = []
    for sentence in reading.free:
        for start in range(len(sentence.words) - SIZE + 1):
            words = sentence.words[start : start + SIZE]
            if all(any(c.isalnum() for c in word.text) for word in words):
                end = words[-1].end
                results.append(Made("four words twice", ((end, end, f" and {reading.text[words[0].start : end]}"),)))
    return choose(results, rng)


def repeat_sentence(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A sentence stands there twice."""
    results = [
        Made(
            "a sentence twice",
            (
                (
                    sentence.end,
                    sentence.end,
                    f" {closed(sentence.text, reading.text, (sentence.start, sentence.start))}",
                ),
            ),
        )
        for sentence in reading.free
    ]
    return choose(results, rng)


def swap_roles(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Subject and object of a sentence change places, pronouns in the case of their new one."""
    results = [role for sentence in reading.free for role in _roles(sentence, reading.text)]
    return choose(results, rng)


def _roles(sentence: Sentence, story: str) -> Iterator[Made]:
    """Around a finite verb: the nearest noun phrase before it and the one that follows at once."""
    words = sentence.words
    for place, verb in enumerate(words):
        if verb.tag not in FINITE - {"MD"} or verb.lower in _BE:
            continue
        start, stop = _opens(words, place), _closes(words, place + 1)
        if start is None or stop is None:
            continue
        subject, object_ = words[start:place], words[place + 1 : stop]
        text, done = _in_case(subject, story, 1), _in_case(object_, story, 0)
        if not start:
            done, text = done[:1].upper() + done[1:], _within(text, subject[0])
        changes = ((subject[0].start, subject[-1].end, done), (object_[0].start, object_[-1].end, text))
        if story[subject[0].start : subject[-1].end].lower() != story[object_[0].start : object_[-1].end].lower():
            yield Made("subject and object swapped", changes)


def _opens(words: Sequence[Word], end: int) -> int | None:
    """Where the noun phrase begins that ends before this place."""
    if end and words[end - 1].tag == "PRP":
        return end - 1
    start = end
    while start and words[start - 1].tag.startswith(_PHRASE):
        start -= 1
    return start if start < end and words[end - 1].tag.startswith("NN") else None


def _closes(words: Sequence[Word], start: int) -> int | None:
    """Where the noun phrase ends that begins at this place."""
    if start < len(words) and words[start].tag == "PRP":
        return start + 1
    stop = start
    while stop < len(words) and words[stop].tag.startswith(_PHRASE):
        stop += 1
    while stop > start and not words[stop - 1].tag.startswith("NN"):
        stop -= 1
    return stop if stop > start else None


def _in_case(phrase: Sequence[Word], story: str, column: int) -> str:
    """A noun phrase as a subject (0) or an object (1)."""
    if len(phrase) == 1:
        for row in PERSONS:
            if phrase[0].lower == row[1 - column]:
                return "I" if row[column] == "i" and phrase[0].text != "i" else row[column]
    return story[phrase[0].start : phrase[-1].end]


def _within(sentence: str, first: Word) -> str:
    return sentence if first.tag.startswith("NNP") else sentence[:1].lower() + sentence[1:]


def exchange_pronoun(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Any personal pronoun becomes one of another row of Table 13, of the same column."""
    results = []
    for sentence in reading.free:
        for place, word in enumerate(sentence.words):
            column = _column(sentence.words, place)
            if column is None:
                continue
            for row in PERSONS:
                own = "yourself" if word.lower == "yourselves" else word.lower
                if own not in row and row[column] != own:
                    new = like(word.text if word.lower != "i" or not place else "i", row[column])
                    new = "I" if new == "i" and not sentence.text.islower() else new
                    way = f"“{word.lower}” became “{row[column]}”"
                    results.append(Made(way, ((word.start, word.end, new),)))
    return choose(results, rng)


def _column(words: Sequence[Word], place: int) -> int | None:
    """Of Table 13: 0 subjective, 1 objective, 2 and 3 possessive, 4 reflexive; None of other words."""
    sentence = "yourself" if words[place].lower == "yourselves" else words[place].lower
    columns = {column for row in PERSONS for column, form in enumerate(row) if form == sentence}
    if len(columns) < 2:
        return next(iter(columns), None)
    if columns == {1, 2} or columns == {2, 3}:  # her; his, its
        owns = words[place].tag == "PRP$" and place + 1 < len(words) and words[place + 1].tag[:1] in "NJCVR"
        return 2 if owns else min(columns - {2})
    after = words[place + 1].tag if place + 1 < len(words) else ""
    return 0 if after.startswith(("VB", "MD")) else 1  # you, it


def replace_by_neighbours(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A tenth of the nouns and verbs become a word that the lexicon relates to them, one at least."""
    entities = [content_word for sentence in reading.free for content_word in content_words(sentence, _ENTITIES)]
    wanted = max(1, round(NEIGHBOURS * len(entities)))
    changes: list[Change] = []
    for word, lemma, pos in rng.sample(entities, len(entities)):
        if len(changes) == wanted:
            break
        near = [
            new for relative in sorted(means.relations.relatives(lemma, pos)) if (new := _seen(relative, word, means))
        ]
        if near:
            changes.append(in_place(0, reading.text, word, like(word.text, rng.choice(near))))
    return Made("a word became its neighbour", tuple(sorted(changes))) if changes else None


def _seen(lemma: str, word: Word, means: Resources) -> str | None:
    """A word in the form of another, where the stories have it so: the lexicon's words beyond them are not English of
    stories.
    """
    new, known = inflected(lemma, word.tag).lower(), means.vocabulary.words.get(word.tag, [])
    place = bisect_left(known, new)
    return new if new != word.lower and place < len(known) and known[place] == new else None


def turn_antonym(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A word becomes its antonym in WordNet, in the same form: in a fifth of the sentences, as no number is given."""
    changes = []
    for sentence in rng.sample(reading.free, len(reading.free)):
        candidates = [
            (word, new)
            for word, lemma, pos in content_words(sentence, _CONTENT)
            for other in shared_wordnet().antonyms(lemma, pos)
            if other.isalpha() and (new := inflected(other, word.tag)).lower() != word.lower
        ]
        if candidates:
            word, new = rng.choice(candidates)
            changes.append(in_place(0, reading.text, word, like(word.text, new)))
        if len(changes) == _fifth(reading):
            break
    return Made("an antonym", tuple(sorted(changes))) if changes else None


def deny(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Negated words come or go in a fifth of the sentences: "not" and its like, or a prefix."""
    changes: list[Change] = []
    for sentence in rng.sample(reading.free, len(reading.free)):
        words, prefixes = _words(sentence, rng), list(_prefixes(sentence, reading.text))
        kinds = [kind for kind in (words, prefixes) if kind]
        if kinds:
            changes.append(rng.choice(rng.choice(kinds)))
        if len(changes) == _fifth(reading):
            break
    return Made("a negated word came or went", tuple(sorted(changes))) if changes else None


def _words(sentence: Sentence, rng: random.Random) -> list[Change]:
    flipped = flip(sentence.text, rng)
    return [(sentence.start + flipped[0], sentence.start + flipped[1], flipped[2])] if flipped else []


def _prefixes(sentence: Sentence, story: str) -> Iterator[Change]:
    for word, lemma, pos in content_words(sentence, _CONTENT):
        other = prefixed(lemma, pos)
        if other:
            new = inflected(other, word.tag)
            if new.lower() != word.lower:
                yield in_place(0, story, word, like(word.text, new))


def _fifth(reading: ParsedStory) -> int:
    return max(1, round(DENIED * len(reading.sentences)))


def replace_at_random(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A quarter of the nouns and verbs become any others of the same form."""
    words = [word for sentence in reading.free for word, _, _ in content_words(sentence, _ENTITIES)]
    changes: list[Change] = []
    for word in rng.sample(words, math.ceil(REPLACED * len(words))):
        other = means.vocabulary.draw(word.tag, word.lower, rng)
        if other:
            changes.append(in_place(0, reading.text, word, like(word.text, other)))
    return Made(f"{len(changes)} words at random", tuple(sorted(changes))) if changes else None


def replace_sentence(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A sentence becomes any one of another story."""
    lenders = [lender for lender in means.lenders if lender != reading.text and sentences(lender)]
    if not lenders or not reading.free:
        return None
    here, other = rng.choice(reading.free), rng.choice(lenders)
    start, end = rng.choice(sentences(other))
    new = closed(other[start:end], reading.text, (here.start, here.end))
    return Made("a sentence of another story", ((here.start, here.end, new),)) if new != here.text else None


def swap_causes(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Cause and effect change places."""
    return choose(list(_reordered(reading, CAUSAL, CAUSAL_OPENINGS)), rng)


def oppose_causes(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A word of cause becomes its opposite."""
    return choose(list(_opposed(reading, CAUSES)), rng)


def swap_times(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Two events change places."""
    return choose(list(_reordered(reading, TEMPORAL, TEMPORAL_OPENINGS)), rng)


def oppose_times(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A word of time becomes its opposite: a lone "before" is "after"."""
    return choose(list(_opposed(reading, TIMES)), rng)


def _reordered(reading: ParsedStory, conjunctions: Collection[str], openings: Collection[str]) -> Iterator[Made]:
    """Two clauses that a conjunction joins, or two sentences of which the second opens with such a word."""
    for sentence in reading.free:
        body = sentence.body
        for place, word in enumerate(body):
            if word.lower not in conjunctions or _degree(word):
                continue
            comma = next((i for i in range(place, len(body)) if body[i].text == ","), 0)
            left, right = (body[:place], body[place + 1 :]) if place else (body[1:comma], body[comma + 1 :])
            while left and left[-1].text == ",":
                left = left[:-1]
            if _clause(left) and _clause(right):
                way = f"the sides of “{word.lower}” swapped"
                yield Made(way, swapped(left, right, reading.text, opens=bool(place)))
    for before, after in pairwise(reading.free):
        body = after.body
        words = body[2:] if len(body) > 1 and body[1].text == "," else body[1:]
        if body and body[0].lower in openings and _clause(before.body) and _clause(words):
            way = f"the sentences around “{body[0].lower}” swapped"
            yield Made(way, swapped(before.body, words, reading.text, opens=True))


def _clause(words: Sequence[Word]) -> bool:
    """Whether it has a finite verb behind its first word."""
    return any(word.tag in FINITE for word in words[1:])


def _opposed(reading: ParsedStory, table: Opposites) -> Iterator[Made]:
    for sentence in reading.free:
        for word in sentence.words:
            for tags, other in table.get(_base(word), ()):
                if word.tag.startswith(tags):
                    new = inflected(other, word.tag) if word.tag in ("NNS", "VBD", "VBZ", "VBN", "VBG") else other
                    way = f"“{word.lower}” became “{new}”"
                    yield Made(way, (in_place(0, reading.text, word, like(word.text, new)),))


def substitute_synonym(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A word becomes any of its synonyms in WordNet, of whichever sense."""
    results = []
    for sentence in reading.free:
        for word, lemma, pos in content_words(sentence, _CONTENT):
            names = {str(name) for sense in wordnet().synsets(lemma, pos) for name in sense.lemma_names()}
            for name in sorted(names - {lemma}):
                new = inflected(name, word.tag)
                if name.isalpha() and new.lower() != word.lower:
                    results.append(Made("a synonym", (in_place(0, reading.text, word, like(word.text, new)),)))
    return choose(results, rng)


def delete_punctuation(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Commas and other marks within a sentence go: half of them, one at least."""
    candidates = [
        (len(reading.text[: word.start].rstrip()), word.end, "")
        for sentence in reading.free
        for word in sentence.body
        if word.text in _MARKS
    ]
    if not candidates:
        return None
    taken = [change for change in candidates if rng.random() < _HALF] or [rng.choice(candidates)]
    return Made("a mark less" if len(taken) == 1 else f"{len(taken)} marks less", tuple(sorted(taken)))


def mistype(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Two letters change places, or one doubles or drops out, in fewer than two of a hundred words but one at least."""
    words = [word for sentence in reading.free for word in sentence.words if len(word.text) > 1 and word.text.isalpha()]
    spoken = sum(any(c.isalnum() for c in word) for word in reading.text.split())
    wanted = max(1, math.ceil(TYPOS * spoken) - 1)
    changes = []
    for word in rng.sample(words, min(wanted, len(words))):
        text, i = word.text, rng.randrange(len(word.text))
        slips = {
            text[:i] + text[i] + text[i:],
            text[:i] + text[i + 1 :],
            text[:i] + text[i : i + 2][::-1] + text[i + 2 :],
        }
        changes.append((word.start, word.end, rng.choice(sorted(slips - {text}))))
    if not changes:
        return None
    return Made("a typing error" if len(changes) == 1 else f"{len(changes)} typing errors", tuple(sorted(changes)))
