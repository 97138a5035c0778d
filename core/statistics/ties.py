"""acc_eq: how often a metric orders two stories of a prompt as people do, where near scores count as a tie.

Deutsch, Foster and Freitag (2023), "Ties Matter": a pair is right where both order it alike, and where both call it a
tie; the metric calls one where its scores differ by epsilon at most. An epsilon that is chosen on the pairs it is
reported on flatters continuous metrics (Perrella et al. 2024), so each half of the prompts is reported with the
epsilon that is best on the other half.
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Floats, Ints


@dataclass(frozen=True)
class TieCalibrated:
    """`accuracy`: 0..1, the mean over prompts; `epsilon`: the mean of the two halves'. `at_zero`: with equal scores
    alone as ties. None where there are no two prompts with pairs.
    """

    accuracy: float | None
    epsilon: float | None
    at_zero: float | None


UNCALIBRATED = TieCalibrated(None, None, None)


@dataclass(frozen=True)
class _Pairs:
    """Pairs of stories of one prompt: its number, how far apart the scores are, whether people tie them, and whether
    metric and people order them alike; `weight`: one over the prompt's pairs.
    """

    prompt: Ints
    gap: Floats
    tied: Floats
    alike: Floats
    weight: Floats


def tie_calibrated(metric: Floats, human: Floats, prompts: Ints, *, seed: int = 0) -> TieCalibrated:
    """acc_eq of a metric's scores; stories without a score or a rating (NaN) are left out. `seed`: of the halves."""
    keep = np.isfinite(metric) & np.isfinite(human)
    pairs = _pairs(metric[keep], human[keep], prompts[keep])
    numbers = np.unique(pairs.prompt)
    if len(numbers) < 2:
        return UNCALIBRATED
    first = np.isin(pairs.prompt, np.random.default_rng(seed).permutation(numbers)[: len(numbers) // 2])
    right, epsilons = 0.0, []
    for half in (first, ~first):
        epsilon = _best_epsilon(_of(pairs, ~half))
        epsilons.append(epsilon)
        right += _right(_of(pairs, half), epsilon)
    return TieCalibrated(right / len(numbers), float(np.mean(epsilons)), _right(pairs, 0.0) / len(numbers))


def _pairs(x: Floats, y: Floats, prompts: Ints) -> _Pairs:
    parts = []
    for number in np.unique(prompts):
        rows = np.flatnonzero(prompts == number)
        i, j = np.triu_indices(len(rows), 1)
        if len(i):
            dx, dy = x[rows[i]] - x[rows[j]], y[rows[i]] - y[rows[j]]
            alike = (np.sign(dx) == np.sign(dy)) & (dy != 0)
            parts.append((np.full(len(i), number), np.abs(dx), dy == 0, alike, np.full(len(i), 1 / len(i))))
    if not parts:
        empty = np.zeros(0)
        return _Pairs(np.zeros(0, dtype=np.intp), empty, empty, empty, empty)
    prompt, *others = (np.concatenate(column) for column in zip(*parts, strict=True))
    gap, tied, alike, weight = (column.astype(np.float64) for column in others)
    return _Pairs(prompt.astype(np.intp), gap, tied, alike, weight)


def _of(pairs: _Pairs, chosen: Bools) -> _Pairs:
    tied, alike, weight = pairs.tied[chosen], pairs.alike[chosen], pairs.weight[chosen]
    return _Pairs(pairs.prompt[chosen], pairs.gap[chosen], tied, alike, weight)


def _right(pairs: _Pairs, epsilon: float) -> float:
    """The sum over prompts of the share of pairs that are right."""
    right = np.where(pairs.gap <= epsilon, pairs.tied, pairs.alike)
    return float((right * pairs.weight).sum())


def _best_epsilon(pairs: _Pairs) -> float:
    """The smallest gap between scores that as epsilon gives the most right pairs; 0 is one of the choices."""
    order = np.argsort(pairs.gap, kind="stable")
    gaps = pairs.gap[order]
    gained = np.cumsum(((pairs.tied - pairs.alike) * pairs.weight)[order])
    last = np.flatnonzero(np.append(np.diff(gaps) > 0, True))  # an epsilon takes in all pairs of its gap
    choices, gains = gaps[last], gained[last]
    if choices[0] > 0:
        choices, gains = np.append(0.0, choices), np.append(0.0, gains)
    return float(choices[np.argmax(gains)])
