"""ROUGE (Lin 2004) by the two packages that papers quote, which disagree: PyPI's `rouge` and Google's `rouge-score`.

Both are computed here anew, to the same numbers, so that long stories take no minutes.
"""

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar

from core.metrics.base import Card, Option
from core.metrics.bleu import word_punct
from core.metrics.referenced import REFERENCE_OPTIONS, Pair, Referenced, compare_each

TINY = 1e-8
"""What `rouge` adds to the divisor of its F."""
SHORTEST_STEMMED = 4
"""Letters: `rouge-score` leaves shorter words as they are."""
ONLY_FULL_STOPS = "the {} has nothing but full stops"
NO_WORD = "the {} has no word of letters a-z or digits"
_ALPHANUMERIC = re.compile("[a-z0-9]+")


def _matches(words: Sequence[str]) -> dict[str, int]:
    """For each word the places where it stands, as the bits of an integer."""
    places: dict[str, int] = {}
    for i, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << i
    return places


def _rows(down: Sequence[str], places: dict[str, int], columns: int) -> Iterator[int]:
    """The table of longest common subsequences, a row at a time (Hyyrö 2004's bit-vector recurrence).

    Bit j of row i is set where the best of `down[:i+1]` and the first j + 1 columns is one longer than with j columns.
    """
    mask = (1 << columns) - 1
    flat = mask
    for word in down:
        matched = flat & places.get(word, 0)
        flat = (flat + matched | flat - matched) & mask
        yield flat ^ mask


def lcs_length(words: Sequence[str], other: Sequence[str]) -> int:
    """Words in the longest common subsequence."""
    steps = 0
    for row in _rows(words, _matches(other), len(other)):
        steps = row
    return steps.bit_count()


def lcs_words(reference: Sequence[str], story: Sequence[str]) -> set[str]:
    """The words of one longest common subsequence: the one that `rouge` finds, going back from the ends.

    `rouge` takes two words that match; else it leaves the reference's word where leaving the story's would lose by it,
    and otherwise the story's. Which words it takes thus depends on the reference's place and the length that is left
    alone, and it comes to this: the story is cut to the shortest beginning that still gives that length, and if its
    last word is the reference's, that is taken. Words that the other text lacks change nothing and are dropped first.
    """
    known = set(reference).intersection(story)
    reference = [word for word in reference if word in known]
    story = [word for word in story if word in known]
    places = _matches(story)
    rows = list(_rows(reference, places, len(story)))
    result: set[str] = set()
    left = len(story)
    for word, row in zip(reversed(reference), reversed(rows), strict=True):
        left = (row & ((1 << left) - 1)).bit_length()
        if left == 0:
            break
        if places[word] >> (left - 1) & 1:
            result.add(word)
            left -= 1
    return result


class _Rouge(Referenced):
    """What both packages share: texts become tokens once, then F1 of each pair."""

    part: ClassVar[str]
    """"1", "2" or "l"."""
    empty: ClassVar[str]

    @abstractmethod
    def _parts(self, text: str) -> Any:
        """A text as the definition takes it apart; nothing where it has nothing to compare."""

    @abstractmethod
    def _f1(self, story: Any, reference: Any) -> float:
        """0..1."""

    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """0..1, or which of the two texts has nothing to compare."""
        parts = lru_cache(maxsize=1024)(self._parts)  # prompts have many stories to one reference

        def f1(story: str, reference: str) -> float | str:
            counted, wanted = parts(story), parts(reference)
            if not counted or not wanted:
                return self.empty.format("reference" if counted else "story")
            return self._f1(counted, wanted)

        return compare_each(f1, pairs, done)


class _Plain(_Rouge):
    """The definition of the PyPI package `rouge` 1.0.1.

    Words are what stands between spaces, sentences end at full stops, a word counts once however often it stands, and
    nothing is lower-cased. Its F divides by a little too much, and a blank between two full stops, or after the last,
    is an empty word. Published numbers depend on these quirks.
    """

    empty = ONLY_FULL_STOPS
    options = {
        **REFERENCE_OPTIONS,
        "words": Option(
            ("spaces", "wordpunct"),
            "what a word is: what stands between spaces, as OpenMEVA had it, or with punctuation split off first",
            title="Words end at",
        ),
    }

    def _parts(self, text: str) -> list[list[str]]:
        """Sentences of words."""
        text = " ".join(word_punct(text)) if self.chosen["words"] == "wordpunct" else text
        return [piece.split() or [""] for piece in text.split(".") if piece]

    def _f1(self, story: list[list[str]], reference: list[list[str]]) -> float:
        counted, wanted = self._counted(story), self._counted(reference)
        if not counted or not wanted:
            return 0.0
        shared = self._shared(story, reference, counted & wanted)
        precision, recall = shared / len(counted), shared / len(wanted)
        return 2.0 * ((precision * recall) / (precision + recall + TINY))

    def _counted(self, sentences: list[list[str]]) -> set[str] | set[tuple[str, str]]:
        words = [word for sentence in sentences for word in sentence]
        return set(pairwise(words)) if self.part == "2" else set(words)

    def _shared(self, story: list[list[str]], reference: list[list[str]], both: set[Any]) -> int:
        return len(both)


