"""acc_eq: how often a metric orders two stories of a prompt as people do, where near scores count as a tie.

Deutsch, Foster and Freitag (2023), "Ties Matter": a pair is right where both order it alike, and where both call it a
tie; the metric calls one where its scores differ by epsilon at most. An epsilon that is chosen on the pairs it is
reported on flatters continuous metrics (Perrella et al. 2024), so each half of the prompts is reported with the
epsilon that is best on the other half.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Bools, Floats, Ints
from core.statistics.ranks import stable_order
from core.statistics.threads import each


@dataclass(frozen=True)
class TieCalibrated:
    """`accuracy`: 0..1, the mean over prompts; `epsilon`: the mean of the two halves'. `at_zero`: with equal scores
    alone as ties. None where there are no two prompts with pairs.
    """

    accuracy: float | None
    epsilon: float | None
    at_zero: float | None


BINS, USUAL, SAMPLED = 256, 0.9, 10_000
"""Parts of equal width into which the smaller gaps fall, this share of them; of how many gaps that share is read."""
ROUNDING = 1e-9
UNCALIBRATED = TieCalibrated(None, None, None)


@dataclass(frozen=True)
class _Pairs:
    """Pairs of stories of one prompt (`first`, `second`: their numbers), those of the first half of the prompts first:
    `begins`: where the second half's begin.

    `tied`, `up`, `down`: people rate both alike, the first one higher, the second one higher; `weight`: one over the
    prompt's pairs; `prompts`: how many these are.
    """

    first: Ints
    second: Ints
    tied: Bools
    up: Bools
    down: Bools
    weight: Floats
    begins: int
    prompts: int


def tie_calibrated(metric: Floats, human: Floats, prompts: Ints, *, seed: int = 0) -> TieCalibrated:
    """acc_eq of a metric's scores; stories without a score or a rating (NaN) are left out. `seed`: of the halves."""
    return tie_calibrated_columns([metric], human, prompts, seed=seed)[0]


def tie_calibrated_columns(
    metrics: Sequence[Floats], human: Floats, prompts: Ints, *, seed: int = 0
) -> list[TieCalibrated]:
    """`tie_calibrated` of several metrics: those that score the same stories share their pairs."""
    kept = [np.isfinite(metric) & np.isfinite(human) for metric in metrics]
    alike = {mask.tobytes(): mask for mask in kept}
    pairs = {known: _pairs(np.flatnonzero(mask), human, prompts, seed) for known, mask in alike.items()}
    both = [(metric, pairs[mask.tobytes()]) for metric, mask in zip(metrics, kept, strict=True)]
    return each(lambda of: _calibrated(*of), both, len(human))


def _calibrated(metric: Floats, pairs: _Pairs) -> TieCalibrated:
    if pairs.prompts < 2:
        return UNCALIBRATED
    gap = metric[pairs.first]  # in place: with millions of pairs each array more takes as long as what is done with it
    gap -= metric[pairs.second]
    alike = (gap > 0) & pairs.up
    alike |= (gap < 0) & pairs.down
    np.abs(gap, out=gap)
    tied = pairs.tied
    halves = slice(0, pairs.begins), slice(pairs.begins, None)
    epsilons = [_best_epsilon(gap[half], tied[half], alike[half], pairs.weight[half]) for half in reversed(halves)]

    numbers = np.empty(len(gap))

    def right(half: slice, epsilon: float) -> float:
        """The sum over prompts of the share of pairs that are right."""
        numbers[half] = np.where(gap[half] <= epsilon, tied[half], alike[half])
        return float(numbers[half] @ pairs.weight[half])

    found, at_zero = (
        sum(right(half, epsilon) for half, epsilon in zip(halves, of, strict=True)) for of in (epsilons, (0.0, 0.0))
    )
    return TieCalibrated(found / pairs.prompts, float(np.mean(epsilons)), at_zero / pairs.prompts)


def _pairs(rows: Ints, human: Floats, prompts: Ints, seed: int) -> _Pairs:
    """All pairs of these stories that have the same prompt."""
    rows = rows[np.argsort(prompts[rows], kind="stable")]
    _, begins, sizes = np.unique(prompts[rows], return_index=True, return_counts=True)
    several = np.flatnonzero(sizes > 1)
    in_first = np.zeros(len(sizes), dtype=bool)
    in_first[np.random.default_rng(seed).permutation(several)[: len(several) // 2]] = True
    parts = []
    for half in (in_first, ~in_first):
        for size in np.unique(sizes[several]).tolist():
            of = begins[half & (sizes == size)]
            i, j = np.triu_indices(size, 1)
            first, second = rows[(of[:, None] + i).ravel()], rows[(of[:, None] + j).ravel()]
            parts.append((first, second, np.full(len(first), 1 / len(i)), np.full(len(first), half is in_first)))
    if not parts:
        none = np.zeros(0, dtype=np.intp)
        no = np.zeros(0, dtype=bool)
        return _Pairs(none, none, no, no, no, np.zeros(0), 0, 0)
    first, second, weight, earlier = (np.concatenate(column) for column in zip(*parts, strict=True))
    apart = human[first] - human[second]
    return _Pairs(first, second, apart == 0, apart > 0, apart < 0, weight, int(earlier.sum()), len(several))


def _best_epsilon(gap: Floats, tied: Bools, alike: Bools, weight: Floats) -> float:
    """The smallest gap between scores that as epsilon gives the most right pairs; 0 is one of the choices.

    Only pairs that an epsilon makes right or wrong are looked at, and of these only the near ones: what each part of
    the gaps could win at most says beyond which one no epsilon can be the best.
    """
    gained = tied.view(np.int8) - alike.view(np.int8)
    part = _parts(gap)
    lost, _, won = np.bincount(3 * part + (gained + 1), weight, 3 * BINS + 3).reshape(-1, 3).T
    sums = np.cumsum(won - lost)
    last = np.flatnonzero(sums + lost >= sums.max(initial=0) - ROUNDING).max(initial=-1)
    near = np.flatnonzero((part <= last) & (gained != 0))
    near = near[stable_order(gap[near])]
    gaps, sums = gap[near], np.cumsum(gained[near] * weight[near])
    ends = np.flatnonzero(np.append(np.diff(gaps) > 0, len(gaps) > 0))  # an epsilon takes in all pairs of its gap
    choices, gains = np.append(0.0, gaps[ends]), np.append(0.0, sums[ends])
    if len(ends) and gaps[0] == 0:
        choices, gains = choices[1:], gains[1:]
    return float(choices[np.argmax(gains)])


def _parts(gap: Floats) -> NDArray[np.int16]:
    """For each gap, in which of BINS + 1 parts it falls, from the smallest on."""
    usual = np.quantile(gap[:: 1 + len(gap) // SAMPLED], USUAL) if len(gap) else 0.0
    if usual == 0:
        return np.zeros(len(gap), dtype=np.int16)
    parts = gap / usual
    parts *= BINS
    return np.minimum(parts, BINS, out=parts).astype(np.int16)
