"""Sentences that a story needs, denied so that what is left of it contradicts them (OpenMEVA section 3.2)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import or_

from core.english.knowledge import inflected, lemma_of
from core.english.negation import NEGATIONS, Change, denied_at, flip
from core.english.sentences import FINITE, Means, Reading, Sentence, content_words
from core.english.words import Word
from core.perturb.techniques.commonsense import LIGHT

NEEDED_MADE, NEEDED_TOLD, NEEDED_NEAR = range(3)
"""What a denial contradicts, the surest first: a later sentence takes up a thing that comes into the story here ("she
found a coin"); it takes up what else is told here; it speaks of something that goes with it, or calls it "it".
"""
_TOLD = "nva"
_SUBJECTS = {"PRP", "NN", "NNS", "NNP", "NNPS", "EX"}
_SUBORDINATE = {
    *("when", "where", "why", "how", "what", "who", "which", "that", "while", "as", "because", "since", "if", "once"),
    *("after", "before", "although", "though", "until", "unless", "whether", "whatever", "whenever", "so", "than"),
}
"""Words that open a clause; a verb after them is not the sentence's own."""
_SCOPES = {
    *("because", "but", "yet", "until", "even", "only", "just", "already", "although", "though", "unless", "so"),
    *("often", "always", "usually", "sometimes", "well", "enough", "instead", "either", "neither", "nor", "if"),
    *("except", "still", "too", "also", "not", "better", "ought", "every", "everyone", "everything", "each", "all"),
    *("both", "most", "whole", "first", "before", "after"),
}
"""With these it is not plain what a negation denies, or it stands in the wrong place."""
_WEAK = {
    *("use", "seem", "look", "hope", "want", "let", "like", "think", "start", "begin", "try", "ask", "tell", "call"),
    *("see", "watch", "hear", "notice", "realize", "know", "understand", "remember", "teach", "learn", "mean"),
    *("say", "feel", "expect", "plan", "offer", "suggest", "invite"),
}
"""Verbs whose denial says little: she may do unasked what nobody told her to, or do without a beginning."""
_POLAR = {
    *("any", "anything", "anyone", "anybody", "anywhere", "anymore", "ever", "much", "many", "long", "far", "at", "in"),
    *("wait", "help", "believe", "stand", "bother", "mind", "care", "matter", "exactly", "enough", "all", "every"),
}
"""Words that stand beside a negation, and say something else or nothing without it."""
_BE = {"is", "are", "am", "was", "were"}
_DO = {"do": "VBP", "does": "VBZ", "did": "VBD"}
_KNOWN = {"the", "this", "that", "these", "those", "'s"}
_BETWEEN = ("JJ", "NN", "CD", "RB")
"""What stands between such a word and its noun."""
_TAKEN_BACK = {"it", "this", "that", "them"}
_NEAR = 3
"""Words at the beginning of the next sentence among which "it" stands for what was told here."""


def denials(reading: Reading, means: Means, rng: random.Random) -> Iterator[tuple[int, Change]]:
    """Of each free sentence that others need, and that can be denied in plain English: how surely these then contradict
    it, and the change.
    """
    said = [{lemma for lemma, pos in one if pos in _TOLD} - LIGHT for one in reading.told]
    before: list[set[str]] = [set(), *accumulate(said, or_)]
    follows = [*accumulate(reversed(said), or_)][::-1][1:]  # of each but the last one
    for place, later in enumerate(follows[reading.kept :], reading.kept):
        sentence = reading.sentences[place]
        opening = reading.sentences[place + 1].words[:_NEAR]
        need = _need(sentence, before[place], later, opening, means)
        change = _denied(sentence, rng) if need is not None else None
        if need is not None and change:
            start, end, new = change
            yield need, (sentence.start + start, sentence.start + end, new)


def _need(sentence: Sentence, before: set[str], follows: set[str], opening: Sequence[Word], means: Means) -> int | None:
    """How later sentences need what stands from this one's verb on; None where they do not. `before`, `follows`: the
    base forms there; `opening`: the next one's first words.
    """
    verb = next((word.start for word in sentence.words if word.tag in FINITE), sentence.end)
    told = {(lemma, pos) for word, lemma, pos in content_words(sentence, ("NN", "VB", "JJ")) if word.start >= verb}
    own = {lemma for lemma, _ in told} - LIGHT
    if own & follows:
        return NEEDED_MADE if (_new(sentence, verb) - before) & follows else NEEDED_TOLD
    if any(means.relations.relatives(lemma, pos) & follows for lemma, pos in told if pos in "nv" and lemma in own):
        return NEEDED_NEAR
    return NEEDED_NEAR if own and any(word.lower in _TAKEN_BACK for word in opening) else None


def _new(sentence: Sentence, verb: int) -> set[str]:
    """The nouns from the verb on that a sentence names as if for the first time: "a coin", not "the coin"."""
    found: set[str] = set()
    known = False
    for word in sentence.words:
        if word.tag.startswith("NN") and word.start >= verb and not known:
            found.add(lemma_of(word.text, "n"))
        known = (known and word.tag.startswith(_BETWEEN)) or word.tag == "PRP$" or word.lower in _KNOWN
    return found - LIGHT


def _denied(sentence: Sentence, rng: random.Random) -> Change | None:
    """The change of the sentence's text that denies it, or takes its negation away, where that is plain."""
    text = sentence.text
    found = [
        Word(word.text, word.start - sentence.start, word.end - sentence.start, word.tag) for word in sentence.words
    ]
    said = [word.lower for word in found]
    if text.rstrip().endswith("?") or sentence.quoted or not found:
        return None
    there = [i for i, word in enumerate(said) if word in NEGATIONS]
    if there:
        return _affirmed(text, found, said, there, rng)
    begins = said.index(",") + 1 if said[0] in _SUBORDINATE and "," in said else 0  # "When he came, she left"
    verb = next((i for i, word in enumerate(found) if i > begins and word.tag in FINITE), 0)
    if not verb or found[verb - 1].tag not in _SUBJECTS or set(said[begins:verb]) & _SUBORDINATE or set(said) & _SCOPES:
        return None
    manner = any(word.tag == "RB" and word.lower.endswith("ly") for word in found)  # which may be all that is denied
    if manner or _says_what_is(found, verb) or _goes_on(found, verb) or not _well_tagged(found[verb], found[verb - 1]):
        return None
    weak = any(lemma_of(word.text, "v") in _WEAK for word in found[verb : verb + 3] if word.tag.startswith("VB"))
    if weak or any("'" in word for word in said[verb : verb + 2]):
        return None
    return denied_at(text, found, verb, rng)


def _says_what_is(found: Sequence[Word], verb: int) -> bool:
    """ "It was a lovely house": it is no less a house for not being lovely."""
    after = next((word.tag for word in found[verb + 1 :] if not word.tag.startswith("RB")), "")
    return found[verb].lower in _BE and after not in ("VBG", "VBN")


def _well_tagged(verb: Word, subject: Word) -> bool:
    """Whether a verb has the form of its tag, and "do" goes with its subject where that is of the present."""
    if verb.lower in ("was", "were", "are", "am", "had", "have"):
        return True
    lemma = lemma_of(verb.text, "v")
    if verb.tag == "VBD":
        return inflected(lemma, "VBD") == verb.lower
    plural = subject.lower in ("i", "you", "we", "they") or subject.tag in ("NNS", "NNPS")
    return verb.tag != "VBP" or (plural and verb.lower == lemma != inflected(lemma, "VBD"))  # "they set" is of both


def _goes_on(found: Sequence[Word], verb: int) -> bool:
    """Whether a second finite verb shares the subject: "she did not take a bite and realized"."""
    pairs = zip(found[verb + 1 :], found[verb + 2 :], strict=False)
    return any(one.lower in ("and", "or", ",") and other.tag in FINITE | {"VBN"} for one, other in pairs)


def _affirmed(
    text: str, found: Sequence[Word], said: Sequence[str], there: Sequence[int], rng: random.Random
) -> Change | None:
    place = there[0]
    before, after = said[place - 1] if place else "", said[place + 1] if place + 1 < len(said) else ""
    beside = set(said) - {said[place]}
    if len(there) > 1 or beside & (_POLAR | _SCOPES):
        return None
    if said[place] in ("not", "n't") and before in _DO and found[place + 1 : place + 2]:
        verb = found[place + 1]
        if verb.tag not in ("VB", "VBP"):
            return None
        lemma = verb.text.lower()
        return found[place - 1].start, verb.end, inflected(lemma, _DO[before]) if before != "do" else verb.text
    plain = said[place] in ("nothing", "nobody", "cannot") or (said[place] == "no" and after not in ("", "longer"))
    bound = said[place] in ("not", "n't") and (found[place - 1].tag in FINITE or after == "to")
    return flip(text, rng) if plain or bound else None
