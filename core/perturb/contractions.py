"""Contractions written out, and full forms contracted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.perturb.negation import apart, contracted
from core.perturb.reading import Change, Sentence
from core.perturb.words import Word, like

_NOT = {"wo": "will not", "ca": "cannot", "sha": "shall not"}
_FULL = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
_PRONOUNS = {"i", "you", "he", "she", "it", "we", "they", "that", "there", "who", "what", "here", "where", "how"}
_PARTICIPLES = {"been", "got", "had", "done", "become", "seen", "taken", "gone", "ever", "never", "already"}
_NEGATABLE = {
    *("is", "are", "was", "were", "have", "has", "had", "do", "does", "did", "would", "could", "should", "must"),
}
_STEMS = {"can": "ca", "will": "wo"}
_SHORT = {"am": "m", "are": "re", "is": "s", "will": "ll", "have": "ve", "had": "d", "would": "d"}
_PERSONS = {"i", "you", "he", "she", "it", "we", "they"}
_SUBJECTS = {
    "am": {"i"}, "are": {"you", "we", "they"}, "is": {"he", "she", "it", "that", "there"},
    "will": _PERSONS, "have": {"i", "you", "we", "they"}, "had": _PERSONS, "would": _PERSONS,
}  # fmt: skip


def expansions(sentence: Sentence, story: str) -> Iterator[Change]:
    """Each contraction that has one reading, written out: "didn't" as "did not"."""
    words = sentence.words
    for place in range(1, len(words)):
        before, word = words[place - 1], words[place]
        after = words[place + 1] if place + 1 < len(words) else None
        full = _full(before, word, after)
        if full and (after is None or after.tag != "PRP" or word.lower != "n't"):  # "didn't he" has another order
            start = before.start if before.lower in _NOT and word.lower == "n't" else before.end
            new = f" {full}" if start == before.end else like(before.text, full)
            yield start, word.end, new.upper() if word.text.isupper() and before.text.isupper() else new


def _full(before: Word, word: Word, after: Word | None) -> str | None:
    said = word.lower
    if said == "n't":
        return None if before.lower == "ai" else _NOT.get(before.lower, "not")
    if said in _FULL:
        return _FULL[said]
    if before.lower not in _PRONOUNS and before.lower != "let":
        return None  # "Tom's": nobody knows without reading on
    if said == "'s":
        return _of_s(before, word, after)
    if said == "'d" and after is not None:
        better = after.lower == "better"
        return "had" if better or after.tag == "VBN" or after.lower in _PARTICIPLES else _would(after)
    return None


def _would(after: Word) -> str | None:
    return "would" if after.tag in ("VB", "RB") else None


def _of_s(before: Word, word: Word, after: Word | None) -> str | None:
    if before.lower == "let":
        return "us"
    if word.tag == "POS" or after is None:
        return None
    return "has" if after.lower in _PARTICIPLES else "is"


def shortenings(sentence: Sentence, story: str) -> Iterator[Change]:
    """Each full form that people contract, contracted: "did not" as "didn't"."""
    words = sentence.words
    for place in range(1, len(words)):
        before, word = words[place - 1], words[place]
        after = words[place + 1] if place + 1 < len(words) else None
        if story[before.end : word.start].strip() or (len(before.text) > 1 and _mixed(before, word)):
            continue
        yield from _short(sentence, before, word, after)


def _mixed(before: Word, word: Word) -> bool:
    """Whether only one of them is in capitals: "did NOT" is not to be weakened."""
    return before.text.isupper() != word.text.isupper()


def _short(sentence: Sentence, before: Word, word: Word, after: Word | None) -> Iterator[Change]:
    loud = word.text.isupper()
    if word.lower == "not" and before.lower in _NEGATABLE and (after is None or after.tag != "PRP"):
        short = contracted(sentence.text)
        yield before.end, word.end, short.upper() if loud else short
    elif word.lower == "not" and before.lower in _STEMS:
        new = like(before.text, _STEMS[before.lower]) + contracted(sentence.text)
        yield before.start, word.end, new.upper() if loud else new
    elif before.lower in _SUBJECTS.get(word.lower, ()) and _goes_on(word, after):
        mark = "’" if "’" in sentence.text else "'"
        new = f"{' ' if apart(sentence.text) else ''}{mark}{_SHORT[word.lower]}"
        yield before.end, word.end, new.upper() if loud else new


def _goes_on(word: Word, after: Word | None) -> bool:
    """Whether the clause goes on: nobody contracts "I know who he is." And only auxiliaries of those that may be
    none, where what follows tells which.
    """
    if after is None or not after.text[0].isalnum() or after.lower == "not":
        return False
    wanted = {"have": "VBN", "had": "VBN", "would": "VB"}.get(word.lower)
    return wanted is None or after.tag == wanted


def found(sentences: Sequence[Sentence], story: str) -> tuple[list[Change], list[Change]]:
    """All that can be written out, and all that can be contracted."""
    return (
        [change for one in sentences for change in expansions(one, story)],
        [change for one in sentences for change in shortenings(one, story)],
    )
