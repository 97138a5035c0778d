"""WMT's figures against slow and obvious versions."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.pairwise import concordance
from core.statistics.soft_pairwise import pair_p_values, soft_pairwise
from core.statistics.ties import UNCALIBRATED, tie_calibrated

RNG = np.random.default_rng(4)


def slow_accuracy(x: np.ndarray, y: np.ndarray, prompts: np.ndarray, epsilon: float) -> dict[int, float]:
    result = {}
    for prompt in sorted(set(prompts.tolist())):
        rows = np.flatnonzero(prompts == prompt)
        right = []
        for i, j in combinations(rows, 2):
            tie, people = abs(x[i] - x[j]) <= epsilon, np.sign(y[i] - y[j])
            right.append(people == 0 if tie else people == np.sign(x[i] - x[j]))
        if right:
            result[prompt] = float(np.mean(right))
    return result


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 7), st.integers(2, 5), st.booleans())
def test_acc_eq_is_the_slow_one_with_epsilon_from_the_other_half(
    seed: int, number: int, each: int, whole: bool
) -> None:
    rng = np.random.default_rng(seed)
    prompts = np.repeat(np.arange(number), each)
    y = rng.integers(1, 4, size=prompts.size).astype(float)
    x = rng.integers(0, 6, size=prompts.size).astype(float) if whole else rng.normal(size=prompts.size)
    found = tie_calibrated(x, y, prompts, seed=seed)
    first = set(np.random.default_rng(seed).permutation(number)[: number // 2].tolist())
    choices = [0.0, *sorted({abs(a - b) for a, b in combinations(x.tolist(), 2)})]
    accuracies, epsilons = [], []
    for half in (first, set(range(number)) - first):
        calibrated = [
            np.mean([a for prompt, a in slow_accuracy(x, y, prompts, e).items() if prompt not in half]) for e in choices
        ]
        best = max(calibrated)
        epsilon = next(e for e, a in zip(choices, calibrated, strict=True) if a >= best - 1e-12)
        epsilons.append(epsilon)
        accuracies += [a for prompt, a in slow_accuracy(x, y, prompts, epsilon).items() if prompt in half]
    assert found.at_zero == pytest.approx(np.mean(list(slow_accuracy(x, y, prompts, 0.0).values())))
    assert found.at_zero == pytest.approx(concordance(x, y, prompts).pairwise().accuracy)
    if found.epsilon == pytest.approx(np.mean(epsilons)):  # else two choices of epsilon are equally good
        assert found.accuracy == pytest.approx(np.mean(accuracies))


@pytest.mark.parametrize("seed", range(6))
def test_epsilon_is_that_of_all_gaps_in_their_order(seed: int) -> None:
    """Where most pairs are left out because they lie too far apart: outliers, many equal scores, uneven prompts."""
    rng = np.random.default_rng(seed)
    prompts = np.sort(rng.integers(0, 300, 3_000)) if seed % 2 else np.repeat(np.arange(300), 10)
    y = rng.integers(1, 6, len(prompts)).astype(float)
    x = y + rng.standard_cauchy(len(y)) * (seed + 1) / 3
    x = x.round(0 if seed > 3 else 9) * 10.0 ** (40 * seed)
    first = set(rng_halves(prompts, seed))
    bests = []
    for mine in (True, False):
        pairs = [
            (abs(x[i] - x[j]), y[i] == y[j], (x[i] - x[j]) * (y[i] - y[j]) > 0, 1 / (size * (size - 1) / 2))
            for prompt, size in zip(*np.unique(prompts, return_counts=True), strict=True)
            if (prompt in first) is mine
            for i, j in combinations(np.flatnonzero(prompts == prompt), 2)
        ]
        gap, tied, alike, weight = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
        choices = np.unique(np.append(gap, 0.0))
        gained = np.bincount(np.searchsorted(choices, gap), (tied - alike) * weight, len(choices)).cumsum()
        bests.append([c for c, g in zip(choices, gained, strict=True) if g >= gained.max() - 1e-9])
    found = tie_calibrated(x, y, prompts, seed=seed)
    assert found.epsilon is not None
    sums = [(a + b) / 2 for a in bests[0] for b in bests[1]]  # several may be equally good, but for rounding
    assert any(found.epsilon == pytest.approx(value, rel=1e-12, abs=0) for value in sums)


def rng_halves(prompts: np.ndarray, seed: int) -> list[int]:
    names, sizes = np.unique(prompts, return_counts=True)
    several = np.flatnonzero(sizes > 1)
    return [int(name) for name in names[np.random.default_rng(seed).permutation(several)[: len(several) // 2]]]


def test_near_scores_are_ties_where_people_tie_much() -> None:
    prompts = np.repeat(np.arange(40), 6)
    y = np.tile([1.0, 1, 1, 5, 5, 5], 40)
    x = y + RNG.normal(scale=0.1, size=y.size)
    found = tie_calibrated(x, y, prompts)
    assert found.at_zero == pytest.approx(9 / 15, abs=0.01)
    assert found.accuracy == pytest.approx(1, abs=0.02)
    assert found.epsilon is not None
    assert 0.2 < found.epsilon < 3.5
    assert tie_calibrated(x[:6], y[:6], prompts[:6]) == UNCALIBRATED
    gap = x.copy()
    gap[:6] = np.nan
    assert tie_calibrated(gap, y, prompts) == tie_calibrated(x[6:], y[6:], prompts[6:])


def test_the_permutation_p_is_that_of_all_exchanges() -> None:
    """Of few prompts every exchange can be counted."""
    cells = RNG.normal(loc=[0.4, 0.0, -0.4], size=(8, 3))
    cells[2, 1] = np.nan
    p = pair_p_values(cells, permutations=40_000, seed=1)
    for place, (i, j) in enumerate(combinations(range(3), 2)):
        gaps = cells[:, i] - cells[:, j]
        gaps = gaps[np.isfinite(gaps)]
        signs = np.array(np.meshgrid(*[[-1, 1]] * len(gaps))).reshape(len(gaps), -1).T
        sums = signs @ gaps
        exact = ((sums > gaps.sum() + 1e-9).sum() + 0.5 * (np.abs(sums - gaps.sum()) <= 1e-9).sum()) / len(sums)
        assert p[place] == pytest.approx(exact, abs=0.01)
    assert pair_p_values(-cells, permutations=40_000, seed=1) == pytest.approx(1 - p, abs=0.01)


def test_soft_pairwise_accuracy() -> None:
    cells = RNG.normal(loc=[0.9, 0.5, 0.1, 0.0], size=(60, 4))
    people = pair_p_values(cells)
    assert soft_pairwise(people, people) == 1
    turned = soft_pairwise(people, pair_p_values(-cells))
    assert turned is not None
    assert turned < 0.5
    flat = pair_p_values(np.ones((60, 4)))
    assert flat.tolist() == [0.5] * 6
    assert soft_pairwise(people, flat) == pytest.approx(1 - np.abs(people - 0.5).mean())
    assert soft_pairwise(np.full(6, np.nan), flat) is None
