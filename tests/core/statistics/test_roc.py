"""AUC and its interval against every pair of texts; the curve; ties; texts of one document."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.intervals import share_by_document, wilson
from core.statistics.roc import area, auc, roc

NUMBERS = st.lists(st.integers(0, 8), min_size=2, max_size=14)


def slow_auc(human: np.ndarray, machine: np.ndarray) -> tuple[float, float]:
    """DeLong's AUC and variance, pair by pair."""
    wins = (machine[:, None] > human[None, :]) + 0.5 * (machine[:, None] == human[None, :])
    above, below = wins.mean(1), wins.mean(0)
    return float(wins.mean()), float(above.var(ddof=1) / len(machine) + below.var(ddof=1) / len(human))


@given(NUMBERS, NUMBERS)
@settings(max_examples=40)
def test_auc_and_variance_are_those_of_all_pairs(h: list[int], m: list[int]) -> None:
    human, machine = np.array(h, float), np.array(m, float)
    estimate = auc(human, machine, np.arange(len(h)), len(h) + np.arange(len(m)))
    value, variance = slow_auc(human, machine)
    assert area(machine, human) == pytest.approx(value, abs=1e-12)
    assert estimate.value == pytest.approx(value, abs=1e-12)
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0 <= estimate.low <= estimate.value + 1e-12
    assert estimate.value - 1e-12 <= estimate.high <= 1
    if 0 < value < 1:
        half = 1.959964 * np.sqrt(variance) / (value * (1 - value))
        low = 1 / (1 + np.exp(-(np.log(value / (1 - value)) - half)))
        assert estimate.low == pytest.approx(low, abs=1e-6)


@given(NUMBERS, NUMBERS)
@settings(max_examples=30)
def test_the_area_under_the_curve_is_the_auc(h: list[int], m: list[int]) -> None:
    human, machine = np.array(h, float), np.array(m, float)
    result = roc(human, machine, np.arange(len(h)), len(h) + np.arange(len(m)))
    area = float(np.trapezoid(result.true_positives, result.false_positives))
    assert result.auc.value == pytest.approx(area, abs=1e-12)
    for cut, false, true in zip(result.cuts, result.false_positives, result.true_positives, strict=True):
        assert (false, true) == (np.mean(human >= cut), np.mean(machine >= cut))


def test_texts_of_one_document_widen_the_interval() -> None:
    rng = np.random.default_rng(0)
    human, machine = rng.normal(0, 1, 40), rng.normal(1, 1, 40)
    alone = auc(human, machine, np.arange(40), 40 + np.arange(40))
    doubled = auc(np.repeat(human, 2), np.repeat(machine, 2), np.arange(80) // 2, 40 + np.arange(80) // 2)
    assert doubled.value == pytest.approx(alone.value)
    assert doubled.low == pytest.approx(alone.low, abs=1e-9)
    careless = auc(np.repeat(human, 2), np.repeat(machine, 2), np.arange(80), 80 + np.arange(80))
    assert careless.low > doubled.low  # type: ignore[operator]


def test_sides_that_do_not_overlap_and_sides_that_are_empty() -> None:
    apart = auc(np.zeros(5), np.ones(9), np.arange(5), 5 + np.arange(9))
    assert apart.value == 1
    assert apart.low == pytest.approx(wilson(1.0, 5)[0])
    assert roc(np.empty(0), np.ones(3), np.empty(0, int), np.arange(3)).auc.undefined


def test_wilson_s_printed_example() -> None:
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)  # Newcombe (1998), Table I
    assert wilson(0.0, 20)[0] == 0
    assert wilson(0.0, 20)[1] == pytest.approx(0.1611, abs=1e-4)


def test_a_share_counts_documents_whose_texts_agree_once() -> None:
    hits = np.array([1.0, 1, 0, 1, 0, 1, 1, 0, 1, 1])
    alone = share_by_document(hits, np.arange(10))
    doubled = share_by_document(np.repeat(hits, 3), np.repeat(np.arange(10), 3))
    assert doubled.value == alone.value
    assert doubled.low == pytest.approx(alone.low, abs=0.02)
    assert share_by_document(np.ones(30), np.repeat(np.arange(10), 3)).low == pytest.approx(wilson(1.0, 10)[0])
    assert share_by_document(np.ones(3), np.zeros(3, int)).low is None
