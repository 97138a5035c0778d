"""Knowledge about words: which are keywords, and what their opposites are.

WordNet by default; ConceptNet (its dump, or the smaller `conceptnet_antonym.txt` of UNION's authors) when the user has
it.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from core.english.wordnet import wordnet, wordnet_version
from core.errors import InputError
from core.files import path_of

WORDNET = "wordnet"
"""What WordNet is called where a lexicon is chosen."""
NEGATED = ("Antonym", "NotDesires", "NotCapableOf", "NotHasProperty")
"""ConceptNet's relations whose ends are opposites (UNION section 3.2)."""
GRAMMATICAL = {
    *("Synonym", "SimilarTo", "FormOf", "DerivedFrom", "EtymologicallyRelatedTo", "EtymologicallyDerivedFrom"),
    *("HasContext", "DefinedAs", "ExternalURL", "dbpedia"),
}
"""Its relations between words, not between things."""
OPPOSED = ("Antonym", "DistinctFrom")
"""Its relations between things of one kind that are not each other."""
OPPOSITES_FILE, ENTITIES_FILE = "conceptnet_antonym.txt", "conceptnet_entity.csv"
"""What UNION's authors made of ConceptNet: the words that have opposites, and all of its entities."""
POS = {"N": "n", "V": "v", "J": "a", "R": "r"}
"""WordNet's part of speech by the first letter of a Penn tag; words of other tags are no keywords."""
_UNIVERSAL = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}
# Words that carry grammar, not content, whatever a lexicon has for them ("be" as a noun is beryllium).
_GRAMMAR = {
    "be", "is", "are", "was", "were", "am", "been", "being", "have", "has", "had", "having", "do", "does", "did",
    "doing", "done", "not", "n't", "'s", "'re", "'ve", "'ll", "'d", "'m",
}  # fmt: skip
_DUMP = re.compile(r"\.csv(\.gz)?$")
_CONCEPT = re.compile(r"/c/en/([a-z']+)(?:/|$)")


class Knowledge(Protocol):
    """A lexicon. `name` goes into a set's recipe."""

    name: str

    def knows(self, lemma: str, pos: str) -> bool:
        """Return whether the index has this word; what it means is not read."""
        ...

    def antonyms(self, lemma: str, pos: str) -> tuple[str, ...]:
        """Its opposites, base forms, in a fixed order; often none."""
        ...


class WordNet:
    """Keywords are the words of WordNet; opposites are its antonyms, of the commonest sense that has any."""

    def __init__(self) -> None:
        """Raises ModelMissing where there is no WordNet."""
        self.name = f"wordnet-{wordnet_version()}"
        self._words = {pos: frozenset(wordnet().all_lemma_names(pos)) for pos in _UNIVERSAL}
        self.antonyms = lru_cache(maxsize=100_000)(self._antonyms)

    def knows(self, lemma: str, pos: str) -> bool:
        """By its index, without reading what the word means."""
        return lemma in self._words[pos]

    def _antonyms(self, lemma: str, pos: str) -> tuple[str, ...]:
        for sense in wordnet().lemmas(lemma, pos):
            opposites = [antonym.name() for antonym in sense.antonyms() if "_" not in antonym.name()]
            if opposites:
                return tuple(opposites)
        return ()


