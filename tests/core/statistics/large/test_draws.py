"""Draws on disk are those of memory, and so is what is reckoned with them."""

import numpy as np
import pytest

from core import arrays
from core.statistics.draws import copies_of
from core.statistics.large.draws import AT_ONCE, columns_of, copies_on_disk, in_draws


@pytest.mark.parametrize("resamples", [1, AT_ONCE, AT_ONCE + 3])
@pytest.mark.parametrize("largest", [10, 10**6])
def test_the_same_draws(monkeypatch: pytest.MonkeyPatch, resamples: int, largest: int) -> None:
    monkeypatch.setattr(arrays, "BLOCK", 13)
    monkeypatch.setattr(arrays, "LARGEST_AT_ONCE", largest)
    rng = np.random.default_rng(5)
    by_prompt, own = rng.normal(size=(101, 3)), np.array([4, 99, 7, *range(20, 40)])
    usual = np.concatenate(list(copies_of(101, 10**6, 3, resamples)))
    blocks = [
        (rows.copy(), in_draws(rows, by_prompt), columns_of(rows, own).copy())
        for rows in copies_on_disk(101, 3, resamples)
    ]
    copies, sums, chosen = (np.concatenate(column) for column in zip(*blocks, strict=True))
    np.testing.assert_array_equal(copies, usual)
    np.testing.assert_allclose(sums, usual @ by_prompt)
    np.testing.assert_array_equal(chosen, usual[:, own])
