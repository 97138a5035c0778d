"""The band of a least-squares line, against fitting every draw anew."""

import numpy as np
import pytest

from core.statistics.line import line_band


def test_the_band_is_that_of_fitting_every_draw_anew() -> None:
    rng = np.random.default_rng(2)
    prompts = [f"p{i // 4}" for i in range(160)]
    x = rng.normal(1e6, 1e3, 160)
    y = 3 + (x - 1e6) / 1e3 + rng.normal(0, 1, 160)
    at = np.linspace(x.min(), x.max(), 5)
    band = line_band(x, y, prompts, at, seed=4, resamples=2000)
    assert band is not None
    names, of = np.unique(prompts, return_inverse=True)
    lines = []
    for _ in range(2000):
        rows = np.concatenate([np.flatnonzero(of == integer) for integer in rng.integers(0, len(names), len(names))])
        lines.append(np.polyval(np.polyfit(x[rows] - 1e6, y[rows], 1), at - 1e6))
    low, high = np.percentile(lines, [2.5, 97.5], axis=0)
    assert band[0] == pytest.approx(low, abs=0.06)
    assert band[1] == pytest.approx(high, abs=0.06)
    assert (band[0] < np.polyval(np.polyfit(x, y, 1), at)).all()


def test_two_prompts_have_none() -> None:
    x = np.arange(8.0)
    assert line_band(x, x, ["a", "b"] * 4, x) is None
