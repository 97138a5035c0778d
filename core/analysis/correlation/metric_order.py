"""The order in which analyses of a study show its metrics, on pages, in commands and in figures: the best first."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import stats

from core.arrays import are_many
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import why_undefined
from core.statistics.many_stories import pearson_in_blocks


def best_first(table: ScoreTable) -> ScoreTable:
    """The same table with its metrics ordered by Pearson's r with people over all its stories, highest first.

    Undefined ones come last; metrics alike in this stand by name and signature.
    """

    def place(column: ScoreColumn) -> tuple[float, str, str]:
        r = pearson_with_people(column, table)
        return (2.0 if r is None else -r), column.metric, column.signature

    return replace(table, columns=tuple(sorted(table.columns, key=place)))


def places_by(values: Sequence[float | None]) -> list[int]:
    """The places of these values from the highest to the lowest; undefined ones last, those alike as they stand."""
    return sorted(range(len(values)), key=lambda place: np.inf if (value := values[place]) is None else -value)


def pearson_with_people(column: ScoreColumn, table: ScoreTable) -> float | None:
    """Pearson's r of a metric with people over all of these stories; None where it is undefined."""
    if are_many(len(table.human)):
        test = pearson_in_blocks(column.values, table.human).test()
        return test[0] if test else None
    if why_undefined(column.values, table.human):
        return None
    paired = np.isfinite(column.values) & np.isfinite(table.human)
    return float(stats.pearsonr(column.values[paired], table.human[paired]).statistic)
