"""Things that do not go together in the world (OpenMEVA section 3.2, "common sense")."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from core.english.frames import frame_of, surely
from core.english.knowledge import inflected, lemma_of, pos_of
from core.english.sentences import Made, ParsedStory, Resources, bare, content_words
from core.english.substitution import in_place
from core.english.words import Word, like, words
from core.stories import sentences

SHARE = 0.1
"""Of the words that the lexicon relates to another word of the story: so many become a neighbour, one at least."""
LIGHT = {
    *("be", "have", "do", "get", "go", "come", "make", "take", "give", "say", "tell", "want", "try", "let", "keep"),
    *("put", "see", "look", "find", "think", "know", "start", "begin", "need", "use", "seem", "become", "decide"),
    *("thing", "lot", "way", "time", "one", "kind", "bit", "something", "anything", "part", "number", "end", "place"),
    *("back", "day", "home", "hand", "side", "point", "case"),
}
"""Words of so many meanings that they go with everything."""
_ANYWHERE = {
    *("bag", "box", "case", "room", "building", "machine", "device", "tool", "chair", "counter", "table", "stick"),
    *("shelter", "basement", "station", "studio", "rug", "slice", "floor", "house", "wall", "key", "toy", "plant"),
}
"""Things that may be anywhere."""

_CANDIDATES = 8
_ONE_FORM = {"fish", "sheep", "deer", "aircraft", "fruit", "shrimp"}


def related(reading: ParsedStory, means: Resources) -> list[tuple[Word, str, str]]:
    """The nouns and verbs (word, base form, part of speech) that the lexicon relates to another one of the story."""
    spoken = [
        word for sentence in reading.sentences for word in content_words(sentence, ("NN", "VB")) if word[1] not in LIGHT
    ]
    lemmas = {lemma for _, lemma, _ in spoken}
    ends = {(lemma, pos) for _, lemma, pos in spoken if _goes_with(lemma, pos, lemmas, means)}
    heads = {lemma for lemma, _ in ends}
    tails = {tail for lemma, pos in ends for tail in means.relations.relatives(lemma, pos) & lemmas if tail != lemma}
    return [part for part in spoken if part[1] in heads | tails]


def _goes_with(lemma: str, pos: str, lemmas: set[str], means: Resources) -> bool:
    return bool((means.relations.relatives(lemma, pos) & lemmas) - {lemma})


def has_relation(reading: ParsedStory, means: Resources) -> bool:
    """Whether a story holds both ends of a relation of the lexicon."""
    return bool(related(reading, means))


def seen_in(stories: Sequence[str]) -> Mapping[str, frozenset[int]]:
    """The nouns and verbs of stories, in their base forms, with the numbers of the stories that have them."""
    result: dict[str, set[int]] = {}
    for number, story in enumerate(stories):
        for start, end in sentences(story):
            for word in words(story[start:end]):
                pos = pos_of(word.text, word.tag)
                if pos in ("n", "v"):
                    result.setdefault(lemma_of(word.text, pos), set()).add(number)
    return {lemma: frozenset(numbers) for lemma, numbers in result.items()}


def replace_by_neighbours(reading: ParsedStory, means: Resources, rng: random.Random) -> Made | None:
    """A tenth of the related words become another word that the lexicon puts beside them: halloween, christmas.

    All occurrences of a word change alike, or the story would have two of them. Only nouns: what stands beside a verb
    takes other objects, or is its opposite, and people lose as well as win.
    """
    begins = reading.free[0].start if reading.free else len(reading.text)
    alone = {
        word for sentence in reading.free for place, word in enumerate(sentence.words) if bare(place, sentence.words)
    }
    nouns = [(word, lemma) for word, lemma, pos in related(reading, means) if pos == "n" and word.start >= begins]
    fixed = {lemma for word, lemma in nouns if word in alone}
    lemmas = sorted({lemma for _, lemma in nouns} - fixed)
    rng.shuffle(lemmas)
    wanted = max(1, round(SHARE * len(lemmas)))
    present = {part for sentence in reading.content for part in sentence}
    changes, done = [], 0
    for lemma in lemmas:
        if done == wanted:
            break
        other = _neighbour(lemma, reading, present, means, rng)
        if other:
            done += 1
            for word in (word for word, own in nouns if own == lemma):
                changes.append(in_place(0, reading.text, word, like(word.text, inflected(other, word.tag))))
    if not changes:
        return None
    return Made("a word became its neighbour", tuple(sorted(changes)))


def _neighbour(
    lemma: str, reading: ParsedStory, present: set[tuple[str, str]], means: Resources, rng: random.Random
) -> str | None:
    """A noun that stands beside this one in the lexicon and nowhere in the story, nor in any other story together with
    what this one goes with here: a jeep in the place of a taxi would be no fault where somebody drives. Of some at
    random that which is most seldom seen with what is here; none that is plural only, one of many only in the place of
    such, and nothing for a word whose plural does not show.
    """
    if lemma in _ONE_FORM:
        return None
    partners = _partners(lemma, present, means)
    met = set().union(*(means.seen_in.get(partner, ()) for partner in partners))
    frames = {
        (frame_of(sentence.words, i), word.tag)
        for sentence in reading.free
        for i, word in enumerate(sentence.words)
        if word.tag in ("NN", "NNS") and lemma_of(word.text, "n") == lemma
    }
    counted = any(frame == "one" or tag == "NNS" for frame, tag in frames)
    candidates: Sequence[str] = [
        neighbour
        for neighbour in means.relations.neighbours(lemma, "n")
        if neighbour not in reading.vocabulary | _ANYWHERE and (neighbour.endswith("ss") or not neighbour.endswith("s"))
        if met.isdisjoint(means.seen_in.get(neighbour, ())) and surely(neighbour, "NN")
        if inflected(neighbour, "NNS") != neighbour
        and (not counted or "one" in means.frames.get((neighbour, "NN"), ()))
    ]
    drawn = rng.sample(candidates, min(len(candidates), _CANDIDATES))
    nouns = {name for name, pos in present if pos == "n"} - LIGHT
    here = set().union(*(means.seen_in.get(noun, ()) for noun in nouns))
    return min(drawn, key=lambda name: _met(name, here, means), default=None)


def _met(lemma: str, here: set[int], means: Resources) -> float:
    """The share of the stories with a word that have a word of this story as well, 0..1."""
    seen = means.seen_in.get(lemma, frozenset())
    return len(seen & here) / len(seen) if seen else 0.0


def _partners(lemma: str, present: set[tuple[str, str]], means: Resources) -> set[str]:
    """The words of the story that the lexicon relates to this one."""
    own = means.relations.relatives(lemma, "n")
    result = {(name, pos) for name, pos in present if pos in "nv" and name != lemma}
    return {name for name, pos in result if name in own or lemma in means.relations.relatives(name, pos)}
