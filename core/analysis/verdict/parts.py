"""What sentences on parts of the stories rest on: of each part every metric's r, its stories and its prompts."""

from collections.abc import Sequence

import numpy as np

from core.analysis.verdict.sentences import FEWEST_PROMPTS_CLAIMED
from core.analysis.verdict.subsets import SubsetResult
from core.arrays import Floats, Ints
from core.scores import ScoreTable
from core.statistics.correlation import MetricCorrelation
from core.statistics.intervals import Estimate


def prompts_behind(table: ScoreTable, values: Floats, rows: Ints | None = None) -> int:
    """How many prompts the stories have that are rated and have a value, of all or of these rows."""
    return len({table.prompts[row] for row in _counted(table, values, rows).tolist()})


def enough_prompts(table: ScoreTable, values: Floats, rows: Ints | None = None) -> int:
    """The same, but no further than to as many as a claim takes: of millions of stories, a few are looked at."""
    seen = set[str]()
    for row in _counted(table, values, rows):
        seen.add(table.prompts[row])
        if len(seen) == FEWEST_PROMPTS_CLAIMED:
            break
    return len(seen)


def _counted(table: ScoreTable, values: Floats, rows: Ints | None) -> Ints:
    both = np.isfinite(values) & np.isfinite(table.human)
    return np.flatnonzero(both) if rows is None else rows[both[rows]]


def subset_results(
    table: ScoreTable, correlations: Sequence[MetricCorrelation], rows: Sequence[Ints]
) -> tuple[tuple[SubsetResult, ...], ...]:
    """Of each part every metric. `correlations`: part by part, the table's metrics in each; `rows`: of each part."""
    metrics = len(table.columns)
    return tuple(
        tuple(
            _result(correlation, prompts_behind(table, column.values, mine))
            for correlation, column in zip(
                correlations[place * metrics : (place + 1) * metrics], table.columns, strict=True
            )
        )
        for place, mine in enumerate(rows)
    )


def _result(correlation: MetricCorrelation, prompts: int) -> SubsetResult:
    r = correlation.correlation.pearson
    return SubsetResult(
        (correlation.subset or "").partition(":")[2],
        correlation.correlation.n,
        prompts,
        Estimate(r.value, r.low, r.high, correlation.correlation.undefined),
    )
