"""1,000 draws of the eight biased sets of quality drift for 20 metrics on 1,000 stories, against SciPy in a loop.

The loop makes few draws and its time is scaled: each of its draws is the same work.
"""

from dataclasses import replace

import numpy as np
from scipy import stats

from benchmarks.timing import Row, compare
from core.analysis.drift.quality import SETS, keep_chances, quality_drift
from core.scores import ScoreColumn, ScoreTable

STORIES, METRICS, DRAWS, LOOPED = 1000, 20, 1000, 5


def run() -> list[Row]:
    """Ratio to SciPy."""
    rng = np.random.default_rng(0)
    human = rng.integers(1, 6, (STORIES, 5)).mean(1)
    scores = human + rng.normal(size=(METRICS, STORIES))
    names = tuple(str(number) for number in range(STORIES))
    columns = tuple(ScoreColumn(f"m{number}", "", values, {}) for number, values in enumerate(scores))
    table = ScoreTable(names, names, names, names, human, columns)
    chances = keep_chances(7 * (human - 1) / 4)

    def ours() -> None:
        quality_drift(table, (1, 5), draws=DRAWS)

    def theirs() -> None:
        for _ in range(LOOPED):
            for place in range(len(SETS)):
                kept = rng.random(STORIES) < chances[:, place]
                for values in scores:
                    stats.pearsonr(values[kept], human[kept])

    result = compare(
        f"quality drift, {DRAWS:,} x 8 sets x {METRICS} metrics", "SciPy in a loop", ours, theirs, rounds=3
    )
    whole = result.theirs * DRAWS / LOOPED
    return [replace(result, theirs=whole, remark=f"the loop made {LOOPED} draws, its time is scaled")]
