"""Sentence BLEU (Papineni et al. 2002), with the options that reproduce OpenMEVA's Table 11."""

import math
from collections import Counter
from collections.abc import Sequence

import regex

from core.metrics.base import NORMALISATION, Card, Kind, Metric, Need, Option, Progress, Scores
from core.stories import Story, normalise

_WORDPUNCT = regex.compile(r"\w+|[^\w\s]+")
HIGHEST_ORDER = 4
EPSILON = 0.1
"""Chen and Cherry's smoothing method 1: what an order without any match counts instead of nothing."""


def word_punct(text: str) -> list[str]:
    """Words and runs of punctuation, as NLTK's WordPunct tokenizer splits them, combining marks and all."""
    return [str(token) for token in _WORDPUNCT.findall(text)]


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[i:] for i in range(order)), strict=False))


def sentence_bleu(story: Sequence[str], reference: Sequence[str]) -> float:
    """BLEU of one tokenised story against one tokenised reference, in 0..1.

    Geometric mean of the clipped 1- to 4-gram precisions times the brevity penalty, smoothing method 1; 0 when not
    even a word is shared.
    """
    log_precision = 0.0
    for order in range(1, HIGHEST_ORDER + 1):
        wanted, made = _ngrams(reference, order), _ngrams(story, order)
        matched = sum(min(count, wanted[ngram]) for ngram, count in made.items() if ngram in wanted)
        if matched == 0 and order == 1:
            return 0.0
        log_precision += math.log((matched or EPSILON) / max(1, made.total())) / HIGHEST_ORDER
    penalty = 1.0 if len(story) > len(reference) else math.exp(1 - len(reference) / len(story))
    return penalty * math.exp(log_precision)


class Bleu(Metric):
    """Word overlap with the human story of the same prompt."""

    name = "bleu"
    kind = Kind.REFERENCED
    needs = frozenset({Need.REFERENCE})
    card = Card(
        measures="How many words and phrases of up to four words a story shares with a human story of the same prompt.",
        paper="Papineni et al. 2002; as used by OpenMEVA (2021), section 4.1 and Table 11.",
        blind_spots="A good story need not share a word with the reference: on open-ended stories BLEU hardly agrees "
        "with people. It does not see order beyond four words, nor meaning, nor logic.",
    )
    options = {
        "normalisation": NORMALISATION,
        "references": Option(("max", "mean"), "with several references: the best of them, or their mean"),
    }

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """0..1; undefined for an empty story or without a reference."""
        results: list[float | str] = []
        for story in stories:
            results.append(self._one(story))
            if on_progress:
                on_progress(1)
        return Scores.collect(results)

    def _one(self, story: Story) -> float | str:
        tokens = self._tokens(story.text)
        references = [r for r in map(self._tokens, dict.fromkeys(story.references)) if r]
        if not tokens:
            return "the story is empty"
        if not references:
            return "the prompt has no human story to compare with"
        values = [sentence_bleu(tokens, reference) for reference in references]
        return max(values) if self.chosen["references"] == "max" else math.fsum(values) / len(values)

    def _tokens(self, text: str) -> list[str]:
        return word_punct(normalise(text, self.chosen["normalisation"]))
