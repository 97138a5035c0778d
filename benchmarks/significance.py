"""The 20 x 20 matrix of tests between metrics on 1,000 stories of 200 prompts, against SciPy in a loop.

The loop swaps and correlates `PEER` permutations of a few pairs, and its time is multiplied up to all of them; it has
no intervals and no Williams' test to make. Of ours every number is made, and early stopping saves what it saves.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.timing import Row, compare
from core.analysis.resamples import LARGEST_EXACT
from core.analysis.significance import Settings, compare_metrics, usual

STORIES, PROMPTS, METRICS, PERMUTATIONS = 1000, 200, 20, 1000
PEER, PEER_PAIRS = 20, 5
MANY = {"pearson": 100_000, "spearman": 100_000, "kendall": LARGEST_EXACT}
"""The largest sizes that the page offers."""
CALLS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
Floats = NDArray[np.float64]


def made(stories: int) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Scores, human judgments, prompts; five stories a prompt."""
    rng = np.random.default_rng(0)
    human = rng.integers(1, 6, (stories, 5)).mean(1)
    scores = human[:, None] * np.linspace(0, 1, METRICS) + rng.normal(size=(stories, METRICS))
    return scores, human, np.arange(stories) // 5


def run() -> list[Row]:
    """Ratio to SciPy, by coefficient; then the largest sizes."""
    names = [f"metric {number}" for number in range(METRICS)]
    scores, human, prompts = made(STORIES)
    standardised = stats.zscore(scores)
    share = METRICS * (METRICS - 1) / 2 / PEER_PAIRS * PERMUTATIONS / PEER
    rows = []
    for name, call in CALLS.items():

        def ours(name: str = name) -> None:
            compare_metrics(scores, human, prompts, names, Settings(name, PERMUTATIONS))

        def theirs(call: object = call) -> None:
            rng = np.random.default_rng(0)
            for pair in range(PEER_PAIRS):
                a, b = standardised[:, pair], standardised[:, pair + 1]
                for _ in range(PEER):
                    swap = rng.integers(0, 2, PROMPTS)[prompts] == 1
                    call(np.where(swap, b, a), human)  # type: ignore[operator]
                    call(np.where(swap, a, b), human)  # type: ignore[operator]

        work = f"significance, {METRICS} x {METRICS}, {PERMUTATIONS:,} permutations, {name}"
        row = compare(work, "SciPy in a loop", ours, theirs, rounds=3, remark=f"peer's: {share:,.0f} times a part")
        rows.append(replace(row, theirs=row.theirs * share))
    return [*rows, *(many(name, names) for name in CALLS)]


def many(coefficient: str, names: list[str]) -> Row:
    """As many stories as are offered, at the usual permutations; the peer is one correlation of each hybrid."""
    stories, permutations = MANY[coefficient], usual(coefficient, METRICS)
    scores, human, prompts = made(stories)

    def ours() -> None:
        compare_metrics(scores, human, prompts, names, Settings(coefficient, permutations))

    def theirs() -> None:
        for _ in range(PEER):
            CALLS[coefficient](scores[:, 0], human)

    work = f"significance, {stories:,} stories, {permutations:,} permutations, {coefficient}"
    row = compare(work, "SciPy in a loop", ours, theirs, rounds=3)
    share = METRICS * (METRICS - 1) / 2 * permutations * 2 / PEER
    return replace(row, theirs=row.theirs * share, remark=f"peer's: {share:,.0f} times a part")
