"""Sentence BLEU (Papineni et al. 2002): with the options that reproduce OpenMEVA's Table 11, and as the package
sacrebleu computes it (Post 2018), a score that others can compare with theirs.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

import regex

from core.metrics.base import Card, Option
from core.metrics.referenced import REFERENCE_OPTIONS, Pair, Referenced, compare_each

_WORDPUNCT = regex.compile(r"\w+|[^\w\s]+")
HIGHEST_ORDER = 4
ORDER = Option(("4", "3", "2", "1"), "the longest phrases that count, in words: BLEU-4 to BLEU-1")
EPSILON = 0.1
"""Chen and Cherry's smoothing method 1: what an order without any match counts instead of nothing."""


def word_punct(text: str) -> list[str]:
    """Words and runs of punctuation, as NLTK's WordPunct tokenizer splits them, combining marks and all."""
    return [str(token) for token in _WORDPUNCT.findall(text)]


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[i:] for i in range(order)), strict=False))


def sentence_bleu(story: Sequence[str], reference: Sequence[str], highest: int = HIGHEST_ORDER) -> float:
    """BLEU of one tokenised story against one tokenised reference, in 0..1.

    Geometric mean of the clipped precisions of 1-grams to those of the highest order times the brevity penalty,
    smoothing method 1; 0 when not even a word is shared.
    """
    log_precision = 0.0
    for order in range(1, highest + 1):
        wanted, grams = _ngrams(reference, order), _ngrams(story, order)
        matched = sum(min(count, wanted[ngram]) for ngram, count in grams.items() if ngram in wanted)
        if matched == 0 and order == 1:
            return 0.0
        log_precision += math.log((matched or EPSILON) / max(1, grams.total())) / highest
    penalty = 1.0 if len(story) > len(reference) else math.exp(1 - len(reference) / len(story))
    return penalty * math.exp(log_precision)


class Bleu(Referenced):
    """Word overlap with the human story of the same prompt."""

    name = "bleu"
    options = {**REFERENCE_OPTIONS, "order": ORDER}
    card = Card(
        measures="How many words and phrases of up to four words a story shares with a human story of the same prompt.",
        paper="Papineni et al. 2002; as used by OpenMEVA (2021), section 4.1 and Table 11.",
        blind_spots="A good story need not share a word with the reference: on open-ended stories BLEU hardly agrees "
        "with people. It does not see order beyond four words, nor meaning, nor logic.",
    )

    def option_parts(self) -> dict[str, str]:
        """Return the options with the package's version, on which the numbers depend."""
        parts = super().option_parts()
        return {key: value for key, value in parts.items() if (key, value) != ("order", ORDER.values[0])}

    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """0..1."""
        highest = int(self.chosen["order"])
        return compare_each(
            lambda story, reference: sentence_bleu(word_punct(story), word_punct(reference), highest), pairs, done
        )


if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


class SacreBleu(Referenced):
    """sacrebleu's sentence BLEU: its tokenizers, effective order, exponential smoothing; one reference at a time."""

    name = "sacrebleu"
    options = {
        **REFERENCE_OPTIONS,
        "tokenize": Option(
            ("13a", "intl", "char", "none"),
            "sacrebleu's way to part words: that of WMT, of all scripts' punctuation, characters, or spaces only",
        ),
        "lowercase": Option(("no", "yes"), "whether capitals count as small letters"),
    }
    card = Card(
        measures="BLEU of a story against a human story of the same prompt, as the package sacrebleu defines it.",
        paper="Papineni et al. 2002; Post 2018, by the package sacrebleu (sentence BLEU, effective order, smoothing "
        "exp), divided by 100. OpenMEVA's Table 11 has another BLEU: that is bleu.",
        blind_spots="A good story need not share a word with the reference. It does not see order beyond four words, "
        "nor meaning, nor logic; a story that shares only a word or two still gets more than nothing by its smoothing.",
    )

    @cached_property
    def _bleu(self) -> "BLEU":
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(tokenize=self.chosen["tokenize"], lowercase=self.chosen["lowercase"] == "yes", effective_order=True)

    def option_parts(self) -> dict[str, str]:
        """With the package's version, which its numbers depend on."""
        return {**super().option_parts(), "sacrebleu": version("sacrebleu")}

    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """0..1."""
        bleu = self._bleu
        scores = compare_each(lambda story, reference: bleu.sentence_score(story, [reference]).score / 100, pairs, done)
        _forget(bleu.tokenizer)
        return scores


def _forget(tokenizer: object) -> None:
    """Let go of the texts: sacrebleu's tokenizers keep 65,536 of them, of whatever length."""
    for item in (tokenizer, getattr(tokenizer, "_post_tokenizer", None)):
        clear = getattr(type(item).__call__, "cache_clear", None)
        if clear:
            clear()