class ConceptNet:
    """Keywords are the words at either end of a triple; opposites are the ends of the negated relations."""

    def __init__(self, path: str | Path) -> None:
        """`path`: ConceptNet's assertions (.csv or .csv.gz; some minutes), lines `word|||/r/Relation|||words` or
        `word /r/Relation word`, or a folder with both files of UNION's authors, whose entities are then all keywords.

        Raises InputError where a file cannot be read, has another form or no relations.
        """
        place = path_of(str(path), "ConceptNet file")
        whole = place.is_dir()
        file = place / OPPOSITES_FILE if whole else place
        self._opposites: dict[str, dict[str, None]] = {}
        self._related: dict[str, dict[str, str]] = {}
        self._words: set[str] = set()
        triples = _dump(file) if _DUMP.search(file.name) else _lines(file)
        try:
            for head, relation, tail in triples:
                self._words |= {head, tail}
                if relation in NEGATED and tail:
                    self._opposites.setdefault(head, {})[tail] = None
                if tail and relation not in GRAMMATICAL:
                    tails = self._related.setdefault(head, {})
                    if relation in OPPOSED or tail not in tails:
                        tails[tail] = relation
            entities = set(_entities(place / ENTITIES_FILE)) if whole else set()
        except (OSError, UnicodeDecodeError, EOFError, zlib.error) as error:
            what = f"folder {path}" if whole else f"file {path}"
            raise InputError(f"The ConceptNet {what} cannot be read ({error}).") from error
        self._words |= entities
        self._words.discard("")
        if not self._related:
            raise InputError(f"The file {path} relates no words: give ConceptNet's assertions, or a part of them.")
        known = repr(sorted((word, *tails.items()) for word, tails in self._related.items()))
        known += repr(sorted(entities)) if whole else ""
        self.name = f"{place.name}@{hashlib.sha256(known.encode()).hexdigest()[:12]}"

    def knows(self, lemma: str, pos: str) -> bool:
        """ConceptNet's words have no part of speech."""
        return lemma in self._words

    def antonyms(self, lemma: str, pos: str) -> tuple[str, ...]:
        """In the file's order."""
        return tuple(self._opposites.get(lemma, ()))

    def related(self, lemma: str) -> Mapping[str, str]:
        """The words at the other end of its triples, and the relation of each; in the file's order."""
        return self._related.get(lemma, {})


def _lines(file: Path) -> Iterator[tuple[str, str, str]]:
    with file.open(encoding="utf-8-sig") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            parts = line.rstrip("\n").split("|||") if "|||" in line else line.split()
            if len(parts) != 3 or not parts[1].startswith("/r/"):
                raise InputError(
                    f"{file.name}, line {number}: `word|||/r/Relation|||words` or `word /r/Relation word` is wanted "
                    "here."
                )
            head, relation, tails = parts
            for tail in tails.split() or [""]:
                yield head, relation.removeprefix("/r/"), tail


def _entities(file: Path) -> Iterator[str]:
    """The entities of one word: a line is the words of one and a last field that is none of them."""
    with file.open(encoding="utf-8-sig") as stream:
        for number, line in enumerate(stream, start=1):
            *words, last = line.strip().split("|||")
            if last and not words:
                raise InputError(f"{file.name}, line {number}: `word|||…` is wanted here.")
            if len(words) == 1 and " " not in words[0]:
                yield words[0]


def _dump(file: Path) -> Iterator[tuple[str, str, str]]:
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as stream:
        for number, line in enumerate(stream, start=1):
            parts = line.split("\t")
            if len(parts) < 4 or not parts[1].startswith("/r/"):
                raise InputError(f"{file.name}, line {number}: this is no line of ConceptNet's assertions.")
            head, tail = _CONCEPT.match(parts[2]), _CONCEPT.match(parts[3])
            if head and tail:
                yield head[1], parts[1].removeprefix("/r/"), tail[1]


def pos_of(word: str, tag: str) -> str:
    """WordNet's part of speech of a word with this Penn tag, or "" where it can be no keyword (names, too)."""
    if tag.startswith("NNP") or word.lower() in _GRAMMAR or not any(c.isalpha() for c in word):
        return ""
    return POS.get(tag[:1], "") if not tag.startswith("RP") else ""


@lru_cache(maxsize=100_000)
def lemma_of(word: str, pos: str) -> str:
    """The base form of a word, `pos` one of n v a r."""
    import lemminflect

    result = lemminflect.getLemma(word.lower(), _UNIVERSAL[pos])
    return result[0] if result else word.lower()


@lru_cache(maxsize=100_000)
def inflected(lemma: str, tag: str) -> str:
    """A base form in the form of a Penn tag."""
    import lemminflect

    result = lemminflect.getInflection(lemma, tag)
    return result[0] if result else lemma


@lru_cache(maxsize=1)
def shared_wordnet() -> WordNet:
    """WordNet, its look-ups remembered for the whole process."""
    return WordNet()


def knowledge_named(name: str) -> Knowledge:
    """`wordnet`, or the path of a file or folder of ConceptNet's. Raises ModelMissing and InputError as these do."""
    return shared_wordnet() if name == WORDNET else ConceptNet(name)
