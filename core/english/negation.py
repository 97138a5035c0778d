"""Negation alteration (UNION section 3.2): a negation is removed or added."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from core.english.knowledge import lemma_of
from core.english.words import Word, like, words

Change = tuple[int, int, str]
_GONE = {"not", "n't", "never", "hardly", "scarcely", "barely", "seldom", "rarely"}
_TURNED = {
    "nobody": "somebody", "no-one": "someone", "nothing": "something", "nowhere": "somewhere", "none": "some",
    "neither": "either", "nor": "or", "cannot": "can", "without": "with",
}  # fmt: skip
_NO = {"one": "someone", "longer": "still"}
"""What "no" and the word after it become together."""
NEGATIONS = _GONE | set(_TURNED) | {"no"}
_WHOLE = {"wo": "will", "ca": "can", "sha": "shall", "ai": "is"}
"""What stands before n't, as a word of its own."""
_SHORT = {
    "is", "are", "was", "were", "have", "has", "had", "do", "does", "did", "would", "could", "should", "might", "must",
}  # fmt: skip
"""Auxiliaries that n't can follow as they are."""
_CUT = {"can": "ca", "will": "wo"}
_BE = {"am", "is", "are", "was", "were", "'m", "'re"}
_HAVE = {"have", "has", "had"}
_DO = {"do", "does", "did"}
_SUBJECTS = {"i", "you", "he", "she", "it", "we", "they"}
_SUPPORT = {"VB": "do", "VBP": "do", "VBD": "did", "VBZ": "does", "VBG": "", "VBN": ""}
"""The form of do before a verb of this tag, as published; none before a participle."""
_DELETED = {
    "no", "not", "n't", "none", "never", "nobody", "nothing", "nowhere", "neither", "hardly", "scarcely", "barely",
    "seldom", "cannot",
}  # fmt: skip
"""Words that the published rules take out, whatever stands around them."""
_BEFORE_NOT = {
    "would", "will", "can", "could", "may", "might", "shall", "should", "do", "does", "did", "am", "is", "are", "was",
    "were", "be", "been",
}  # fmt: skip
"""Words that the published rules put a negation after; and their short forms."""
_SHORT_FORMS = {"'s", "'re", "'m", "'d", "'ve", "'ll"}
_APART = re.compile(r"\w n['’]t\b|\w ['’](?:s|re|ve|ll|d|m)\b|\w [.,!?](?:\s|$)")
"""Tokenised text: "did n't", "he 's", a full stop apart."""
_WIDE = re.compile(r"n ['’] t\b|\w ['’] (?:s|re|ve|ll|d|m)\b")


def flip(sentence: str, rng: random.Random) -> Change | None:
    """Take the first negation word out, or put one in: (start, end, new text), or None where nothing can be negated."""
    result = words(sentence)
    first = _first(result)
    return _without(sentence, result, first) if first is not None else _with(sentence, result, rng)


def flip_as_published(sentence: str, rng: random.Random) -> Change | None:
    """The rules of UNION's authors: the first word of negation is taken out; else not or n't comes after the first
    auxiliary or form of be; else do-support by the tag of the first verb, or a bare not before a participle.

    Where n't cannot follow a word it is not, and it is spelt as English spells it; else (start, end, new text) may be
    bad English, as theirs is. None where there is no verb, or where nothing would be left.
    """
    result = words(sentence)
    gone = next((i for i, word in enumerate(result) if word.lower in _DELETED), None)
    if gone is not None:
        rest = any(word.text[0].isalnum() for i, word in enumerate(result) if i != gone)
        return _dropped(sentence, result, gone) if rest else None
    for i, word in enumerate(result):
        if word.lower in _BEFORE_NOT or (word.lower in _SHORT_FORMS and word.tag != "POS"):
            return _after(sentence, result, i, rng)
    verb = next((word for word in result if word.tag in _SUPPORT), None)
    if verb is None:
        return None
    denial = f"{support}{rng.choice([' not', contracted(sentence)])} " if (support := _SUPPORT[verb.tag]) else "not "
    plain = lemma_of(verb.text, "v") if verb.tag in ("VBD", "VBZ") else verb.text.lower()
    return verb.start, verb.end, like(verb.text, denial + plain)


def negated(sentence: str) -> bool:
    """Whether it holds a negation word."""
    return _first(words(sentence)) is not None


def _first(tokens: Sequence[Word]) -> int | None:
    return next((i for i, word in enumerate(tokens) if word.lower in NEGATIONS), None)


