"""METEOR (Lavie and Agarwal 2007) as NLTK defines it, with repeated look-ups cached.

NLTK looks synonyms up by stem, so that "automobile" (stem "automobil") has none; the numbers that people publish
with NLTK have this, so it stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from core.english.wordnet import wordnet, wordnet_version
from core.metrics.base import Card
from core.metrics.bleu import word_punct
from core.metrics.referenced import EMPTY_REFERENCE, EMPTY_STORY, Pair, Referenced, compare_each

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""Weight of recall, steepness and greatest share of the penalty for words in another order."""
REMEMBERED = 1 << 16
"""Words whose stems and synonyms are kept."""


@dataclass(frozen=True, slots=True)
class _Lemma:
    """One synonym, as NLTK asks for it."""

    word: str

    def name(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class _Synset:
    """All synonyms of a word, of whatever sense: METEOR does not tell senses apart."""

    synonyms: tuple[_Lemma, ...]

    def lemmas(self) -> tuple[_Lemma, ...]:
        return self.synonyms


class _Stems:
    """NLTK's Porter stemmer with a memory."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer

        self.stem: Callable[[str], str] = lru_cache(maxsize=REMEMBERED)(PorterStemmer().stem)


class _Synonyms:
    """WordNet with a memory, and with one set of synonyms a word instead of one a sense."""

    def __init__(self) -> None:
        self.synsets: Callable[[str], tuple[_Synset, ...]] = lru_cache(maxsize=REMEMBERED)(self._synsets)

    def _synsets(self, word: str) -> tuple[_Synset, ...]:
        names = {lemma.name() for synset in wordnet().synsets(word) for lemma in synset.lemmas()}
        return (_Synset(tuple(_Lemma(name) for name in sorted(names) if "_" not in name)),)


@lru_cache(maxsize=1)
def _scorer() -> Callable[[Sequence[str], Sequence[str]], float]:
    """METEOR of a tokenised reference and a tokenised story."""
    from nltk.translate.meteor_score import single_meteor_score

    wordnet()  # if it is missing, that is said before the first story
    return partial(single_meteor_score, stemmer=_Stems(), wordnet=_Synonyms(), alpha=ALPHA, beta=BETA, gamma=GAMMA)


class Meteor(Referenced):
    """Words shared with the reference as they stand, by their stem, or as synonyms."""

    name = "meteor"
    card = Card(
        measures="How many words a story shares with a human story of the same prompt, counting words of the same stem "
        "and synonyms, less a penalty where they stand in another order.",
        paper="Lavie and Agarwal 2007, as NLTK defines it (alpha .9, beta 3, gamma .5) with WordNet's synonyms, on "
        "WordPunct tokens in small letters. The METEOR scores that OpenMEVA released are of another version.",
        blind_spots="A good story need not share words with the reference. Stems and synonyms are English only, a word "
        "counts as a synonym in any of its senses, and recall weighs nine times as much as precision: a longer story "
        "has it easier. As NLTK looks synonyms up by stem, words that stemming cuts (automobile, large) have none.",
    )

    def option_parts(self) -> dict[str, str]:
        """Return the options with the version of WordNet, on whose synonyms the numbers depend."""
        return {**super().option_parts(), "wordnet": wordnet_version()}

    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """0..1."""
        meteor = _scorer()

        def compared(story: str, reference: str) -> float | str:
            words, wanted = word_punct(story), word_punct(reference)
            if not words or not wanted:
                return EMPTY_REFERENCE if words else EMPTY_STORY
            return float(meteor(wanted, words))

        return compare_each(compared, pairs, done)
