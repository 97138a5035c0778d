"""How many more? All thinned samples of 1,000 stories with five ratings, against a plain loop with SciPy."""

import numpy as np
from scipy import stats

from benchmarks.timing import Row, compare
from core.analysis.correlation.sample_size import MOST_THINNED, SHARES, extrapolation

STORIES, RATINGS, PER_PROMPT, RESAMPLES = 1000, 5, 5, 20
"""The loop gets twenty bootstrap draws a sample, of the thousand that an interval takes."""


def run() -> list[Row]:
    """Ratio to SciPy."""
    rng = np.random.default_rng(0)
    table = rng.integers(1, 6, (STORIES, RATINGS)).astype(float) + rng.normal(size=(STORIES, 1))
    x = table.mean(1) + rng.normal(size=STORIES)
    clusters = np.arange(STORIES) // PER_PROMPT
    prompts = STORIES // PER_PROMPT
    members = [np.flatnonzero(clusters == c) for c in range(prompts)]

    def ours() -> None:
        extrapolation(x, table, clusters)

    def interval(chosen: np.ndarray, y: np.ndarray) -> None:
        drawn = []
        for _ in range(RESAMPLES):
            rows = np.concatenate([members[c] for c in rng.choice(chosen, len(chosen))])
            drawn.append(stats.pearsonr(x[rows], y[rows]).statistic)
        np.percentile(drawn, [2.5, 97.5])

    def theirs() -> None:
        for _ in range(MOST_THINNED):
            for share in SHARES:
                interval(rng.choice(prompts, round(share * prompts), replace=False), table.mean(1))
            for size in range(1, RATINGS + 1):
                interval(np.arange(prompts), rng.permuted(table, axis=1)[:, :size].mean(1))

    return [compare("how many more, 1,200 thinned samples", "SciPy in a loop", ours, theirs, rounds=1)]
