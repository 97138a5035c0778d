"""ROUGE of 200 stories against the two packages whose definitions it keeps, and the same numbers."""

import random

from rouge import Rouge
from rouge_score.rouge_scorer import RougeScorer

from benchmarks.timing import Row, compare
from core.metrics.base import Settings
from core.metrics.rouge import Rouge1, Rouge1Google, Rouge2, Rouge2Google, RougeL, RougeLGoogle
from core.stories import Story

WORDS = ("the", "a", "dog", "cat", "ran", "went", "home", "and", "then", "it", "rained", ".", "she", "said", ",", "he")
STORIES = 200
WORDS_A_STORY = 200


def run() -> list[Row]:
    """Ratios to `rouge` and to `rouge-score`, each for its three numbers together."""
    rng = random.Random(0)

    def text() -> str:
        return " ".join(rng.choices(WORDS, k=WORDS_A_STORY))

    stories = [Story(text(), references=(text(),)) for _ in range(STORIES)]
    plain = [metric() for metric in (Rouge1, Rouge2, RougeL)]
    google = [metric(Settings(options={"stemmer": "yes"})) for metric in (Rouge1Google, Rouge2Google, RougeLGoogle)]
    package, scorer = Rouge(), RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)

    def rouge() -> list[list[float]]:
        result = package.get_scores([s.text for s in stories], [s.references[0] for s in stories])
        return [[item[metric.name]["f"] for item in result] for metric in plain]

    def rouge_score() -> list[list[float]]:
        result = [scorer.score(s.references[0], s.text) for s in stories]
        return [[item[name].fmeasure for item in result] for name in ("rouge1", "rouge2", "rougeL")]

    lines = []
    for metrics, theirs, peer in ((plain, rouge, "rouge"), (google, rouge_score, "rouge-score")):

        def ours(metrics: list[Rouge1] | list[Rouge1Google] = metrics) -> list[list[float]]:
            return [list(metric.score(stories).values) for metric in metrics]

        worst = max(abs(a - b) for x, y in zip(ours(), theirs(), strict=True) for a, b in zip(x, y, strict=True))
        what = f"ROUGE-1, -2 and -L, {STORIES} stories of {WORDS_A_STORY} words"
        lines.append(
            compare(what, peer, ours, theirs, rounds=3, units=STORIES, unit="pairs", remark=f"differ by {worst:.1e}")
        )
    return lines
