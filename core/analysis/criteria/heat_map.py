"""Metrics by criteria: the figure with which HANNA (Chhun et al. 2022, section 5) shows what a metric is good for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.analysis.correlation.subsets import correlate_within
from core.analysis.systems.ranking import correlate_means
from core.arrays import Floats
from core.scores import ScoreTable
from core.statistics.correlation import STAR, Coefficient, Correlation, MetricCorrelation, correlate_columns, named

OF_CRITERION = "criterion:"


class Level(StrEnum):
    """Over what a coefficient is: a prompt's stories, averaged over prompts, the systems' means, or all stories."""

    PROMPT = "prompt"
    SYSTEM = "system"
    STORY = "story"


@dataclass(frozen=True)
class HeatMap:
    """Coefficients of metrics (rows: columns of the table, by number) with criteria; those that agree most first.

    `cells`: metrics x criteria; `reasons`: of the cells without a value, by the same places.
    """

    level: Level
    coefficient: str
    criteria: tuple[str, ...]
    metrics: tuple[int, ...]
    cells: tuple[tuple[Coefficient, ...], ...]
    reasons: tuple[tuple[str | None, ...], ...]

    @property
    def values(self) -> Floats:
        """Metrics x criteria, NaN where undefined."""
        return np.array([[np.nan if c.value is None else c.value for c in row] for row in self.cells], dtype=np.float64)


def mark(coefficient: Coefficient) -> str:
    """A dagger where the draws of prompts leave p below .01, as single prompts are too small for a p each; without such
    draws a star, which on all pages is p < .01 with stories taken as independent.
    """
    if coefficient.p_cluster is not None:
        return "†" if coefficient.p_cluster < STAR else ""
    return "*" if coefficient.starred else ""


def heat_map(
    table: ScoreTable,
    *,
    level: Level = Level.PROMPT,
    coefficient: str = "kendall",
    seed: int = 0,
    resamples: int = 1000,
) -> HeatMap:
    """Every column of the table with every criterion that it has means of; sorted by the mean size of a metric's
    coefficients, whatever their sign.
    """
    criteria = tuple(table.criteria)
    by_criterion = [
        correlations_with(table, table.criteria[name], level, seed=seed, resamples=resamples) for name in criteria
    ]
    cells = [[getattr(of[i], coefficient) for of in by_criterion] for i in range(len(table.columns))]
    reasons = [[of[i].undefined for of in by_criterion] for i in range(len(table.columns))]
    sizes = [np.nanmean([abs(c.value) for c in row if c.value is not None] or [-1.0]) for row in cells]
    order = sorted(range(len(cells)), key=lambda i: -sizes[i])
    return HeatMap(
        level,
        coefficient,
        criteria,
        tuple(order),
        tuple(tuple(cells[i]) for i in order),
        tuple(tuple(reasons[i]) for i in order),
    )


def by_criterion(table: ScoreTable, *, seed: int = 0, resamples: int = 1000) -> tuple[MetricCorrelation, ...]:
    """Every metric's correlation with every criterion within prompts, in subsets called `criterion:X`."""
    return tuple(
        row
        for name, human in table.criteria.items()
        for row in named(
            table,
            correlations_with(table, human, Level.PROMPT, seed=seed, resamples=resamples),
            f"{OF_CRITERION}{name}",
        )
    )


def correlations_with(
    table: ScoreTable, human: Floats, level: Level, *, seed: int, resamples: int
) -> Sequence[Correlation]:
    """Every column with these judgments, one a story: within prompts, over the systems' means, or over all stories."""
    if level is Level.SYSTEM:
        rows = correlate_means(replace(table, human=human), seed=seed, resamples=resamples, soft=False)
        return [row.correlation for row in rows]
    columns = [column.values for column in table.columns]
    over = correlate_columns if level is Level.STORY else correlate_within
    return over(columns, human, table.prompts, seed=seed, resamples=resamples)
