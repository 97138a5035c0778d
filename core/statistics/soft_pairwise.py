"""Soft pairwise accuracy of systems: does a metric set two systems apart as surely as people do?

Thompson et al. (2024), "Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise
Accuracy", WMT 2024's figure at system level: 1 less the mean over pairs of systems of |p of people - p of the metric|,
each p that of a one-sided paired permutation test, by prompt, of whether the first system is the better one.
"""

import numpy as np

from core.arrays import Floats

PERMUTATIONS = 1000
MOST_WORK = 4e9
"""Prompts times pairs times permutations: with more there are fewer permutations, but 100."""
EQUAL = 1e-9
"""Of the size of the sums: a difference below it is rounding."""


def pair_p_values(cells: Floats, *, seed: int = 0, permutations: int = PERMUTATIONS) -> Floats:
    """p of each pair of systems (i < j, in the order of `np.triu_indices`): the share of permutations in which i leads
    j by as much or more, equal ones half; so that p of the other direction is 1 - p.

    `cells` (prompts x systems): a mean each, NaN where a system has nothing of a prompt. A permutation exchanges the
    two systems in half of the prompts at random; all pairs share it. NaN where two systems share no prompt.
    """
    prompts, systems = cells.shape
    first, second = np.triu_indices(systems, 1)
    gaps = cells[:, first] - cells[:, second]
    shared = np.isfinite(gaps)
    gaps = np.where(shared, gaps, 0.0)
    number = int(np.clip(MOST_WORK / max(1, gaps.size), 100, permutations))
    signs = np.random.default_rng(seed).integers(0, 2, size=(number, prompts)).astype(np.float64) * 2 - 1
    led = gaps.sum(0)
    permuted = signs @ gaps
    near = EQUAL * np.maximum(np.abs(gaps).sum(0), 1e-300)
    p = ((permuted > led + near).sum(0) + 0.5 * (np.abs(permuted - led) <= near).sum(0)) / number
    return np.asarray(np.where(shared.any(0), p, np.nan))


def soft_pairwise(people: Floats, metric: Floats) -> float | None:
    """1 less the mean distance of the two p values, over the pairs that have both; None where there is no pair."""
    both = np.isfinite(people) & np.isfinite(metric)
    return float(1 - np.abs(people[both] - metric[both]).mean()) if both.any() else None
