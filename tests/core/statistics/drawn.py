"""The bootstrap of metrics over all of their stories, as the tests ask for it."""

from collections.abc import Sequence

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.pairwise import concordance
from core.statistics.resamples import Drawn, bootstrap_parts, complete_cases


def bootstrap(x: Floats, y: Floats, clusters: Ints, *, seed: int = 0, resamples: int = 1000) -> Drawn:
    """The coefficients of one metric in each draw."""
    return bootstrap_columns([x], y, clusters, seed=seed, resamples=resamples)[0]


def bootstrap_columns(
    columns: Sequence[Floats], y: Floats, clusters: Ints, *, seed: int = 0, resamples: int = 1000
) -> list[Drawn]:
    """Those of each metric (one number per story, like `y`) in the same draws of whole clusters."""
    names, own = np.unique(clusters, return_inverse=True)
    part = complete_cases(columns, y, own, [concordance(x, y) for x in columns])
    return bootstrap_parts([part], len(names), seed=seed, resamples=resamples)[0]
