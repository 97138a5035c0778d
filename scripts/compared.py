"""Fabula's way beside the paper's over several seeds, as the scripts `compare.py` print it: both means, and their
difference with its 95 % interval by the bootstrap.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr

from core.arrays import Floats
from core.statistics.roc import area
from core.stories import Corpus, Source, StoryRecord
from core.training.engine.recipe import Way

Value = Callable[[Floats, NDArray[np.int64]], float]
"""What scores are worth over the rows that are drawn; a row is one text, or several that stay together."""
DRAWS = 2_000


def rated(corpus: Corpus) -> tuple[list[StoryRecord], Floats]:
    """The systems' stories, and the mean of each one's ratings."""
    given: dict[str, list[float]] = {}
    for rating in corpus.ratings:
        given.setdefault(rating.story_key, []).append(rating.overall)
    asked = [story for story in corpus.stories if story.source is not Source.HUMAN]
    return asked, np.array([np.mean(given[record.key]) for record in asked])


def first_against_rest(scores: Floats, rows: NDArray[np.int64], texts: int = 2) -> float:
    """AUC of the first text of each of these rows against all others, so many in each."""
    drawn = scores.reshape(-1, texts)[rows]
    return area(drawn[:, 0], drawn[:, 1:].ravel())


def on_top(scores: Floats, rows: NDArray[np.int64]) -> float:
    """Share of the pairs in these rows with the first text on top."""
    pairs = scores.reshape(-1, 2)[rows]
    return float((pairs[:, 0] > pairs[:, 1]).mean())


def with_people(people: Floats, texts: int = 1) -> Value:
    """Pearson's r over the stories in these rows, so many in each."""

    def value(scores: Floats, rows: NDArray[np.int64]) -> float:
        drawn = [values.reshape(-1, texts)[rows].ravel() for values in (scores, people)]
        return float(pearsonr(*drawn)[0])

    return value


def line(
    what: str,
    value: Value,
    found: Mapping[tuple[Way, int], Mapping[str, Floats]],
    seeds: Sequence[int],
    *,
    texts: int = 1,
) -> None:
    """Print both ways' mean over the seeds and their difference (paper less fabula) with its interval. `found`: of each
    way and seed the scores by what they are of; `texts` of them make a row, and rows are drawn.
    """
    n = [len(found[Way.FABULA, number][what]) // texts for number in seeds]
    each = {
        way: [value(found[way, number][what], np.arange(k)) for number, k in zip(seeds, n, strict=True)] for way in Way
    }
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS):
        rows = rng.integers(n[0], size=n[0])
        per = []
        for seed, k in zip(seeds, n, strict=True):
            drawn = rows if k == n[0] else rng.integers(k, size=k)
            of = {way: value(found[way, seed][what], drawn) for way in Way}
            per.append(of[Way.PAPER] - of[Way.FABULA])
        draws.append(np.mean(per))
    low, high = np.quantile(draws, [0.025, 0.975])
    difference = np.mean(each[Way.PAPER]) - np.mean(each[Way.FABULA])
    sentence = "; ".join(
        f"{way} {np.mean(values):.4f} ({', '.join(f'{v:.4f}' for v in values)})" for way, values in each.items()
    )
    print(f"{what} (n = {n[0]:,}): {sentence}; difference {difference:+.4f} ({low:+.4f} to {high:+.4f})", flush=True)
