"""The 20 x 20 matrix of tests between metrics on 1,000 stories of 200 prompts, against SciPy in a loop.

The loop swaps and correlates `PEER` permutations of a few pairs, and its time is multiplied up to all of them; it has
no intervals and no Williams' test to make. Of ours every number is made, and early stopping saves what it saves.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.timing import Row, compare
from core.analysis.significance.tests import SignificanceSettings, compare_metrics, default_permutations
from core.arrays import Floats
from core.statistics.resamples import LARGEST_EXACT

STORIES, PROMPTS, METRICS, PERMUTATIONS = 1000, 200, 20, 1000
PEER, PEER_PAIRS = 20, 5
MANY = {"pearson": 100_000, "spearman": 100_000, "kendall": LARGEST_EXACT}
"""The largest sizes that the page offers."""
CALLS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
TIED = (("spearman", PERMUTATIONS), ("kendall", PERMUTATIONS), ("kendall", default_permutations("kendall", METRICS)))


def made(stories: int, tied: bool = False) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Scores, human judgments, prompts; five stories a prompt. `tied`: scores are whole numbers, about ten of them."""
    rng = np.random.default_rng(0)
    human = rng.integers(1, 6, (stories, 5)).mean(1)
    scores = human[:, None] * np.linspace(0, 1, METRICS) + rng.normal(size=(stories, METRICS))
    return np.round(scores) if tied else scores, human, np.arange(stories) // 5


def run() -> list[Row]:
    """Ratio to SciPy, by coefficient; of ranks with ties too; then the largest sizes."""
    names = [f"metric {number}" for number in range(METRICS)]
    rows = [beside(name, names) for name in CALLS]
    rows += [beside(name, names, permutations, tied=True) for name, permutations in TIED]
    return [*rows, *(many(name, names) for name in CALLS)]


def beside(coefficient: str, names: list[str], permutations: int = PERMUTATIONS, *, tied: bool = False) -> Row:
    """The matrix of 1,000 stories; the peer does a part."""
    scores, human, prompts = made(STORIES, tied)
    standardised, call = stats.zscore(scores), CALLS[coefficient]
    share = METRICS * (METRICS - 1) / 2 / PEER_PAIRS * permutations / PEER

    def ours() -> None:
        compare_metrics(scores, human, prompts, names, SignificanceSettings(coefficient, permutations))

    def theirs() -> None:
        rng = np.random.default_rng(0)
        for pair in range(PEER_PAIRS):
            a, b = standardised[:, pair], standardised[:, pair + 1]
            for _ in range(PEER):
                swap = rng.integers(0, 2, PROMPTS)[prompts] == 1
                call(np.where(swap, b, a), human)
                call(np.where(swap, a, b), human)

    work = (
        f"significance, {METRICS} x {METRICS}, {permutations:,} permutations, {coefficient}{', ties' if tied else ''}"
    )
    row = compare(work, "SciPy in a loop", ours, theirs, rounds=3, remark=f"peer's: {share:,.0f} times a part")
    return replace(row, theirs=row.theirs * share)


def many(coefficient: str, names: list[str]) -> Row:
    """As many stories as are offered, at the usual permutations; the peer is one correlation of each hybrid."""
    stories, permutations = MANY[coefficient], default_permutations(coefficient, METRICS)
    scores, human, prompts = made(stories)

    def ours() -> None:
        compare_metrics(scores, human, prompts, names, SignificanceSettings(coefficient, permutations))

    def theirs() -> None:
        for _ in range(PEER):
            CALLS[coefficient](scores[:, 0], human)

    work = f"significance, {stories:,} stories, {permutations:,} permutations, {coefficient}"
    row = compare(work, "SciPy in a loop", ours, theirs, rounds=3)
    share = METRICS * (METRICS - 1) / 2 * permutations * 2 / PEER
    return replace(row, theirs=row.theirs * share, remark=f"peer's: {share:,.0f} times a part")
