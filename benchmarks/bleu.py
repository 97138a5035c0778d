"""Sentence BLEU of 1,000 stories against NLTK's, the same tokens and smoothing, and the same numbers."""

import random

from nltk.tokenize import WordPunctTokenizer
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from benchmarks.timing import Row, compare
from core.metrics.bleu import Bleu
from core.stories import Story

WORDS = ("the", "a", "dog", "cat", "ran", "went", "home", "and", "then", "it", "rained", ".", "she", "said", ",", "he")


def run() -> list[Row]:
    """Ratio to NLTK."""
    rng = random.Random(0)

    def text() -> str:
        return " ".join(rng.choices(WORDS, k=45))

    stories = [Story(text(), references=(text(),)) for _ in range(1000)]
    tokenize, smooth = WordPunctTokenizer().tokenize, SmoothingFunction().method1

    def theirs() -> list[float]:
        return [
            float(sentence_bleu([tokenize(s.references[0])], tokenize(s.text), smoothing_function=smooth))
            for s in stories
        ]

    ours = Bleu().score(stories).values
    worst = max(abs(a - b) for a, b in zip(ours, theirs(), strict=True))
    work = "BLEU, 1,000 stories"
    return [
        compare(
            work,
            "NLTK",
            lambda: Bleu().score(stories),
            theirs,
            units=1000,
            unit="pairs",
            remark=f"differ by {worst:.1e}",
        )
    ]
