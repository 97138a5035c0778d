"""What happened is denied, or turned into its opposite (OpenMEVA section 3.2, "consistency"). The sentences
that a story needs are denied first, so that what is left of it contradicts them.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import or_

from core.english.knowledge import inflected, lemma_of
from core.english.negation import NEGATIONS, denied_at, flip
from core.english.sentences import FINITE, Change, Made, ParsedStory, Resources, Sentence, content_words
from core.english.substitution import in_place
from core.english.wordnet import wordnet
from core.english.words import Word, like
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


def denials(reading: ParsedStory, means: Resources, rng: random.Random) -> Iterator[tuple[int, Change]]:
    """Of each free sentence that others need, and that can be denied in plain English: how surely these then contradict
    it, and the change.
    """
    lemmas = [{lemma for lemma, pos in item if pos in _TOLD} - LIGHT for item in reading.content]
    before: list[set[str]] = [set(), *accumulate(lemmas, or_)]
    follows = [*accumulate(reversed(lemmas), or_)][::-1][1:]  # of each but the last one
    for place, later in enumerate(follows[reading.kept :], reading.kept):
        sentence = reading.sentences[place]
        opening = reading.sentences[place + 1].words[:_NEAR]
        need = _need(sentence, before[place], later, opening, means)
        change = _denied(sentence, rng) if need is not None else None
        if need is not None and change:
            start, end, new = change
            yield need, (sentence.start + start, sentence.start + end, new)


def _need(
    sentence: Sentence, before: set[str], follows: set[str], opening: Sequence[Word], means: Resources
) -> int | None:
    """How later sentences need what stands from this one's verb on; None where they do not. `before`, `follows`: the
    base forms there; `opening`: the next one's first words.
    """
    verb = next((word.start for word in sentence.words if word.tag in FINITE), sentence.end)
    content = {(lemma, pos) for word, lemma, pos in content_words(sentence, ("NN", "VB", "JJ")) if word.start >= verb}
    own = {lemma for lemma, _ in content} - LIGHT
    if own & follows:
        return NEEDED_MADE if (_new(sentence, verb) - before) & follows else NEEDED_TOLD
    if any(means.relations.relatives(lemma, pos) & follows for lemma, pos in content if pos in "nv" and lemma in own):
        return NEEDED_NEAR
    return NEEDED_NEAR if own and any(word.lower in _TAKEN_BACK for word in opening) else None


def _new(sentence: Sentence, verb: int) -> set[str]:
    """The nouns from the verb on that a sentence names as if for the first time: "a coin", not "the coin"."""
    result: set[str] = set()
    known = False
    for word in sentence.words:
        if word.tag.startswith("NN") and word.start >= verb and not known:
            result.add(lemma_of(word.text, "n"))
        known = (known and word.tag.startswith(_BETWEEN)) or word.tag == "PRP$" or word.lower in _KNOWN
    return result - LIGHT


def _denied(sentence: Sentence, rng: random.Random) -> Change | None:
    """The change of the sentence's text that denies it, or takes its negation away, where that is plain."""
    text = sentence.text
    results = [
        Word(word.text, word.start - sentence.start, word.end - sentence.start, word.tag) for word in sentence.words
    ]
    lines = [word.lower for word in results]
    if text.rstrip().endswith("?") or sentence.quoted or not results:
        return None
    negations = [i for i, word in enumerate(lines) if word in NEGATIONS]
    if negations:
        return _affirmed(text, results, lines, negations, rng)
    begins = lines.index(",") + 1 if lines[0] in _SUBORDINATE and "," in lines else 0  # "When he came, she left"
    verb = next((i for i, word in enumerate(results) if i > begins and word.tag in FINITE), 0)
    if (
        not verb
        or results[verb - 1].tag not in _SUBJECTS
        or set(lines[begins:verb]) & _SUBORDINATE
        or set(lines) & _SCOPES
    ):
        return None
    manner = any(word.tag == "RB" and word.lower.endswith("ly") for word in results)  # which may be all that is denied
    if (
        manner
        or _says_what_is(results, verb)
        or _goes_on(results, verb)
        or not _well_tagged(results[verb], results[verb - 1])
    ):
        return None
    weak = any(lemma_of(word.text, "v") in _WEAK for word in results[verb : verb + 3] if word.tag.startswith("VB"))
    if weak or any("'" in word for word in lines[verb : verb + 2]):
        return None
    return denied_at(text, results, verb, rng)


def _says_what_is(words: Sequence[Word], verb: int) -> bool:
    """ "It was a lovely house": it is no less a house for not being lovely."""
    after = next((word.tag for word in words[verb + 1 :] if not word.tag.startswith("RB")), "")
    return words[verb].lower in _BE and after not in ("VBG", "VBN")


