"""Negation alteration (UNION section 3.2): a negation word goes, or one comes."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from core.perturb.knowledge import lemma_of
from core.perturb.words import Word, like, words

Change = tuple[int, int, str]
_GONE = {"not", "n't", "never", "hardly", "scarcely", "barely", "seldom", "rarely"}
_TURNED = {
    "nobody": "somebody", "nothing": "something", "nowhere": "somewhere", "none": "some", "neither": "either",
    "nor": "or", "cannot": "can", "without": "with",
}  # fmt: skip
NEGATIONS = _GONE | set(_TURNED) | {"no"}
_WHOLE = {"wo": "will", "ca": "can", "sha": "shall", "ai": "is"}
"""What stands before n't, as a word of its own."""
_SHORT = {
    "is", "are", "was", "were", "have", "has", "had", "do", "does", "did", "would", "could", "should", "might", "must",
}  # fmt: skip
"""Auxiliaries that n't can follow as they are."""
_IRREGULAR = {"can": "can't", "will": "won't"}
_BE = {"am", "is", "are", "was", "were", "'m", "'re"}
_HAVE = {"have", "has", "had", "'ve"}
_DO = {"do", "does", "did"}
_TOKENISED = re.compile(r"\w n ?['’] ?t\b|\w ['’] ?(?:s|re|ve|ll|d|m)\b")


def flip(sentence: str, rng: random.Random) -> Change | None:
    """Take the first negation word out, or put one in: (start, end, new text), or None where nothing can be negated."""
    found = words(sentence)
    first = next((i for i, word in enumerate(found) if word.lower in NEGATIONS), None)
    return _without(sentence, found, first) if first is not None else _with(sentence, found, rng)


def _without(sentence: str, found: Sequence[Word], i: int) -> Change:
    word = found[i]
    if word.lower in _TURNED:
        return word.start, word.end, like(word.text, _TURNED[word.lower])
    after = found[i + 1] if i + 1 < len(found) else None
    if word.lower == "no" and after is not None and after.tag[:2] in ("NN", "JJ"):
        return word.start, word.end, like(word.text, "some")
    before = found[i - 1] if i else None
    start = before.end if before else word.start
    if before and word.lower == "n't" and before.lower in _WHOLE:
        return before.start, word.end, like(before.text, _WHOLE[before.lower])
    if before is None:  # at the beginning: what follows takes the capital
        if after is None:
            return word.start, word.end, "Yes" if word.text[0].isupper() else "yes"
        end = after.end if after.text.isalpha() else word.end
        return word.start, end, like(word.text, sentence[after.start : end])
    return start, word.end, ""


def _with(sentence: str, found: Sequence[Word], rng: random.Random) -> Change | None:
    for i, word in enumerate(found):
        if _auxiliary(found, i):
            return _after(sentence, word, rng)
    for i, word in enumerate(found):
        if word.tag in ("VB", "VBP", "VBD", "VBZ") and word.text.isalpha():
            return _supported(word, found[i - 1] if i else None)
        if word.tag in ("VBG", "VBN") and word.text.isalpha():
            return word.start, word.start, "not "
    return None


def _auxiliary(found: Sequence[Word], i: int) -> bool:
    word = found[i]
    if word.lower in _BE or word.tag == "MD" or (word.lower == "'s" and word.tag == "VBZ"):
        return True
    ahead = next((w.tag for w in found[i + 1 :] if not w.tag.startswith("RB") and w.tag != "PRP"), "")
    return (word.lower in _HAVE and ahead == "VBN") or (word.lower in _DO and ahead == "VB")


def _after(sentence: str, word: Word, rng: random.Random) -> Change:
    if rng.random() < 0.5:
        if word.lower in _IRREGULAR:
            return word.start, word.end, like(word.text, _IRREGULAR[word.lower])
        if word.lower in _SHORT:
            return word.end, word.end, " n't" if _TOKENISED.search(sentence) else "n't"
    return word.end, word.end, " not"


def _supported(word: Word, before: Word | None) -> Change:
    if word.tag in ("VB", "VBP"):
        to = before is not None and before.lower == "to"
        return word.start, word.start, "not " if to else like(word.text, "do not ") if word.start else "Do not "
    support = "did not " if word.tag == "VBD" else "does not "
    return word.start, word.end, like(word.text, support) + lemma_of(word.text, "v")
