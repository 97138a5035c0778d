"""Each metric's soft pairwise accuracy over the systems of a study."""

import numpy as np

from core.arrays import Bools, Floats, Ints
from core.scores import ScoreTable
from core.statistics.groups import numbered
from core.statistics.soft_pairwise import pair_p_values, soft_pairwise


def soft_pairs(table: ScoreTable, judged: Floats, *, seed: int = 0) -> list[float | None]:
    """One a column, 0..1, over the stories that both people (`judged`) and the metric have a number of; None where no
    two systems share a prompt.
    """
    systems, prompts = numbered(table.systems)[1], numbered(table.prompts)[1]
    people: dict[bytes, Floats] = {}  # metrics that score the same stories are held against the same p values
    results: list[float | None] = []
    for column in table.columns:
        both = np.isfinite(judged) & np.isfinite(column.values)
        if not both.any():
            results.append(None)
            continue
        key = both.tobytes()
        if key not in people:
            people[key] = pair_p_values(_cells(judged, both, prompts, systems), seed=seed)
        metric = pair_p_values(_cells(column.values, both, prompts, systems), seed=seed)
        results.append(soft_pairwise(people[key], metric))
    return results


def _cells(values: Floats, chosen: Bools, prompts: Ints, systems: Ints) -> Floats:
    """The mean of each prompt's stories by each system (prompts x systems), NaN where there is none."""
    rows = np.flatnonzero(chosen)
    shape = (int(prompts.max()) + 1, int(systems.max()) + 1)
    flat = prompts[rows] * shape[1] + systems[rows]
    count = np.bincount(flat, minlength=shape[0] * shape[1])
    sums = np.bincount(flat, values[rows], minlength=shape[0] * shape[1])
    return np.asarray(np.where(count > 0, sums / np.maximum(count, 1), np.nan).reshape(shape))