def _well_tagged(verb: Word, subject: Word) -> bool:
    """Whether a verb has the form of its tag, and "do" goes with its subject where that is of the present."""
    if verb.lower in ("was", "were", "are", "am", "had", "have"):
        return True
    lemma = lemma_of(verb.text, "v")
    if verb.tag == "VBD":
        return inflected(lemma, "VBD") == verb.lower
    plural = subject.lower in ("i", "you", "we", "they") or subject.tag in ("NNS", "NNPS")
    return verb.tag != "VBP" or (plural and verb.lower == lemma != inflected(lemma, "VBD"))  # "they set" is of both


def _goes_on(words: Sequence[Word], verb: int) -> bool:
    """Whether a second finite verb shares the subject: "she did not take a bite and realized"."""
    pairs = zip(words[verb + 1 :], words[verb + 2 :], strict=False)
    return any(word.lower in ("and", "or", ",") and other.tag in FINITE | {"VBN"} for word, other in pairs)


def _affirmed(
    text: str, words: Sequence[Word], lowered: Sequence[str], negations: Sequence[int], rng: random.Random
) -> Change | None:
    place = negations[0]
    before, after = lowered[place - 1] if place else "", lowered[place + 1] if place + 1 < len(lowered) else ""
    beside = set(lowered) - {lowered[place]}
    if len(negations) > 1 or beside & (_POLAR | _SCOPES):
        return None
    if lowered[place] in ("not", "n't") and before in _DO and words[place + 1 : place + 2]:
        verb = words[place + 1]
        if verb.tag not in ("VB", "VBP"):
            return None
        lemma = verb.text.lower()
        return words[place - 1].start, verb.end, inflected(lemma, _DO[before]) if before != "do" else verb.text
    plain = lowered[place] in ("nothing", "nobody", "cannot") or (
        lowered[place] == "no" and after not in ("", "longer")
    )
    bound = lowered[place] in ("not", "n't") and (words[place - 1].tag in FINITE or after == "to")
    return flip(text, rng) if plain or bound else None


_TAGS = ("NN", "VB", "JJ", "RB")
SHARE = 0.2
"""Of the sentences that change, one at least."""
PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
DENIALS = NEGATIONS | {"unlikely", "impatiently", "uncertainly"}
_COMMON = 2
"""Times that a word stands in WordNet's tagged texts, from which on it is a word that people use."""
_OTHERWISE = {
    *("go", "come", "get", "have", "take", "give", "make", "let", "keep", "do", "be", "there", "back", "well"),
    *("leave", "sit", "stand", "arrive", "wake", "sleep", "up", "down", "few", "many", "little", "right", "left"),
    *("bore", "interest", "due", "same", "other", "whole", "sudden", "old", "young", "white", "black", "act", "day"),
    *("night", "late", "early", "forward", "cold", "heavy", "light", "good", "narrow", "admit", "proper", "properly"),
    *("ready", "cool", "warm", "shut", "buy", "sell", "afraid", "push", "pull", "top", "side", "outside", "inside"),
    *("outdoors", "indoors", "high", "low", "last", "first", "next", "much", "all", "more", "less", "most", "least"),
    *("long", "short", "only", "prove", "disprove"),
}
"""Words that stories mostly use in another sense, or with other words, than those that have antonyms."""
_COPULAS = {
    *("is", "was", "are", "were", "am", "be", "been", "'s", "'m", "'re", "feel", "felt", "feels", "look", "looked"),
    *("looks", "seem", "seemed", "seems", "became", "become", "becomes", "get", "got", "gets", "turned", "stayed"),
}
"""What adjectives stand after that say something."""
_FIXED = {"sure enough", "happy birthday", "good morning", "good night", "good luck", "good bye", "all right"}
_PARTICLES = {"up", "down", "out", "off", "on", "in", "over", "away", "back"}
_PERSONS = ("noun.person", "noun.animal")