def _without(sentence: str, tokens: Sequence[Word], i: int) -> Change:
    word, text = tokens[i], tokens[i].lower
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    follows = after is not None and after.text[0].isalnum()
    if text == "no" and after is not None and after.lower in _NO:
        return word.start, after.end, like(word.text, _NO[after.lower])
    if text in _TURNED:
        return word.start, word.end, like(word.text, _TURNED[text])
    if text == "no" and after is not None and after.tag[:2] in ("NN", "JJ"):
        return word.start, word.end, like(word.text, "some")
    if text == "n't" and i:
        return _dropped(sentence, tokens, i)
    first = not any(token.text[0].isalnum() for token in tokens[:i])
    if not follows and (first or text == "no"):  # it is all that is said
        return word.start, word.end, like(word.text, "always" if text == "never" else "yes")
    return _dropped(sentence, tokens, i)


def _dropped(sentence: str, tokens: Sequence[Word], i: int) -> Change:
    """The word is taken out, and what it was part of is written as it is without it."""
    word, after = tokens[i], tokens[i + 1] if i + 1 < len(tokens) else None
    if word.lower == "n't" and i:
        before = tokens[i - 1]
        if before.lower in _WHOLE:
            return before.start, word.end, like(before.text, _WHOLE[before.lower])
        return before.end, word.end, ""
    first = not any(token.text[0].isalnum() for token in tokens[:i])
    if word.start and sentence[word.start - 1].isspace() and not first:
        return len(sentence[: word.start].rstrip()), word.end, ""
    if after is None or not after.text[0].isalnum():
        return word.start, word.end, ""
    capital = word.text[0].isupper() and not after.text[0].isupper()  # what follows takes it
    return word.start, after.end, after.text[0].upper() + after.text[1:] if capital else after.text


def _with(sentence: str, tokens: Sequence[Word], rng: random.Random) -> Change | None:
    auxiliary = next((i for i in range(len(tokens)) if _auxiliary(sentence, tokens, i)), None)
    if auxiliary is not None:
        return denied_at(sentence, tokens, auxiliary, rng)
    verbs = (i for i, word in enumerate(tokens) if word.tag.startswith("VB") and word.text.isalpha())
    verb = next(verbs, None)
    return None if verb is None else denied_at(sentence, tokens, verb, rng)


def denied_at(sentence: str, tokens: Sequence[Word], i: int, rng: random.Random) -> Change:
    """The verb at this place of a sentence's words denied: (start, end, new text)."""
    if _auxiliary(sentence, tokens, i):
        change = _after(sentence, tokens, i, rng)
    else:
        change = _supported(tokens[i], tokens[i - 1] if i else None)
    return (change[0], change[1], change[2].upper()) if sentence.isupper() else change


def _auxiliary(sentence: str, tokens: Sequence[Word], i: int) -> bool:
    word = tokens[i]
    if word.lower in _BE or word.tag == "MD" or word.lower in ("'d", "'ve") or (word.lower, word.tag) == ("'s", "VBZ"):
        return True
    if word.lower not in _HAVE | _DO:
        return False
    if i == 0 and sentence.rstrip().endswith("?"):
        return True
    ahead = next((w.tag for w in tokens[i + 1 :] if not w.tag.startswith("RB") and w.tag != "PRP"), "")
    return (word.lower in _HAVE and ahead == "VBN") or (word.lower in _DO and ahead == "VB")


def _after(sentence: str, tokens: Sequence[Word], i: int, rng: random.Random) -> Change:
    word = tokens[i]
    if rng.random() < 0.5:
        short = contracted(sentence)
        if word.lower in _CUT:
            return word.start, word.end, like(word.text, _CUT[word.lower]) + short
        if word.lower in _SHORT:
            return word.end, word.end, short
    place = word
    if sentence.rstrip().endswith("?") and word.text.isalpha() and i + 1 < len(tokens):
        place = tokens[i + 1] if tokens[i + 1].lower in _SUBJECTS else word  # "Was she not there?"
    return place.end, place.end, " not"


def contracted(sentence: str) -> str:
    """n't as this text writes it."""
    mark = "’" if "’" in sentence else "'"
    if _WIDE.search(sentence):
        return f" n {mark} t"
    return f" n{mark}t" if is_tokenised(sentence) else f"n{mark}t"


def is_tokenised(sentence: str) -> bool:
    """Whether this text is tokenised: "did n't", a full stop apart."""
    return _APART.search(sentence) is not None


def _supported(word: Word, before: Word | None) -> Change:
    if word.tag in ("VBD", "VBZ"):
        support = "did not " if word.tag == "VBD" else "does not "
        return word.start, word.end, like(word.text, support + lemma_of(word.text, "v"))
    bare = word.tag in ("VBG", "VBN") or (before is not None and before.lower == "to")
    support = "not " if bare else "do not "
    if word.text[0].isupper():
        return word.start, word.end, like(word.text, support + word.text.lower())
    return word.start, word.start, support
