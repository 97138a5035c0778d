"""20 metrics on 1,000 stories: differences, t-tests, 300 orders of ties; against SciPy pair by pair."""

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.timing import Row, compare
from core.analysis.difference.differences import ORDERS, differences
from core.analysis.difference.windows import plan
from core.arrays import Floats

STORIES, METRICS, SHARE, DRAWN = 1000, 20, 40, 6
"""The peer does one in SHARE of the pairs' t-tests and DRAWN of the orders; its time is scaled up to all of them."""


def run() -> list[Row]:
    """Ratio to SciPy."""
    rng = np.random.default_rng(0)
    human = rng.integers(1, 6, (STORIES, 5)).mean(1)
    metrics = [human + rng.normal(size=STORIES) for _ in range(METRICS)]
    sets = plan(STORIES)
    pairs = [(i, j) for i in range(sets.number) for j in range(sets.number)][::SHARE]

    def windows(values: Floats, order: NDArray[np.intp]) -> list[Floats]:
        return [values[order][start : start + sets.size] for start in sets.starts.tolist()]

    def ours() -> None:
        differences(metrics, human)

    def tests() -> None:
        order = np.lexsort((rng.random(STORIES), human))
        for values in (human, *metrics):
            cut = windows(values, order)
            for i, j in pairs:
                stats.ttest_ind(cut[i], cut[j])

    def orders() -> None:
        for _ in range(DRAWN):
            order = np.lexsort((rng.random(STORIES), human))
            people = [float(np.mean(cut)) for cut in windows(human, order)]
            for values in metrics:
                means = [float(np.mean(cut)) for cut in windows(values, order)]
                x = np.subtract.outer(people, people).ravel()
                stats.linregress(x, np.subtract.outer(means, means).ravel())

    rows = []
    work = f"differences, {METRICS} metrics x {sets.pairs:,} pairs, {ORDERS} orders of ties"
    rows.append(_scaled(compare(f"{work}: t-tests", "SciPy ttest_ind in a loop", ours, tests, rounds=3), SHARE))
    rows.append(_scaled(compare(f"{work}: range", "NumPy, SciPy linregress", ours, orders, rounds=3), ORDERS // DRAWN))
    return rows


def _scaled(row: Row, times: int) -> Row:
    """The peer did one part in `times` of the work."""
    return Row(
        row.work,
        row.peer,
        row.ours,
        row.theirs * times,
        row.memory,
        remark=f"ours does both; the peer 1/{times} of this part, scaled up",
    )