class _Google(_Rouge):
    """The definition of Google's `rouge-score` 0.1.2: lower-cased words of a-z and digits, repeats counted."""

    empty = NO_WORD
    options = {
        **REFERENCE_OPTIONS,
        "stemmer": Option(("no", "yes"), "whether words are compared by their stems (Porter's, as NLTK has it)"),
    }

    def _parts(self, text: str) -> list[str]:
        words = _ALPHANUMERIC.findall(text.lower())
        if self.chosen["stemmer"] == "yes":
            words = [word if len(word) < SHORTEST_STEMMED else _stem(word) for word in words]
        return [word for word in words if word]

    def _f1(self, story: list[str], reference: list[str]) -> float:
        if self.part == "l":
            shared, count, wanted = lcs_length(reference, story), len(story), len(reference)
        else:
            stories, references = self._counted(story), self._counted(reference)
            shared, count, wanted = (stories & references).total(), stories.total(), references.total()
        precision, recall = shared / max(count, 1), shared / max(wanted, 1)
        return 2 * precision * recall / (precision + recall) if shared else 0.0

    def _counted(self, words: list[str]) -> Counter[Any]:
        return Counter(pairwise(words) if self.part == "2" else words)


@lru_cache(maxsize=1)
def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return _porter()(word)


_PLAIN = "as the PyPI package rouge 1.0.1 defines it"
_GOOGLE = "as Google's package rouge-score 0.1.2 defines it"
_BLIND = (
    "A good story need not share a word with the reference: on open-ended stories ROUGE hardly agrees with people "
    "(Pearson .0188 for ROUGE-L in OpenMEVA's Table 11). "
)


class Rouge1(_Plain):
    """Shared words."""

    name = "rouge-1"
    part = "1"
    card = Card(
        measures="How many of its different words a story shares with a human story of the same prompt (F1 of the two "
        "sets of words).",
        paper=f"Lin 2004, section 2, {_PLAIN}.",
        blind_spots=_BLIND + "It sees neither the order of words nor how often each stands.",
    )


class Rouge2(_Plain):
    """Shared pairs of neighbouring words."""

    name = "rouge-2"
    part = "2"
    card = Card(
        measures="How many of its different pairs of neighbouring words a story shares with a human story of the same "
        "prompt (F1 of the two sets of pairs).",
        paper=f"Lin 2004, section 2, {_PLAIN}.",
        blind_spots=_BLIND + "It sees no order beyond two words, and pairs reach over sentence ends.",
    )


class RougeL(_Plain):
    """Shared words that stand in the same order within sentences.

    The package's quirks stay, as OpenMEVA's .0188 depends on them: over all pairs of sentences the words of one
    longest common subsequence are united, each counted once; which one, where several are longest, is the package's.
    """

    name = "rouge-l"
    part = "l"
    card = Card(
        measures="How many of its different words a story shares, sentence by sentence in the same order, with a human "
        "story of the same prompt (F1 of the union of the longest common subsequences).",
        paper=f"Lin 2004, section 3.2, {_PLAIN}. Where words end at spaces, its Pearson's r with people on OpenMEVA's "
        "stories is the published .0188 (Guan et al. 2021, Table 11).",
        blind_spots=_BLIND + "It does not see the order of sentences nor how often a word stands, and of several "
        "longest subsequences it takes an arbitrary one.",
    )

    def _shared(self, story: list[list[str]], reference: list[list[str]], both: set[Any]) -> int:
        """Only pairs of sentences are compared that share a word which no pair has given yet: others add nothing."""
        sentences = list(dict.fromkeys(map(tuple, story)))
        having: dict[str, list[int]] = {}
        for i, sentence in enumerate(sentences):
            for word in both.intersection(sentence):
                having.setdefault(word, []).append(i)
        united: set[str] = set()
        for wanted in dict.fromkeys(map(tuple, reference)):
            compared: set[int] = set()
            for word in both.intersection(wanted):
                for i in having[word]:
                    if word in united:
                        break
                    if i not in compared:
                        compared.add(i)
                        united |= lcs_words(wanted, sentences[i])
        return len(united)


class Rouge1Google(_Google):
    """Shared words, repeats counted."""

    name = "rouge-1-google"
    part = "1"
    card = Card(
        measures="How many words, repeats counted, a story shares with a human story of the same prompt (F1).",
        paper=f"Lin 2004, section 2, {_GOOGLE}.",
        blind_spots=_BLIND + "It sees no order of words, no punctuation, and of words only the letters a-z and digits.",
    )


class Rouge2Google(_Google):
    """Shared pairs of neighbouring words, repeats counted."""

    name = "rouge-2-google"
    part = "2"
    card = Card(
        measures="How many pairs of neighbouring words, repeats counted, a story shares with a human story of the same "
        "prompt (F1).",
        paper=f"Lin 2004, section 2, {_GOOGLE}.",
        blind_spots=_BLIND + "It sees no order beyond two words, no punctuation, and only the letters a-z and digits.",
    )


class RougeLGoogle(_Google):
    """The longest common subsequence of the two whole texts."""

    name = "rouge-l-google"
    part = "l"
    card = Card(
        measures="How many words in a row, others between them allowed, a whole story shares with a human story of the "
        "same prompt (F1 of the longest common subsequence).",
        paper=f"Lin 2004, section 3.1, {_GOOGLE}; it does not give the .0188 of OpenMEVA's Table 11: that is rouge-l.",
        blind_spots=_BLIND + "It sees no sentence ends, no punctuation, and of words only the letters a-z and digits.",
    )
