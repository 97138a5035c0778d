"""Draws of whole prompts, beside draws that are really built."""

import numpy as np
import pytest

from core.statistics.draws import Draws, draw_prompts
from core.statistics.intervals import Estimate, estimate


def test_sums_are_those_of_tables_really_drawn() -> None:
    names = ["b", "a", "b", "c"]
    rows = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
    draws = draw_prompts(names, seed=4, resamples=30)
    numbers = draws.of(names)
    assert draws.copies.shape == (30, 3)
    assert set(draws.copies.sum(1)) == {3}
    for copies, result in zip(draws.copies, draws.sums(rows, numbers), strict=True):
        drawn = [rows[i] for i, number in enumerate(numbers) for _ in range(int(copies[number]))]
        assert result == pytest.approx(np.sum(drawn, axis=0) if drawn else 0)
    assert draws.by_prompt(rows, numbers).tolist() == [[3, 4], [6, 8], [7, 8]]


def test_the_seed_decides_and_the_order_of_prompts_does_not() -> None:
    draws, again, other = (
        draw_prompts(names, seed=seed, resamples=9) for names, seed in (("ab", 1), ("bba", 1), ("ab", 2))
    )
    assert draws.numbers == again.numbers
    assert (draws.copies == again.copies).all()
    assert (draws.copies != other.copies).any()
    with pytest.raises(KeyError):
        draws.of(["c"])


def test_no_prompts() -> None:
    draws = draw_prompts([])
    assert isinstance(draws, Draws)
    assert draws.of([]).tolist() == []


def test_an_interval_leaves_undefined_draws_out_and_needs_two_prompts() -> None:
    drawn = np.array([0.0, np.nan, 1.0])
    assert estimate(0.5, drawn, np.array([0, 1])) == Estimate(0.5, 0.025, 0.975)
    assert estimate(0.5, drawn, np.array([1, 1])) == Estimate(0.5)
    assert estimate(0.5, np.array([np.nan]), np.array([0, 1])) == Estimate(0.5)
    assert estimate(0.5, np.empty(0), np.array([0, 1])) == Estimate(0.5)


def test_an_estimate_says_its_figure_and_its_interval() -> None:
    whole = Estimate(0.375, 0.29, 0.446)
    assert whole.text() == "0.375 (0.290 to 0.446)"
    assert whole.text(".4f", ".2f", to=" … ", star="*") == "0.3750* (0.29 … 0.45)"
    assert whole.ends_text(to="…") == "0.290…0.446"
    assert (Estimate(0.375).text(), Estimate(0.375).ends_text()) == ("0.375", "–")
    assert Estimate(None, undefined="no story has two ratings").text() == "–"
    below = Estimate(-0.051, -0.301, 0.384)
    assert (below.text(), below.shown()) == ("-0.051 (-0.301 to 0.384)", "−0.051 (−0.301 to 0.384)")
