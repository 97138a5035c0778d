"""Which things belong together and which are alike: ConceptNet where the user has it, WordNet otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from core.english.knowledge import OPPOSED, ConceptNet, Knowledge, lemma_of, pos_of
from core.english.substitution import Vocabulary
from core.english.wordnet import wordnet
from core.english.words import words

LEAST_DEPTH = 5
"""Kinds nearer the top than this ("object", "event") are no kind that two things have in common."""
MOST_DEPTH = 6
"""Things that have a kind below this in common ("furniture", "motor vehicle") often serve as well as each other."""
TANGIBLE = {"noun.artifact", "noun.object", "noun.substance", "noun.phenomenon", "noun.possession"}
"""WordNet's files of things that can be seen or touched; not of food, plants, animals, persons and parts of the body:
one meal is as good as another, a father as a mother, and one foot hurts as the other."""
EQUAL = ("clothing.n.01", "dwelling.n.01", "housing.n.01", "home_appliance.n.01")
"""Kinds of which one thing serves as well as another, for the same reason."""
LEAST_COUNT = 2
"""Times that the stories have a word that may stand for another."""
OFTEN = 5
"""Times from which on it may be a word that WordNet's tagged texts of the sixties do not know."""
_TAGS = {"n": ("NN", "NNS"), "v": ("VB", "VBD", "VBZ", "VBP", "VBG", "VBN")}


class Relations(Protocol):
    """Relations between nouns and verbs in their base forms; `pos` is n or v."""

    name: str

    def relatives(self, lemma: str, pos: str) -> frozenset[str]:
        """All words that it is related to."""
        ...

    def neighbours(self, lemma: str, pos: str) -> tuple[str, ...]:
        """Words of the stories that may stand in its place and mean something else, in a fixed order."""
        ...


def common_words(vocabulary: Vocabulary) -> dict[str, dict[str, int]]:
    """By part of speech, n and v: the base forms that the stories have, and how often."""
    result: dict[str, dict[str, int]] = {}
    for pos, tags in _TAGS.items():
        counted = result.setdefault(pos, {})
        for tag in tags:
            sums = vocabulary.counts.get(tag, [])
            for word, above, below in zip(vocabulary.words.get(tag, []), sums, [0, *sums], strict=False):
                lemma = lemma_of(word, pos)
                counted[lemma] = counted.get(lemma, 0) + above - below
    return result


class WordNetRelations:
    """Relatives: kinds, parts, wholes, opposites, and what a word's definition speaks of; all of its commonest sense.

    Neighbours: of a noun other things of the same wider kind that can be seen or touched (a truck's instruments, not
    its vehicles): a costume in the place of a dress is no fault. Of a verb its opposites, as others
    seldom take the same objects.
    """

    def __init__(self, vocabulary: Vocabulary, knowledge: Knowledge) -> None:
        """Raises ModelMissing where there is no WordNet."""
        self.name = knowledge.name
        self._antonyms = knowledge.antonyms
        self._by_kind: dict[Any, list[str]] = {}
        for pos, counted in common_words(vocabulary).items():
            for lemma in sorted(name for name, count in counted.items() if pos == "n" and _in_use(name, count)):
                for kind in {*_kinds(lemma)[0], *_kinds(lemma)[1]}:
                    self._by_kind.setdefault(kind, []).append(lemma)
        self.relatives = lru_cache(maxsize=50_000)(self._relatives)
        self.neighbours = lru_cache(maxsize=50_000)(self._neighbours)

    def _relatives(self, lemma: str, pos: str) -> frozenset[str]:
        sense = _sense(lemma, pos)
        if sense is None:
            return frozenset()
        candidates = [
            *sense.hypernyms(), *sense.hyponyms(), *sense.part_meronyms(), *sense.part_holonyms(),
            *sense.member_meronyms(), *sense.member_holonyms(), *sense.substance_meronyms(), *sense.entailments(),
            *sense.causes(),
        ]  # fmt: skip
        named = {name for item in candidates for name in item.lemma_names()}
        named |= {other.name() for own in sense.lemmas() for other in own.antonyms()}
        return frozenset((named | _spoken_of(sense.definition())) - {lemma})

    def _neighbours(self, lemma: str, pos: str) -> tuple[str, ...]:
        if pos == "v":
            return self._antonyms(lemma, pos)
        near, far = _kinds(lemma)
        close, distant = ([name for name in self._of(kinds) if not _alike(lemma, name)] for kinds in (near, far))
        return tuple(name for name in distant if name not in close)

    def _of(self, kinds: Sequence[Any]) -> list[str]:
        return list(dict.fromkeys(other for kind in kinds for other in self._by_kind.get(kind, [])))


