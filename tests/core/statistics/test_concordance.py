"""Kendall's W against SciPy's Friedman test, which corrects for ties: W = chi2 / (m (n - 1))."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from core.arrays import Floats, Ints
from core.statistics.agreement import kendall_w, prompt_concordances
from core.statistics.draws import draw_prompts
from core.statistics.intervals import Estimate

Columns = tuple[Floats, Ints, Ints, Ints]


def columns(panels: list[NDArray[np.float64]]) -> Columns:
    """Values, stories, annotators and prompts of panels (stories x annotators, NaN for a gap)."""
    values, units, annotators, prompts = [], [], [], []
    for prompt, panel in enumerate(panels):
        for row in panel:
            for annotator, value in enumerate(row):
                if np.isfinite(value):
                    values.append(value)
                    units.append(len(prompts))
                    annotators.append(annotator)
            prompts.append(prompt)
    return np.array(values, float), *(np.array(part, np.intp) for part in (units, annotators, prompts))  # type: ignore[return-value]


def w_of(panels: list[NDArray[np.float64]], resamples: int = 0) -> Estimate:
    values, units, annotators, prompts = columns(panels)
    draws = draw_prompts([f"{p:04}" for p in prompts], seed=1, resamples=resamples)
    return kendall_w(values, units, annotators, prompts, draws)


@given(st.integers(0, 10**6), st.integers(3, 7), st.integers(2, 6), st.integers(2, 5))
def test_w_equals_friedman(seed: int, stories: int, raters: int, steps: int) -> None:
    panel = np.random.default_rng(seed).integers(1, steps + 1, (stories, raters)).astype(float)
    estimate = w_of([panel])
    if (panel == panel[0]).all():
        assert estimate.value is None
        assert "all alike" in (estimate.undefined or "")
    else:
        chi2 = stats.friedmanchisquare(*panel).statistic
        assert estimate.value == pytest.approx(chi2 / (raters * (stories - 1)), abs=1e-9)


def test_w_is_a_mean_over_prompts_of_their_complete_raters() -> None:
    rng = np.random.default_rng(2)
    panels = [rng.integers(1, 6, (5, 4)).astype(float) for _ in range(6)]
    gap = panels[1].copy()
    gap[2, 3] = np.nan  # the fourth annotator left a story out
    alone = panels[2].copy()
    alone[0, 1:] = np.nan  # nobody but the first rated all
    estimate = w_of([panels[0], gap, alone, panels[3][:1], np.ones((5, 3))], resamples=200)
    expected = [w_of([panels[0]]).value, w_of([panels[1][:, :3]]).value]
    assert estimate.value == pytest.approx(np.mean(np.array(expected, float)))
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low <= estimate.value <= estimate.high  # type: ignore[operator]


def test_the_bootstrap_draws_prompts() -> None:
    rng = np.random.default_rng(3)
    panels = [rng.integers(1, 6, (4, 3)).astype(float) for _ in range(7)]
    each = np.array([w_of([panel]).value for panel in panels], float)
    copies = np.random.default_rng(1).multinomial(7, np.full(7, 1 / 7), size=60)
    drawn = [np.repeat(each, row).mean() for row in copies]
    estimate = w_of(panels, resamples=60)
    assert (estimate.low, estimate.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_ends_and_unknown_annotators() -> None:
    order = np.arange(5.0)
    assert w_of([np.column_stack([order, order * 10])]).value == pytest.approx(1)
    assert w_of([np.column_stack([order, -order])]).value == pytest.approx(0)
    values, units, annotators, prompts = columns([np.column_stack([order, order, -order])])
    annotators[annotators == 2] = -1
    assert prompt_concordances(values, units, annotators, prompts) == pytest.approx([1])
    assert np.isnan(prompt_concordances(values, units, np.full_like(annotators, -1), prompts)).all()
    assert w_of([]).value is None


def test_without_w_the_reason_is_what_the_prompts_lack() -> None:
    gap = np.nan
    shared = np.array([[1.0, 4.0, gap], [3.0, 2.0, 5.0], [gap, gap, 1.0]])  # two rated two stories apart, none all
    assert "rated all rated stories of a prompt, and no prompt" in (w_of([shared]).undefined or "")
    assert w_of([np.array([[1.0, 4.0]])]).undefined == "no prompt has two rated stories"
    assert "all alike" in (w_of([shared, np.ones((2, 2))]).undefined or "")
    assert w_of([shared, np.array([[1.0, 1.0], [2.0, 2.0]])]).value == 1.0
