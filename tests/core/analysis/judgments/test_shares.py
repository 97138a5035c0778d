"""Shares of a system's ratings."""

import numpy as np
import pytest

from core.analysis.judgments.shares import rating_shares
from core.annotation.builtin import LIKELINESS, TURING
from core.statistics.draws import draw_prompts


def test_m1_counts_better_and_equal() -> None:
    values = np.array([1.0, 0, -1, -1, 1, 1])
    groups = ["x", "x", "x", "x", "<b>y</b>", "<b>y</b>"]
    prompts = np.array([0, 0, 1, 1, 0, 1])
    draws = draw_prompts("ab", seed=2, resamples=100)
    found = rating_shares(values, groups, prompts, TURING.shares, draws)
    assert list(found) == ["<b>y</b>", "x"]
    assert found["x"]["m1"].value == 0.5
    drawn = draws.copies[:, 0] / draws.copies.sum(1)  # all of a's count, none of b's
    assert (found["x"]["m1"].low, found["x"]["m1"].high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))
    assert found["<b>y</b>"]["m1"].low == found["<b>y</b>"]["m1"].high == 1


def test_h_m_and_u_add_up() -> None:
    values = np.random.default_rng(0).integers(-1, 2, 30).astype(float)
    draws = draw_prompts("a", resamples=5)
    (found,) = rating_shares(values, ["s"] * 30, np.zeros(30, np.intp), LIKELINESS.shares, draws).values()
    assert list(found) == ["h", "m", "u"]
    assert sum(one.value or 0 for one in found.values()) == pytest.approx(1)
    assert found["h"].value == (values == 1).mean()
    assert found["h"].low is None


def test_no_ratings_have_no_shares() -> None:
    assert rating_shares(np.empty(0), [], np.empty(0, np.intp), TURING.shares, draw_prompts([])) == {}
