"""Whether the place of a story in its panel moves its rating."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.draws import Draws
from core.statistics.intervals import Estimate, estimate

MOST_PERMUTATIONS, FEWEST_PERMUTATIONS = 999, 199
RATINGS_PERMUTED = 50_000_000
"""In all. Above 50,000 ratings there are fewer permutations, down to 199, so that the page stays quick."""


@dataclass(frozen=True)
class PositionMean:
    """`n` ratings given at a position, and their mean deviation from their stories' mean ratings."""

    n: int
    deviation: Estimate


@dataclass(frozen=True)
class PositionEffect:
    """The effect by position, from 1; `p`: how often chance alone moves ratings as much. Both empty where undefined."""

    positions: Mapping[int, PositionMean]
    p: float | None
    undefined: str | None = None


def position_effect(
    values: Floats, units: Ints, panels: Ints, positions: Ints, prompts: Ints, draws: Draws, *, seed: int = 0
) -> PositionEffect:
    """The deviation of each rating from its story's mean, by position.

    One entry per rating: its value, the number of its story and panel, its position from 1, or 0 where unknown;
    `prompts`: each story's number in the draws. Under no effect, positions within a panel could change places, and
    where each panel has a single rating, as a pair has, those of one story: p is the share of such permutations whose
    squared mean deviations, weighted by n, add up to as much or more.
    """
    number = np.bincount(units, minlength=len(prompts))
    means = np.bincount(units, weights=values, minlength=len(prompts)) / np.maximum(number, 1)
    kept = (positions > 0) & (number[units] >= 2)
    if not kept.any():
        return PositionEffect({}, None, "no story with two ratings has a known place in its panels")
    deviations, own = (values - means[units])[kept], prompts[units][kept]
    places, panels = positions[kept], panels[kept]
    exchangeable = panels if np.unique(panels, return_counts=True)[1].max() > 1 else units[kept]
    if np.ptp(places) == 0:
        return PositionEffect({}, None, "every story was shown at the same place")
    result = {}
    for place in np.unique(places).tolist():
        here = places == place
        rows = np.column_stack([deviations[here], np.ones(here.sum())])
        sums = draws.sums(rows, own[here])
        with np.errstate(invalid="ignore", divide="ignore"):
            result[place] = PositionMean(
                len(rows), estimate(float(deviations[here].mean()), sums[:, 0] / sums[:, 1], own[here])
            )
    return PositionEffect(result, _permutation_p(deviations, exchangeable, places, seed))


def _permutation_p(deviations: Floats, groups: Ints, places: Ints, seed: int) -> float:
    rng = np.random.default_rng(seed)
    tables = _by_size(deviations, groups, places)
    number = np.maximum(np.bincount(places), 1)

    def spread(shuffled: list[Floats]) -> float:
        sums = np.zeros(len(number))
        for table, (_, where) in zip(shuffled, tables, strict=True):
            sums += np.bincount(where.ravel(), weights=table.ravel(), minlength=len(number))
        return float((sums**2 / number).sum())

    observed = spread([table for table, _ in tables])
    permutations = max(FEWEST_PERMUTATIONS, min(MOST_PERMUTATIONS, RATINGS_PERMUTED // len(deviations)))
    as_large = sum(
        spread([rng.permuted(table, axis=1) for table, _ in tables]) >= observed * (1 - 1e-12)
        for _ in range(permutations)
    )
    return (as_large + 1) / (permutations + 1)


def _by_size(deviations: Floats, groups: Ints, places: Ints) -> list[tuple[Floats, Ints]]:
    """Deviations and positions as tables (groups x ratings), one table for each group size."""
    order = np.argsort(groups, kind="stable")
    sizes = np.unique(groups[order], return_counts=True)[1]
    of_rating = np.repeat(sizes, sizes)
    result = []
    for size in np.unique(sizes).tolist():
        mine = order[of_rating == size]
        result.append((deviations[mine].reshape(-1, size), places[mine].reshape(-1, size)))
    return result
