"""Repetition within a story: of words, of a sentence, of a sentence's meaning (OpenMEVA section 3.2)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from core.english.sentences import Made, ParsedStory, Resources, Sentence, choose, lowered
from core.english.words import Word
from core.perturb.negatives.sampler import closed

SIZE = 4
_OPENERS = {"VBD", "VBZ", "VBP", "VB", "VBG", "TO"}
"""What the words that stand twice begin with: "stepped on the stage and stepped on the stage" is good English."""
_PHRASES = {*_OPENERS, "IN", "DT", "PRP$", "NNP", "NNS", "MD"}
_PRONOUNS = {"i", "we", "he", "she", "they"}
"""Subjects for sure: "you" and "it" may be objects, and then begin nothing."""
_CLOSERS = {"NN", "NNS", "NNP", "NNPS", "PRP", "RB", "CD", "JJ", "VBN", "VBD", "VB", "VBG", "RP"}
"""And end with, where a phrase may end."""
_BEYOND = {"CC", "IN", "TO", "WRB", "WDT", "WP", ".", ",", ":", "''"}


def repeats(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story has a sentence twice, or four words twice in a row (with "and" between them, or nothing)."""
    seen = [sentence.text.lower() for sentence in reading.sentences]
    if len(set(seen)) < len(seen):
        return True
    lines = [word.lower for word in reading.words]
    return any(
        lines[i : i + SIZE] == lines[i + gap : i + gap + SIZE]
        for gap in (SIZE, SIZE + 1)
        for i in range(len(lines) - gap - SIZE + 1)
    )


def repeat_words(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Four words in a row stand there again, after "and"."""
    free = [sentence for sentence in reading.free if not sentence.quoted]
    for strict in (True, False):
        results = [edit for sentence in free for edit in _doubled(sentence, reading.text, strict=strict)]
        if results:
            return choose(results, rng)
    return None


def _doubled(sentence: Sentence, story: str, *, strict: bool) -> Iterator[Made]:
    body = sentence.body
    for start in range(len(body) - SIZE + 1):
        words, after = body[start : start + SIZE], body[start + SIZE : start + SIZE + 1]
        if _phrase(words, after, strict=strict):
            text = story[words[0].start : words[-1].end]
            joined = "AND" if sentence.text.isupper() else "and"
            again = f" {joined} {lowered(text, words[0]) if start == 0 else text}"
            yield Made("four words twice", ((words[-1].end, words[-1].end, again),))


def _phrase(words: tuple[Word, ...], after: tuple[Word, ...], *, strict: bool) -> bool:
    """Whether these words are whole, end a phrase, and begin one that can stand beside itself."""
    if not all(word.text[0].isalnum() or word.text[0] == "[" for word in words):
        return False
    opens = words[0].tag in (_OPENERS if strict else _PHRASES) or (not strict and words[0].lower in _PRONOUNS)
    if not opens or words[-1].tag not in _CLOSERS:
        return False
    if words[0].lower in ("was", "were", "is", "are", "am", "be", "been", "being", "had", "has", "have") and strict:
        return False
    return not after or (after[0].tag in _BEYOND and after[0].tag != "''")


def repeat_sentence(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A sentence stands over a later one, not over its like."""
    sentences = reading.sentences
    first = max(reading.kept, 1)
    if len(sentences) <= first:
        return None
    places = [(i, j) for j in range(first, len(sentences)) for i in range(max(0, first - 1), j)]
    for i, j in rng.sample(places, len(places)):
        again, over = sentences[i], sentences[j]
        # what somebody says over several sentences must not lose its end
        if again.text.lower() != over.text.lower() and not (again.quoted or over.quoted):
            new = closed(again.text, reading.text, (over.start, over.end))
            return Made("a sentence over a later one", ((over.start, over.end, new),))
    return None


def repeat_meaning(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A sentence is followed by its paraphrase."""
    results = []
    for sentence in reading.free:
        other = means.paraphrases.get(sentence.text)
        if other:
            other = closed(other, reading.text, (sentence.start, sentence.start))
            results.append(Made("a sentence and its paraphrase", ((sentence.end, sentence.end, f" {other}"),)))
    return choose(results, rng)
