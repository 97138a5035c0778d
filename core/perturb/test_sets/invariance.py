"""The invariance test (OpenMEVA section 3.2, Table 2): changes that leave a story as good as it was.

Typing errors alone make it a little worse, and no more than a reader forgives. The prompt never changes.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping

from core.english.sentences import Change, Made, ParsedStory, Resources, Sentence, Technique, is_word
from core.english.words import Word, like
from core.perturb.edits import Perturbed
from core.perturb.techniques import contractions, published
from core.perturb.techniques.synonyms import replacements
from core.perturb.test_sets.aspects import Change as Aspect
from core.perturb.test_sets.aspects import Techniques
from core.perturb.test_sets.discrimination import applied

TYPOS = 0.02
"""Fewer than so many of a story's words are mistyped, but one at least."""
LEAST_LETTERS = 4
_HALF = 0.5
_OPENERS = {"RB", "IN", "UH", "CC", "NN", "JJ", "CD", "DT"}
_DASH = re.compile(r"\s*(?:--+|[–—])\s*")
_MORE_MARKS = re.compile(r"(?<=[!?])[!?]+")


def substitute_synonyms(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """One or two words become others that mean the same."""
    changes = replacements(reading, rng)
    return Made("a synonym" if len(changes) == 1 else f"{len(changes)} synonyms", tuple(changes)) if changes else None


def paraphrase(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A sentence becomes its paraphrase."""
    sentences = [sentence for sentence in reading.free if means.paraphrases.get(sentence.text)]
    if not sentences:
        return None
    here = rng.choice(sentences)
    return Made("a sentence as its paraphrase", ((here.start, here.end, means.paraphrases[here.text]),))


def delete_punctuation(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Marks go that a sentence can do without: commas that set nothing apart, a second exclamation mark."""
    candidates = [change for sentence in reading.free for change in _inessential(sentence, reading.text)]
    if not candidates:
        return None
    taken = [change for change in candidates if rng.random() < _HALF] or [rng.choice(candidates)]
    return Made("a mark less" if len(taken) == 1 else f"{len(taken)} marks less", tuple(sorted(taken)))


def _inessential(sentence: Sentence, story: str) -> list[Change]:
    words = sentence.words
    commas = [place for place, word in enumerate(words) if word.text == ","]
    changes: list[Change] = []
    for place in commas:
        if _can_go(words, place, commas) and not sentence.quoted:  # what somebody says keeps its marks
            start = len(story[: words[place].start].rstrip())
            changes.append((start, words[place].end, ""))
    changes += [(sentence.start + m.start(), sentence.start + m.end(), "") for m in _MORE_MARKS.finditer(sentence.text)]
    return changes


def _can_go(words: tuple[Word, ...], place: int, commas: list[int]) -> bool:
    """After an opening adverb or phrase without a verb; before a conjunction, of a sentence with no other comma; before
    a closing "too".
    """
    before, after = words[:place], words[place + 1 :]
    if not before or not after or after[0].text in "\"'”’``":
        return False
    if place == commas[0] and place <= 4 and before[0].tag in _OPENERS and not _verb(before) and _subject(after[0]):
        return before[0].lower not in ("no", "yes", "well", "oh", "hey") and len(commas) == 1
    if after[0].lower in ("too", "though", "either", "anyway") and not any(
        c.isalnum() for w in after[1:] for c in w.text
    ):
        return True
    return len(commas) == 1 and after[0].lower in ("and", "but", "so", "because") and _verb(before) and _verb(after)


def _verb(words: tuple[Word, ...]) -> bool:
    return any(word.tag.startswith(("VB", "MD")) for word in words)


def _subject(word: Word) -> bool:
    return word.tag in ("PRP", "NNP", "DT", "PRP$", "EX", "NNS", "NN")


def change_contractions(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Contractions are written out, or full forms contracted: half of them, one at least."""
    expanded, contracted = contractions.contraction_edits(reading.free, reading.text)
    ways = [("written out", expanded), ("contracted", contracted)]
    if rng.random() < _HALF:
        ways.reverse()
    for way, candidates in ways:
        if candidates:
            taken = [change for change in candidates if rng.random() < _HALF] or [rng.choice(candidates)]
            return Made(way, tuple(sorted(taken)))
    return None


def mistype(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """Letters change places, double or drop out in fewer than two of a hundred words, and no word results."""
    words = [word for sentence in reading.free for word in sentence.words if _typable(word)]
    spoken = sum(any(c.isalnum() for c in word) for word in reading.text.split())
    wanted = max(1, math.ceil(TYPOS * spoken) - 1)
    changes: list[Change] = []
    for word in rng.sample(words, len(words)):
        new = _mistyped(word.text, rng)
        if new:
            changes.append((word.start, word.end, new))
        if len(changes) == wanted:
            break
    if not changes:
        return None
    return Made("a typing error" if len(changes) == 1 else f"{len(changes)} typing errors", tuple(sorted(changes)))


def _typable(word: Word) -> bool:
    return len(word.text) >= LEAST_LETTERS and word.text.isalpha() and not word.tag.startswith("NNP")


def _mistyped(word: str, rng: random.Random) -> str | None:
    """The word with one slip behind its first letter that makes no other word; None where none does."""
    slips = []
    for i in range(1, len(word)):
        slips += [word[:i] + word[i] + word[i:], word[:i] + word[i + 1 :]]
        if i + 1 < len(word) and word[i] != word[i + 1]:
            slips.append(word[:i] + word[i + 1] + word[i] + word[i + 2 :])
    slips = [slip for slip in slips if slip != word and not is_word(slip.lower())]
    return like(word, rng.choice(slips)) if slips else None


TECHNIQUES: Mapping[Aspect, Technique] = {
    Aspect.SYNONYMS: substitute_synonyms,
    Aspect.PARAPHRASES: paraphrase,
    Aspect.PUNCTUATION: delete_punctuation,
    Aspect.CONTRACTION: change_contractions,
    Aspect.TYPOS: mistype,
}
PAPER: Mapping[Aspect, Technique] = {
    **TECHNIQUES,
    Aspect.SYNONYMS: published.substitute_synonym,
    Aspect.PUNCTUATION: published.delete_punctuation,
    Aspect.TYPOS: published.mistype,
}
"""As Table 2 prints them; of contractions it gives no list, and of paraphrases no other way."""
_TECHNIQUES = {Techniques.OURS: TECHNIQUES, Techniques.PAPER: PAPER}


def perturbed(
    reading: ParsedStory, change: Aspect, means: Resources, seed: str, by: Techniques = Techniques.OURS
) -> Perturbed | None:
    """The story with a change that should not matter; None where there is nothing to change. The same seed gives the
    same.
    """
    return applied(reading, [_TECHNIQUES[by][change]], means, random.Random(f"{seed}/{change}"))
