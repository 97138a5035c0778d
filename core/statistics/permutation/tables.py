"""Kendall's tau-b after two metrics swap scores, from tables of scores and ratings: fast where many are equal.

A table counts the stories with each score (of either metric) and each rating. Swaps move stories between its cells, and
concordant and discordant pairs follow from sums over the cells before and after: no pair of stories is looked at.
"""

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array

from core.arrays import Floats, Ints
from core.statistics.paired import PairedScores
from core.statistics.resamples import EXACT_IN_SINGLE

Statistic = Callable[[Floats], Floats]
"""Swaps (permutations x prompts, 1 where the metrics change places) to differences (permutations x pairs)."""
Roots = Callable[[Floats], tuple[Floats, Floats]]
"""Swaps to the denominators of both correlations (permutations)."""


def cells(data: PairedScores, left: Floats, right: Floats) -> int:
    """The number of cells in the table of two metrics' scores."""
    return len(np.unique([left, right])) * len(np.unique(data.human))


def kendall_by_table(data: PairedScores, left: Floats, right: Floats, gains: Floats, roots: Roots) -> Statistic:
    """The differences of a pair of metrics. `gains`: of the numerators, by swapped prompt, and a constant."""
    place, shape = _places(data, left, right)
    n, number = data.stories, shape[0] * shape[1]
    single = n * n < EXACT_IN_SINGLE  # no sum over pairs is larger
    kind = np.dtype(np.float32 if single else np.float64)
    before = np.bincount(place[:n], minlength=number).astype(kind)
    prompt = np.repeat(np.arange(data.prompts), np.diff(data.starts, append=n))
    step = np.repeat(np.array([-1, 1], dtype=kind), n)
    moved = csr_array((step, (place, np.tile(prompt, 2))), shape=(number, data.prompts))

    def differences(swaps: Floats) -> Floats:
        table = before[:, None] + moved @ np.ascontiguousarray(swaps.T, dtype=kind)
        first = _agreement(table.reshape(*shape, len(swaps)))
        second = first - gains[-1] - swaps @ gains[:-1]
        own, others = roots(swaps)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(first / own - second / others)[:, None]

    return differences


def _places(data: PairedScores, left: Floats, right: Floats) -> tuple[Ints, tuple[int, int]]:
    """The cell of each score of the one metric, then of the other, and the table's shape: scores x ratings."""
    scores, score = np.unique(np.concatenate([left, right]), return_inverse=True)
    ratings, rating = np.unique(data.human, return_inverse=True)
    return score * len(ratings) + np.tile(rating, 2), (len(scores), len(ratings))


def _agreement(table: Floats) -> Floats:
    """Concordant minus discordant ordered pairs of stories in each table (scores x ratings x permutations)."""
    below = np.cumsum(table, axis=0) - table
    across = np.cumsum(below, axis=1)
    across += across - below - across[:, -1:]
    return np.asarray(2 * np.einsum("srp,srp->p", table, across), dtype=np.float64)