class ConceptNetRelations:
    """Relatives: what a triple has at its other end. Neighbours: what it is distinct from, or else any of these that
    the stories have as the same part of speech.
    """

    def __init__(self, vocabulary: Vocabulary, triples: ConceptNet) -> None:
        self.name = triples.name
        self._triples = triples
        self._common = common_words(vocabulary)

    def relatives(self, lemma: str, pos: str) -> frozenset[str]:
        """The words at the other end of its triples."""
        return frozenset(self._triples.related(lemma))

    def neighbours(self, lemma: str, pos: str) -> tuple[str, ...]:
        """Those that the stories have."""
        common = self._common.get(pos, {})
        spoken: Mapping[str, str] = {
            tail: relation
            for tail, relation in self._triples.related(lemma).items()
            if tail != lemma and common.get(tail, 0) >= LEAST_COUNT
        }
        opposed = tuple(tail for tail, relation in spoken.items() if relation in OPPOSED)
        return opposed or tuple(tail for tail, relation in spoken.items() if relation not in ("IsA", "MannerOf"))


def relations_of(knowledge: Knowledge, vocabulary: Vocabulary) -> Relations:
    """Those of the lexicon in use."""
    if isinstance(knowledge, ConceptNet):
        return ConceptNetRelations(vocabulary, knowledge)
    return WordNetRelations(vocabulary, knowledge)


def _sense(lemma: str, pos: str) -> Any | None:
    """The commonest."""
    result: Sequence[Any] = wordnet().synsets(lemma, pos)
    return result[0] if result else None


def _in_use(lemma: str, count: int) -> bool:
    """Whether people would say it: the stories have it often, or WordNet's tagged texts in its commonest sense."""
    lemmas = wordnet().lemmas(lemma, "n")
    return count >= OFTEN or (count >= LEAST_COUNT and bool(lemmas) and lemmas[0].count() > 0)


@lru_cache(maxsize=50_000)
def _kinds(lemma: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What a noun is a kind of, where it can be seen or touched: its near kinds, and the wider ones above them."""
    sense = _sense(lemma, "n")
    if sense is None or sense.lexname() not in TANGIBLE:
        return (), ()
    if any(kind.name() in EQUAL for kind in sense.closure(_up)):
        return (), ()
    direct = sense.hypernyms()
    above = sorted(set(sense.closure(_up)), key=lambda kind: kind.name())  # WordNet's reader gives them in any order
    near = [kind for kind in above if kind.min_depth() > MOST_DEPTH or (kind in direct and _is_kind(kind))]
    far = [kind for kind in above if kind not in near and _is_kind(kind)]
    return tuple(near), tuple(far)


def _is_kind(kind: Any) -> bool:
    return bool(LEAST_DEPTH <= kind.min_depth() <= MOST_DEPTH)


def _alike(name: str, other: str) -> bool:
    """Whether nobody would notice: the same word, a kind of it, or a thing that the other's definition speaks of."""
    ours, theirs = (wordnet().synsets(lemma, "n")[0] for lemma in (name, other))
    if ours == theirs or ours in theirs.closure(_up) or theirs in ours.closure(_up):
        return True
    return name in _spoken_of(theirs.definition()) or other in _spoken_of(ours.definition())


def _up(sense: Any) -> Any:
    return sense.hypernyms()


def _spoken_of(definition: str) -> set[str]:
    """The nouns and verbs of a definition."""
    result = set()
    for word in words(definition):
        pos = pos_of(word.text, word.tag)
        if pos in _TAGS:
            result.add(lemma_of(word.text, pos))
    return result
