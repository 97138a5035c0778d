"""Figures of a system that are shares of its ratings: Turing's M1; human likeliness's h, m and u."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.draws import Draws
from core.statistics.intervals import Estimate, estimate


def rating_shares(
    values: Floats,
    groups: Sequence[str],
    prompts: Ints,
    figures: Sequence[tuple[str, Sequence[int]]],
    steps: Sequence[int],
    draws: Draws,
) -> dict[str, Mapping[str, Estimate]]:
    """Each figure (0 to 1) of each group, groups by name.

    One entry per rating: its value, its group (a system) and its prompt's number in the draws; `figures`: names, and
    the `steps` of the scale that they count. A rating between two steps counts where both do: 0.5 is above 0.
    """
    scale = np.asarray(steps)
    below = scale[np.maximum(np.searchsorted(scale, values, side="right") - 1, 0)]
    above = scale[np.minimum(np.searchsorted(scale, values), len(scale) - 1)]
    names, codes = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    result: dict[str, Mapping[str, Estimate]] = {}
    for code, name in enumerate(names.tolist()):
        mine = codes == code
        result[name] = {
            figure: _share(
                (np.isin(below[mine], counted) & np.isin(above[mine], counted)).astype(np.float64), prompts[mine], draws
            )
            for figure, counted in figures
        }
    return result


def _share(hits: Floats, prompts: Ints, draws: Draws) -> Estimate:
    sums = draws.sums(np.column_stack([hits, np.ones(len(hits))]), prompts)
    with np.errstate(invalid="ignore", divide="ignore"):
        return estimate(float(hits.mean()), sums[:, 0] / sums[:, 1], prompts)