def has_negation(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story holds a negation: a word for it, or a prefix."""
    if reading.vocabulary & DENIALS:
        return True
    return any(
        len(prefixed(lemma, pos) or lemma) < len(lemma)
        for sentence in reading.sentences
        for _, lemma, pos in content_words(sentence, _TAGS)
    )


@lru_cache(maxsize=50_000)
def prefixed(lemma: str, pos: str) -> str | None:
    """What a word becomes by a negating prefix, or by its loss, as WordNet knows it; None where it has no such."""
    for sense in wordnet().lemmas(lemma, pos)[:2]:
        for other in sense.antonyms():
            long, short = sorted((lemma, str(other.name())), key=len, reverse=True)
            if any(long == prefix + short for prefix in PREFIXES) and (long == lemma or other.count() >= 1):
                return str(other.name())
    return None


@lru_cache(maxsize=50_000)
def antonym(lemma: str, pos: str) -> str | None:
    """The opposite of a word in its commonest sense, that is itself commonest in that sense; None where there is none.

    Not of persons: a boy who becomes a girl is another character, and denies nothing.
    """
    senses = wordnet().lemmas(lemma, pos)
    if not senses or lemma in _OTHERWISE or senses[0].synset().lexname() in _PERSONS:
        return None
    for other in senses[0].antonyms():
        name = str(other.name())
        if name.isalpha() and name not in _OTHERWISE and other.count() >= _COMMON:
            back = wordnet().lemmas(name, pos)
            if back and back[0].synset() == other.synset():
                return name
    return None


def deny(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Negation words come or go in a fifth of the sentences: of those that others need, the surest first."""
    candidates = list(denials(reading, means, rng))
    rng.shuffle(candidates)
    candidates.sort(key=lambda part: part[0])
    changes = tuple(sorted(change for _, change in candidates[: _wanted(reading)]))
    return Made("a negation came or went", changes) if changes else None


def _wanted(reading: ParsedStory) -> int:
    return max(1, math.floor(SHARE * len(reading.sentences)))


def _order(reading: ParsedStory, rng: random.Random) -> list[Sentence]:
    """At random, but the last one late: it contradicts nothing that follows."""
    free = reading.free
    return sorted(rng.sample(free, len(free)), key=lambda sentence: sentence is free[-1])


def turn_prefix(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A word takes on a negating prefix, or loses it: "happy" is then "unhappy"."""
    changes = _replaced(reading, means, rng, _prefixed)
    return Made("a negating prefix came or went", changes) if changes else None


def _prefixed(lemma: str, pos: str) -> str | None:
    """Return whether a noun has a negative prefix: "an awful inexperience" denies nothing."""
    return None if pos == "n" or lemma in _OTHERWISE else prefixed(lemma, pos)


def turn_antonym(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A word becomes its antonym in the same form, in a fifth of the sentences."""
    changes = _replaced(reading, means, rng, antonym)
    return Made("an antonym", changes) if changes else None


def _replaced(
    reading: ParsedStory, means: Resources, rng: random.Random, opposite: Callable[[str, str], str | None]
) -> tuple[Change, ...]:
    changes: list[Change] = []
    wanted = _wanted(reading)
    spread = Counter(lemma for item in reading.content for lemma in {lemma for lemma, _ in item})
    for sentence in _order(reading, rng):
        own = {lemma for _, lemma, _ in content_words(sentence, _TAGS)}
        others = {lemma for lemma, number in spread.items() if number > (lemma in own)}
        candidates = [
            (word, new)
            for word, lemma, pos in content_words(sentence, _TAGS)
            if _elsewhere(lemma, pos, others, means)
            if (other := opposite(lemma, pos)) and (new := inflected(other, word.tag)).lower() != word.lower
            if _told(word, sentence) and not _fixed(word, sentence)
        ]
        if candidates:
            word, new = rng.choice(candidates)
            changes.append(in_place(0, reading.text, word, like(word.text, new)))
        if len(changes) == wanted:
            break
    return tuple(sorted(changes))


def _elsewhere(lemma: str, pos: str, others: set[str], means: Resources) -> bool:
    """Whether another sentence has the word as well, or one that goes with it, and so contradicts its opposite."""
    return lemma in others or (pos in "nv" and bool(means.relations.relatives(lemma, pos) & others))


def _told(word: Word, sentence: Sentence) -> bool:
    """Whether the sentence tells it: by its verb, or by what it says of somebody; "an unhappy man" may be another."""
    if word.tag.startswith("VB"):
        return word.tag in ("VBD", "VBZ", "VBP", "VB")
    before = [item for item in sentence.words if item.end <= word.start]
    while before and before[-1].tag.startswith("RB") and before[-1].lower not in ("not", "n't"):
        before.pop()
    after = next((item.tag for item in sentence.words if item.start >= word.end), "")
    predicative = bool(before) and before[-1].lower in _COPULAS and not after.startswith("NN")
    return word.tag == "JJ" and predicative


def _fixed(word: Word, sentence: Sentence) -> bool:
    """Whether it belongs to the words beside it: "woke up", "happy birthday", "as fast as possible"."""
    after = next((item.lower for item in sentence.words if item.start >= word.end), "")
    before = next((item.lower for item in reversed(sentence.words) if item.end <= word.start), "")
    tied = word.tag.startswith("VB") and after in _PARTICLES | {"to"}  # "disagreed to see" is no English
    return tied or before in ("as", "too") or f"{word.lower} {after}" in _FIXED
