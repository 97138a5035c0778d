"""Shares of a system's ratings."""

import numpy as np
import pytest

from core.analysis.judgments.shares import rating_shares
from core.annotation.builtin import LIKELINESS, TURING
from core.annotation.target import on_target, usual_target
from core.statistics.draws import draw_prompts

M1 = on_target(TURING, usual_target(TURING)).shares
STEPS = TURING.main.steps


def test_m1_counts_better_and_equal() -> None:
    values = np.array([1.0, 0, -1, -1, 1, 1])
    groups = ["x", "x", "x", "x", "<b>y</b>", "<b>y</b>"]
    prompts = np.array([0, 0, 1, 1, 0, 1])
    draws = draw_prompts("ab", seed=2, resamples=100)
    estimates = rating_shares(values, groups, prompts, M1, STEPS, draws)
    assert list(estimates) == ["<b>y</b>", "x"]
    assert estimates["x"]["m1"].value == 0.5
    drawn = draws.copies[:, 0] / draws.copies.sum(1)  # all of a's count, none of b's
    assert (estimates["x"]["m1"].low, estimates["x"]["m1"].high) == pytest.approx(
        tuple(np.percentile(drawn, [2.5, 97.5]))
    )
    assert estimates["<b>y</b>"]["m1"].low == estimates["<b>y</b>"]["m1"].high == 1


def test_h_m_and_u_add_up() -> None:
    values = np.random.default_rng(0).integers(-1, 2, 30).astype(float)
    draws = draw_prompts("a", resamples=5)
    (estimates,) = rating_shares(
        values, ["s"] * 30, np.zeros(30, np.intp), LIKELINESS.shares, LIKELINESS.main.steps, draws
    ).values()
    assert list(estimates) == ["h", "m", "u"]
    assert sum(estimate.value or 0 for estimate in estimates.values()) == pytest.approx(1)
    assert estimates["h"].value == (values == 1).mean()
    assert estimates["h"].low is None


def test_a_rating_between_two_steps_counts_where_both_do() -> None:
    values = np.array([0.5, -0.5, -1.0, 1.0])
    draws = draw_prompts("a", resamples=5)
    estimates = rating_shares(values, ["s"] * 4, np.zeros(4, np.intp), M1, STEPS, draws)
    assert estimates["s"]["m1"].value == 0.5


def test_no_ratings_have_no_shares() -> None:
    assert rating_shares(np.empty(0), [], np.empty(0, np.intp), M1, STEPS, draw_prompts([])) == {}
