"""Thresholds against trying every cut; the paper's way; classes; nothing judged by itself."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.analysis.naturalness.discrimination import discriminate, folds_of
from core.analysis.naturalness.thresholds import NoThreshold, ThresholdRule, classes, find

NUMBERS = st.lists(st.integers(0, 12), min_size=2, max_size=12)


def cuts_of(human: np.ndarray, machine: np.ndarray) -> list[float]:
    values = sorted({*human.tolist(), *machine.tolist()})
    return [values[0], *((a + b) / 2 for a, b in pairwise(values)), values[-1] + 0.5]


def decided(human: np.ndarray, machine: np.ndarray, left: float, right: float) -> tuple[float, float]:
    """Share of both sides that is decided, and of that what is right; each side weighs the same."""
    good = np.mean(human < left) + np.mean(machine >= right)
    bad = np.mean(machine < left) + np.mean(human >= right)
    return good + bad, good / (good + bad) if good + bad else 0.0


@given(NUMBERS, NUMBERS)
@settings(max_examples=40)
def test_one_threshold_is_the_best_of_all(h: list[int], m: list[int]) -> None:
    human, machine = np.array(h, float), np.array(m, float)
    (result,) = find(ThresholdRule.SEARCH, 1, human, machine)
    best = max(np.mean(human < cut) - np.mean(machine < cut) for cut in cuts_of(human, machine))
    assert np.mean(human < result) - np.mean(machine < result) == pytest.approx(best)


@given(NUMBERS, NUMBERS, st.sampled_from([0.6, 0.75, 0.9, 1.0]))
@settings(max_examples=40)
def test_two_thresholds_decide_the_most_of_all_that_are_right_enough(h: list[int], m: list[int], wanted: float) -> None:
    human, machine = np.array(h, float), np.array(m, float)
    cuts = cuts_of(human, machine)
    tried = [decided(human, machine, a, b) for i, a in enumerate(cuts) for b in cuts[i:]]
    most = max((share for share, accuracy in tried if accuracy >= wanted - 1e-12), default=0.0)
    if most == 0:
        with pytest.raises(NoThreshold):
            find(ThresholdRule.SEARCH, 2, human, machine, wanted)
        return
    left, right = find(ThresholdRule.SEARCH, 2, human, machine, wanted)
    share, accuracy = decided(human, machine, left, right)
    assert left <= right
    assert share == pytest.approx(most)
    assert accuracy >= wanted - 1e-9


def test_densities_cross_at_the_threshold_of_the_paper_s_way() -> None:
    rng = np.random.default_rng(0)
    human, machine = rng.normal(0.3, 0.05, 200), rng.normal(0.5, 0.1, 200)
    (t,) = find(ThresholdRule.MOMENTS, 1, human, machine)
    densities = [stats.norm.pdf(t, side.mean(), side.std(ddof=1)) for side in (human, machine)]
    assert densities[0] == pytest.approx(densities[1])
    assert human.mean() < t < machine.mean()
    same = find(ThresholdRule.MOMENTS, 1, human, human + 0.2)
    assert same[0] == pytest.approx(human.mean() + 0.1)
    left, right = find(ThresholdRule.MOMENTS, 2, human, machine)
    ends = sorted([machine.mean() - machine.std(ddof=1), human.mean() + human.std(ddof=1)])
    assert [left, right] == pytest.approx(ends)
    with pytest.raises(NoThreshold, match="no higher Fp on average"):
        find(ThresholdRule.MOMENTS, 1, machine, human)


def test_classes_follow_equations_2_and_3() -> None:
    fp = np.array([0.1, 0.2, 0.3, 0.4, np.nan])
    assert classes(fp, [0.2]).tolist() == [0, 2, 2, 2, -1]
    assert classes(fp, [0.2, 0.4]).tolist() == [0, 1, 1, 2, -1]


def test_documents_are_dealt_out_whole_and_evenly() -> None:
    documents = np.repeat(np.arange(20), 3)
    human = np.tile([True, False, False], 20)
    fold = folds_of(documents, human, 10, seed=1)
    assert all(len(set(fold[documents == number])) == 1 for number in range(20))
    assert np.bincount(fold).tolist() == [6] * 10


def test_no_text_is_judged_by_a_threshold_that_it_helped_to_find() -> None:
    """Fp says nothing here: held out, half are right; fitted on itself the best threshold would do better."""
    rng = np.random.default_rng(3)
    fp = rng.normal(size=60)
    systems = [None, "a"] * 30
    discrimination = discriminate(fp, systems, np.arange(60), folds=30, seed=0)
    (whole,) = discrimination.thresholds
    human = np.array([name is None for name in systems])
    fitted = ((fp[human] < whole).mean() + (fp[~human] >= whole).mean()) / 2
    assert discrimination.accuracy.value < fitted  # type: ignore[operator]
    assert 0.3 < discrimination.accuracy.value < 0.7  # type: ignore[operator]


def test_h_m_and_u_of_each_system() -> None:
    rng = np.random.default_rng(0)
    fp = np.concatenate([rng.normal(0.3, 0.05, 50), rng.normal(0.4, 0.05, 50), rng.normal(0.6, 0.05, 50), [np.nan]])
    systems = [None] * 50 + ["near"] * 50 + ["far"] * 50 + ["far"]
    discrimination = discriminate(fp, systems, np.arange(151), number=2, seed=2)
    near, far = discrimination.systems["near"], discrimination.systems["far"]
    assert (near.n, far.n) == (50, 50)
    assert near.h.value > far.h.value  # type: ignore[operator]
    for item in (near, far, discrimination.human):
        assert item is not None
        assert item.h.value + item.u.value + item.m.value == pytest.approx(1)  # type: ignore[operator]
    assert discrimination.accuracy.value >= 0.85  # type: ignore[operator]
    assert discrimination.lowest[0] <= discrimination.thresholds[0] <= discrimination.highest[0]


def test_bad_input_gives_a_reason() -> None:
    few = discriminate(np.array([0.1, 0.2, 0.3]), [None, "a", "a"], np.arange(3))
    assert "two documents on either side" in (few.undefined or "")
    nothing = discriminate(np.full(8, np.nan), [None, "a"] * 4, np.arange(8))
    assert nothing.undefined
    alike = discriminate(np.full(8, 0.5), [None, "a"] * 4, np.arange(8), rule=ThresholdRule.MOMENTS)
    assert "no higher Fp" in (alike.undefined or "")
    hopeless = discriminate(np.full(8, 0.5), [None, "a"] * 4, np.arange(8), number=2)
    assert "ask for less" in (hopeless.undefined or "")
