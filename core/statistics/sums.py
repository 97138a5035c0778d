"""Sums over systems in each draw of whole prompts, in blocks: memory grows neither with the draws nor with the prompts.

A draw is how often it holds each prompt; sums over its stories are then a matrix product, and no draw is ever built.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from core.arrays import Floats, Ints
from core.statistics.resamples import copies_of

SPARSE = 4
"""Times fewer stories than cells (prompts x systems) from which on empty cells are not stored."""


def cells(values: Floats, prompts: Ints, systems: Ints, shape: tuple[int, int]) -> "Floats | csr_array":
    """Sums of `values` (one a story) by prompt and system; `shape`: how many there are of each."""
    if shape[0] * shape[1] > SPARSE * len(values):
        return csr_array((values, (prompts, systems)), shape=shape)
    flat = np.bincount(prompts * shape[1] + systems, values, minlength=shape[0] * shape[1])
    return np.asarray(flat, dtype=np.float64).reshape(shape)


def drawn_sums(matrices: Sequence[Any], *, seed: int = 0, resamples: int = 1000) -> list[Floats]:
    """For each matrix (prompts x columns) the sums of its columns in each draw of as many prompts (draws x columns).

    All are arrays, or all sparse ones.
    """
    prompts, width = matrices[0].shape
    beside = hstack(matrices, format="csr") if isinstance(matrices[0], csr_array) else np.hstack(matrices)
    blocks = [copies @ beside for copies in copies_of(prompts, prompts, seed, resamples)]
    sums = np.concatenate([np.empty((0, beside.shape[1])), *blocks])
    return [sums[:, at : at + width] for at in range(0, sums.shape[1], width)]


def drawn_means(total: Floats, count: Floats, counts: Any) -> Floats:
    """Means in each draw (draws x columns) from sums and counts in them; NaN where a draw has nothing to count.

    `counts` (prompts x columns): a column that a single prompt bears on is NaN too, as that one drawn over and over
    says nothing about others.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        means = total / count
    means[:, np.asarray((counts > 0).sum(0)) < 2] = np.nan
    return means
