"""Metrics compared with one another: how far they agree, and two signatures of one metric."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.arrays import Floats
from core.errors import InputError
from core.scores import ScoreColumn, ScoreTable

COEFFICIENTS = ("pearson", "spearman", "kendall")
FEWEST = 3


@dataclass(frozen=True)
class MetricMatrix:
    """Correlations between all columns, in the table's order.

    `values` (k × k) in -1..1, NaN where undefined; `counts` (k × k): the stories that both columns score.
    """

    coefficient: str
    values: Floats
    counts: NDArray[np.int64]


def metric_matrix(table: ScoreTable, coefficient: str = "pearson") -> MetricMatrix:
    """Correlate each pair of columns over the stories that both define; undefined below three stories."""
    if coefficient not in COEFFICIENTS:
        raise InputError(f"There is no coefficient {coefficient!r}; choose one of {', '.join(COEFFICIENTS)}.")
    columns = [column.values for column in table.columns]
    size = len(columns)
    values, counts = np.full((size, size), np.nan), np.zeros((size, size), dtype=np.int64)
    for i in range(size):
        for j in range(i + 1):
            both = np.isfinite(columns[i]) & np.isfinite(columns[j])
            counts[i, j] = counts[j, i] = np.count_nonzero(both)
            values[i, j] = values[j, i] = _coefficient(columns[i][both], columns[j][both], coefficient)
    return MetricMatrix(coefficient, values, counts)


def _coefficient(x: Floats, y: Floats, name: str) -> float:
    if len(x) < FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    match name:
        case "pearson":
            return float(stats.pearsonr(x, y).statistic)
        case "spearman":
            return float(stats.spearmanr(x, y).statistic)
        case _:
            return float(stats.kendalltau(x, y).statistic)


@dataclass(frozen=True)
class MetricComparison:
    """Two columns over the `n` stories that both define; differences are second minus first.

    `pearson` and `spearman` are None where undefined, differences where there is no story.
    """

    n: int
    only_first: int
    only_second: int
    pearson: float | None
    spearman: float | None
    mean_difference: float | None
    largest_difference: float | None


def compare_columns(first: ScoreColumn, second: ScoreColumn) -> MetricComparison:
    """How closely two signatures of a metric, or two metrics, agree in their numbers."""
    a, b = np.isfinite(first.values), np.isfinite(second.values)
    x, y = first.values[a & b], second.values[a & b]
    coefficients = [_coefficient(x, y, name) for name in ("pearson", "spearman")]
    pearson, spearman = (None if np.isnan(value) else value for value in coefficients)
    difference = y - x
    return MetricComparison(
        n=len(x),
        only_first=int(np.count_nonzero(a & ~b)),
        only_second=int(np.count_nonzero(b & ~a)),
        pearson=pearson,
        spearman=spearman,
        mean_difference=float(difference.mean()) if len(x) else None,
        largest_difference=float(np.abs(difference).max()) if len(x) else None,
    )
