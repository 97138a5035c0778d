"""Which words can take a word's place: those that stories use in the same form between words of the same kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from core.english.knowledge import inflected, lemma_of
from core.english.wordnet import wordnet
from core.english.words import Word, words
from core.stories import sentences

Frames = Mapping[tuple[str, str], frozenset[str]]
"""By word form and Penn tag: the frames that it has been seen in."""
_ONE = {"a", "an", "another", "each", "every", "one"}
_SEVERAL = {"two", "three", "four", "five", "six", "several", "many", "few", "these", "those", "both", "couple"}
_AMOUNTS = {"some", "any", "no", "all", "more", "much", "less", "enough", "most", "little"}
"""Before stuff and before several, seldom before one."""
_WITHIN = ("JJ", "NN", "VBG", "VBN", "CD")
"""What stands between an article and its noun."""
_NOMINATIVE = {"i", "he", "she", "we", "they"}
_FINITE = {"VBD", "VBZ", "VBP", "MD"}
_NAMES = {
    *("john", "jack", "bill", "rob", "don", "tom", "jan", "dick", "pat", "sue", "bob", "max", "ray", "art", "rose"),
    *("mark", "frank", "grace", "jean", "tim", "sam", "dan", "ken", "abby", "josh", "mike", "kitty", "penny", "jimmy"),
}
"""Words that are names in most stories."""
_REACH = 4
"""Words after a verb that are looked at."""
_BE = {"is", "are", "was", "were", "am", "be", "been", "'s", "'m", "'re"}
_HAVE = {"have", "has", "had", "having", "'ve", "'d"}
_PHASE = {"start", "started", "starts", "began", "begin", "begins", "kept", "keep", "keeps", "stopped", "stop", "while"}
_BARE = {"to", "will", "would", "can", "could", "should", "might", "must", "may", "did", "do", "does", "n't", "not"}
_PLAIN = {"VBD": None, "VBZ": None, "VBP": None, "VB": _BARE, "VBG": _BE | _PHASE, "VBN": _HAVE}
"""After which words a verb's form is surely what its tag says; after any where there are none."""


def frames(stories: Sequence[str]) -> Frames:
    """Those of the nouns and verbs of these stories."""
    result: dict[tuple[str, str], set[str]] = {}
    for story in stories:
        for start, end in sentences(story):
            sentence = words(story[start:end])
            for place, word in enumerate(sentence):
                frame = frame_of(sentence, place)
                if frame:
                    result.setdefault((word.lower, word.tag), set()).add(frame)
    return {part: frozenset(seen) for part, seen in result.items()}


def frame_of(sentence: Sequence[Word], place: int) -> str:
    """Of a noun what kind of article it has, of a verb what follows it; "" of other words, and where a verb may be none
    by its form.
    """
    tag = sentence[place].tag
    if tag in ("NN", "NNS"):
        return _article(sentence[:place])
    before = sentence[place - 1].lower if place else ""
    if tag not in _PLAIN:
        return ""
    after = _PLAIN[tag]
    if after is not None and before not in after:
        return ""
    return f"{before if before in _PHASE else ''} {_complement(sentence[place + 1 :])}"


def _article(before: Sequence[Word]) -> str:
    for word in reversed(before):
        if word.lower in _ONE:
            return "one"
        if word.lower in _SEVERAL:
            return "several"
        if word.lower in _AMOUNTS:
            return word.lower
        if word.tag in ("DT", "PRP$", "POS", "WP$", "PDT"):
            return "the"
        if not word.tag.startswith(_WITHIN):
            break
    return "none"


def _complement(after: Sequence[Word]) -> str:
    """What kind of words follow a verb, adverbs aside."""
    span = [word for word in after if not word.tag.startswith("RB")][:_REACH]
    if not span or not span[0].text[0].isalnum():
        return "nothing"
    first = span[0]
    if first.tag in ("WRB", "WP", "WDT"):
        return "question"
    objects = first.tag[:2] in ("DT", "PR", "NN", "CD")
    if first.lower in _NOMINATIVE or (objects and any(word.tag in _FINITE for word in span)):
        return "clause"
    if first.tag in ("IN", "TO", "RP", "VBG", "CC"):
        bare = first.tag == "TO" and len(span) > 1 and span[1].tag == "VB"
        return f"{first.lower} {'do' if bare else ''}"
    if first.tag != "PRP":
        return "object" if objects else first.tag
    bound = len(span) > 1 and span[1].tag in ("TO", "IN", "RP", "DT", "VB")
    return f"object {span[1].lower}" if bound else "object"


@lru_cache(maxsize=50_000)
def surely(form: str, tag: str) -> bool:
    """Whether a form is what its Penn tag says, as most people use it: a noun that is seldom a verb, or the other way
    round, in the form of this tag.
    """
    if form in _NAMES or (tag == "NN" and form.endswith("ing")):
        return False
    pos = "v" if tag.startswith("VB") else "n"
    lemma = lemma_of(form, pos)
    used = {name: sum(sense.count() for sense in wordnet().lemmas(lemma, name)) for name in "nvar"}
    others = max(count for name, count in used.items() if name != pos)
    if used[pos] <= others or inflected(lemma, tag).lower() != form:
        return False
    return (tag == "NNS") == (form != lemma) if pos == "n" else True
