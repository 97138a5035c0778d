"""Contractions written out, and full forms contracted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.english.negation import contracted, is_tokenised
from core.english.sentences import Change, Sentence
from core.english.words import Word, like

_NOT = {"wo": "will not", "ca": "cannot", "sha": "shall not"}
_FULL = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
_PRONOUNS = {"i", "you", "he", "she", "it", "we", "they", "that", "there", "who", "what", "here", "where", "how"}
_ASKING = {"who", "what", "where", "how"}
_PERFECT = {"been", "got", "gotten", "had", "become", "gone", "happened"}
"""Participles that "has" alone stands before."""
_PERFECT_OF = {"done", "seen", "taken"}
"""And these, where an object follows: "it is done" is none."""
_PASSING = {"passed", "stopped", "dropped", "swung", "come", "walked", "driven", "sat", "stood", "lived"}
"""What "by" after them is a place to, and nobody who does it."""
_STATES = {"tired", "excited", "scared", "worried", "bored", "interested", "supposed", "married", "based", "allowed"}
"""Participles that hardly are a perfect without an object."""
_DEGREES = {"too", "very", "so", "pretty"}
_MISSING = {"what", "who", "whom", "which", "where", "how", "than", "as"}
"""Words after which a clause lacks its predicate: "how old he is for a cat"."""
_NEAR = 4
"""Words before a subject among which they are looked for."""
_PREDICATES = ("VB", "VBG", "VBN", "JJ", "DT", "PRP$", "NN", "NNS")
_OBJECTS = ("DT", "PRP", "PRP$", "NN", "NNS", "NNP", "CD", "JJ")
_NO_OWNER = {"time", "fun", "nothing", "everything"}
"""Nouns after "it's" for which it is not "its", misspelt."""
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
        before, word, rest = words[place - 1], words[place], words[place + 1 :]
        full = _full(before, word, rest)
        if full and (not rest or rest[0].tag != "PRP" or word.lower != "n't"):  # "didn't he" has another order
            start = before.start if before.lower in _NOT and word.lower == "n't" else before.end
            new = f" {full}" if start == before.end else like(before.text, full)
            yield start, word.end, new.upper() if word.text.isupper() and before.text.isupper() else new


def _full(before: Word, word: Word, rest: Sequence[Word]) -> str | None:
    suffix = word.lower
    if suffix == "n't":
        return None if before.lower == "ai" else _NOT.get(before.lower, "not")
    if suffix in _FULL:
        return _FULL[suffix]
    if suffix == "'s" and before.lower == "let":
        return "us"
    if before.lower not in _PRONOUNS or not rest:
        return None  # "Tom's": nobody knows without reading on
    if suffix == "'d":
        return "had" if rest[0].lower == "better" else _of_d(_beyond_adverbs(rest))
    return _of_s(before, rest) if suffix == "'s" and word.tag != "POS" else None


def _beyond_adverbs(rest: Sequence[Word]) -> Sequence[Word]:
    start = next((i for i, word in enumerate(rest) if not word.tag.startswith("RB") and word.lower != "all"), len(rest))
    return rest[start:]


def _of_d(rest: Sequence[Word]) -> str | None:
    """By the form of the verb: the tagger takes whatever follows for a base form."""
    base, past = _forms(rest[0].lower) if rest and rest[0].tag != "MD" else (False, False)
    if base == past:
        return None
    return "would" if base else "had"


@lru_cache(maxsize=20_000)
def _forms(verb: str) -> tuple[bool, bool]:
    """Whether it is the base form of a verb, and whether a past tense or participle; "put" is both."""
    import lemminflect

    lemmas = lemminflect.getAllLemmas(verb, "VERB").get("VERB", ())
    return verb in lemmas, any(
        verb in lemminflect.getInflection(lemma, tag) for lemma in lemmas for tag in ("VBN", "VBD")
    )


def _of_s(before: Word, rest: Sequence[Word]) -> str | None:
    if rest[0].tag == "PRP" and before.lower in _ASKING:  # "what's he doing", but "what's he done"
        main = _beyond_adverbs(rest[1:])
        return None if main and any(_forms(main[0].lower)) else "is"
    ahead = _beyond_adverbs(rest)
    if not ahead:
        return "is"
    if before.lower == "it" and (rest[0].lower == "own" or (_misspelt(rest[0]) and len(rest) == len(ahead))):
        return None
    if ahead[0].tag in ("VB", "VBP", "VBZ", "MD"):
        return None
    degree = any(word.lower in _DEGREES for word in rest[: len(rest) - len(ahead)])
    return "is" if degree or not _forms(ahead[0].lower)[1] else _of_participle(ahead[0], ahead[1:])


def _misspelt(word: Word) -> bool:
    return word.tag in ("NN", "NNS") and word.lower not in _NO_OWNER


def _of_participle(word: Word, rest: Sequence[Word]) -> str | None:
    """ "has" of a perfect, "is" of a passive voice or a state, None of what may be either."""
    sentence, object_ = word.lower, bool(rest) and rest[0].tag in _OBJECTS
    if sentence in _PERFECT or (sentence in _PERFECT_OF and object_):
        return "has"
    by = len(rest) > 1 and rest[0].lower == "by" and rest[1].tag in ("DT", "PRP$", "NN", "NNS", "NNP")
    state = not object_ and (sentence in _STATES or word.tag == "JJ")
    return "is" if state or (by and sentence not in _PASSING) else None


def shortenings(sentence: Sentence, story: str) -> Iterator[Change]:
    """Each full form that people contract, contracted: "did not" as "didn't"."""
    words = sentence.words
    for place in range(1, len(words)):
        before, word = words[place - 1], words[place]
        after = words[place + 1] if place + 1 < len(words) else None
        if story[before.end : word.start].strip() or (len(before.text) > 1 and _mixed(before, word)):
            continue
        yield from _short(sentence, words[max(0, place - 1 - _NEAR) : place], word, after)


def _mixed(before: Word, word: Word) -> bool:
    """Whether only one of them is in capitals: "did NOT" is not to be weakened."""
    return before.text.isupper() != word.text.isupper()


def _short(sentence: Sentence, ahead: Sequence[Word], word: Word, after: Word | None) -> Iterator[Change]:
    before, loud = ahead[-1], word.text.isupper()
    if word.lower == "not" and before.lower in _NEGATABLE and (after is None or after.tag != "PRP"):
        short = contracted(sentence.text)
        yield before.end, word.end, short.upper() if loud else short
    elif word.lower == "not" and before.lower in _STEMS:
        new = like(before.text, _STEMS[before.lower]) + contracted(sentence.text)
        yield before.start, word.end, new.upper() if loud else new
    elif before.lower in _SUBJECTS.get(word.lower, ()) and _goes_on(ahead[:-1], word, after):
        mark = "’" if "’" in sentence.text else "'"
        new = f"{' ' if is_tokenised(sentence.text) else ''}{mark}{_SHORT[word.lower]}"
        yield before.end, word.end, new.upper() if loud else new


def _goes_on(ahead: Sequence[Word], word: Word, after: Word | None) -> bool:
    """Whether the clause goes on: nobody contracts "I know who he is now." And only auxiliaries of those that may be
    none, where what follows tells which.
    """
    if after is None or not after.text[0].isalnum() or after.lower in ("not", "to"):
        return False
    wanted = {"have": "VBN", "had": "VBN", "would": "VB"}.get(word.lower)
    if wanted:
        return after.tag == wanted
    if after.tag in ("VBZ", "VBP", "MD"):
        return False
    return after.tag in _PREDICATES or not any(item.lower in _MISSING for item in ahead)


def contraction_edits(sentences: Sequence[Sentence], story: str) -> tuple[list[Change], list[Change]]:
    """All that can be written out, and all that can be contracted."""
    return (
        [change for sentence in sentences for change in expansions(sentence, story)],
        [change for sentence in sentences for change in shortenings(sentence, story)],
    )
