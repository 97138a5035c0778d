"""Points taken off beside the ratings given: OpenMEVA (2021, section 3.1) imposes no equality between the two."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.analysis.judgments.error_types import NO_POINTS, Given, pearsons
from core.annotation.quality import CONTRADICTION
from core.statistics.draws import Draws
from core.statistics.intervals import Estimate, estimate

NO_DEDUCTION = "no rating that counts takes points off"


@dataclass(frozen=True)
class Deductions:
    """How far ratings are what their deductions imply: the top of the scale minus the points, at least the lowest.

    `points`: taken off a rating, on average. `same`, `far`: shares (0 to 1) of the ratings that equal the implied one,
    and that lie two steps or more from it. `difference`: given minus implied, in points, on average. `pearson`: over
    stories, of the mean rating with the mean implied one. `table`: implied rating -> given rating -> how many;
    there alone a rating between two steps, as an import may bring it, stands at the nearer one (halfway: the even one).
    Everything is undefined, and `undefined` says why, where no points were taken off.
    """

    ratings: int
    points: Estimate
    same: Estimate
    far: Estimate
    difference: Estimate
    pearson: Estimate
    table: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    undefined: str | None = None


def deductions(given: Given, lowest: int, highest: int, draws: Draws, *, deducts: bool) -> Deductions:
    """Compare every rating with its own deductions. `lowest`, `highest`: of the scale.

    `deducts`: whether the error types take points, which decides the reason where there are none. A rating without any
    deduction implies the highest.
    """
    if not given.points.any():
        reason = NO_DEDUCTION if deducts else NO_POINTS
        nothing = Estimate(None, undefined=reason)
        return Deductions(len(given.values), nothing, nothing, nothing, nothing, nothing, undefined=reason)
    points = given.points.sum(1)
    implied = np.maximum(lowest, highest - points)
    apart = given.values - implied
    rows = np.column_stack([points, apart == 0, np.abs(apart) >= CONTRADICTION, apart]).astype(np.float64)
    prompts = given.prompts[given.units]
    sums = draws.sums(np.column_stack([rows, np.ones(len(rows))]), prompts)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = sums[:, :-1] / sums[:, -1:]
    taken, same, far, difference = (estimate(float(rows[:, i].mean()), drawn[:, i], prompts) for i in range(4))
    stories = given.means(np.column_stack([given.values, implied]))
    pearson = pearsons(stories, [(0, 1)], given.prompts, draws)[0]
    steps = np.rint(np.column_stack([implied, given.values])).astype(int)
    cells, numbers = np.unique(steps, axis=0, return_counts=True)
    table: dict[int, dict[int, int]] = {}
    for (due, got), number in zip(cells.tolist(), numbers.tolist(), strict=True):
        table.setdefault(due, {})[got] = number
    return Deductions(len(rows), taken, same, far, difference, pearson, dict(table))
