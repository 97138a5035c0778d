"""Judges by criteria: what each judge is good for, at a glance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.criteria.heat_map import Level, correlations_with
from core.analysis.judges.columns import judges_of
from core.analysis.judges.trial import as_table
from core.arrays import Floats
from core.scores import ScoreTable
from core.statistics.correlation import NOTHING, Coefficient

NOT_RATED = "it does not rate this criterion"


@dataclass(frozen=True)
class JudgeMap:
    """Coefficients of judges with people on each criterion; those that agree most, on average over the criteria that
    they rate, first.

    `cells`: judges x criteria; `reasons`: of the cells without a value, by the same places.
    """

    level: Level
    coefficient: str
    criteria: tuple[str, ...]
    judges: tuple[str, ...]
    cells: tuple[tuple[Coefficient, ...], ...]
    reasons: tuple[tuple[str | None, ...], ...]

    @property
    def values(self) -> Floats:
        """Judges x criteria, NaN where undefined."""
        return np.array([[np.nan if c.value is None else c.value for c in row] for row in self.cells], dtype=np.float64)

    def rates(self, judge: str, criterion: str) -> bool:
        """Whether this judge rates this criterion at all."""
        return self.reasons[self.judges.index(judge)][self.criteria.index(criterion)] != NOT_RATED


def judge_map(
    table: ScoreTable,
    human: Mapping[str, Floats],
    *,
    level: Level = Level.PROMPT,
    coefficient: str = "pearson",
    seed: int = 0,
    resamples: int = 1000,
) -> JudgeMap:
    """Every judge of the table with each criterion that it rates. `human`: by criterion, each story's mean rating."""
    found: dict[str, dict[str, tuple[Coefficient, str | None]]] = {}
    for criterion, means in human.items():
        judges = judges_of(table.columns, (criterion,))
        rows = correlations_with(as_table(table, judges), means, level, seed=seed, resamples=resamples)
        for judge, of in zip(judges, rows, strict=True):
            found.setdefault(judge.name, {})[criterion] = getattr(of, coefficient), of.undefined
    nothing = NOTHING, NOT_RATED
    order = sorted(found, key=lambda name: -_mean([cell for cell, _ in found[name].values()]))
    return JudgeMap(
        level,
        coefficient,
        tuple(human),
        tuple(order),
        tuple(tuple(found[name].get(criterion, nothing)[0] for criterion in human) for name in order),
        tuple(tuple(found[name].get(criterion, nothing)[1] for criterion in human) for name in order),
    )


def _mean(cells: Sequence[Coefficient]) -> float:
    values = [cell.value for cell in cells if cell.value is not None]
    return float(np.mean(values)) if values else -2.0
