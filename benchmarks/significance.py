"""The 20 x 20 matrix of tests between metrics on 1,000 stories of 200 prompts, against SciPy in a loop.

The loop swaps and correlates `PEER` permutations of a few pairs, and its time is multiplied up to all of them; it has
no intervals and no Williams' test to make. Of ours every number is made, and early stopping saves what it saves.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.timing import Row, compare
from core.analysis.significance import Settings, compare_metrics

STORIES, PROMPTS, METRICS, PERMUTATIONS = 1000, 200, 20, 1000
PEER, PEER_PAIRS = 20, 5
MANY = 100_000
CALLS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
Floats = NDArray[np.float64]


def made(stories: int) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Scores, human judgments, prompts; five stories a prompt."""
    rng = np.random.default_rng(0)
    human = rng.integers(1, 6, (stories, 5)).mean(1)
    scores = human[:, None] * np.linspace(0, 1, METRICS) + rng.normal(size=(stories, METRICS))
    return scores, human, np.arange(stories) // 5


def run() -> list[Row]:
    """Ratio to SciPy, by coefficient; then 100,000 stories."""
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
    return [*rows, many(names)]


def many(names: list[str]) -> Row:
    """100,000 stories, Pearson; the peer is one correlation of each hybrid, so many times."""
    scores, human, prompts = made(MANY)

    def ours() -> None:
        compare_metrics(scores, human, prompts, names, Settings("pearson", PERMUTATIONS))

    def theirs() -> None:
        for _ in range(20):
            stats.pearsonr(scores[:, 0], human)

    pairs = METRICS * (METRICS - 1) // 2
    row = compare(f"significance, {MANY:,} stories, pearson", "SciPy in a loop", ours, theirs, rounds=3)
    share = pairs * PERMUTATIONS * 2 / 20
    return replace(row, theirs=row.theirs * share, remark=f"peer's: {share:,.0f} times a part")
