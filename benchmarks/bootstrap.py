"""1,000 bootstrap resamples by prompt of all three coefficients for 1,000 stories, against SciPy in a loop."""

import numpy as np
from scipy import stats

from benchmarks.timing import Row, compare
from core.statistics.pairwise import concordance
from core.statistics.resamples import bootstrap_parts, complete_cases

STORIES, RESAMPLES = 1000, 1000


def run() -> list[Row]:
    """Ratio to SciPy."""
    rng = np.random.default_rng(0)
    y = rng.integers(1, 6, (STORIES, 5)).mean(1)
    x = y + rng.normal(size=STORIES)
    clusters = np.repeat(np.arange(STORIES // 5), 5)
    members = [np.flatnonzero(clusters == c) for c in range(STORIES // 5)]

    def ours() -> None:
        part = complete_cases([x], y, clusters, [concordance(x, y)])
        bootstrap_parts([part], len(members), resamples=RESAMPLES)

    def theirs() -> None:
        for _ in range(RESAMPLES):
            chosen = np.concatenate([members[c] for c in rng.integers(0, len(members), len(members))])
            stats.pearsonr(x[chosen], y[chosen])
            stats.spearmanr(x[chosen], y[chosen])
            stats.kendalltau(x[chosen], y[chosen])

    return [compare(f"bootstrap, {RESAMPLES:,} x 3 coefficients", "SciPy in a loop", ours, theirs, rounds=3)]
