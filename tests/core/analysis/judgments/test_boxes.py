"""Boxes of mean ratings, against numpy and by hand."""

import numpy as np
import pytest

from core.analysis.judgments.boxes import FEW, box


def test_a_box_by_hand() -> None:
    # 13 stories: quartiles are the 4th, 7th and 10th; the whiskers reach from 2 - 1.5 to 3 + 1.5.
    values = np.array([1, 2, 2, 2, 2.4, 2.5, 2.5, 2.5, 2.6, 3, 3, 4.5, 4.75])
    result = box(values)
    assert (result.n, result.q1, result.median, result.q3) == (13, 2, 2.5, 3)
    assert (result.low, result.high) == (1, 4.5)
    assert result.points == ((4.75, 1),)
    assert result.mean == pytest.approx(values.mean())
    assert result.sd == pytest.approx(values.std(ddof=1))


@pytest.mark.parametrize("seed", range(20))
def test_quartiles_are_numpys_and_whiskers_hold_no_outlier(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(3, 1, rng.integers(FEW + 1, 60)).clip(1, 5) * 5) / 5
    result = box(values)
    np.testing.assert_allclose((result.q1, result.median, result.q3), np.percentile(values, [25, 50, 75]))
    assert result.low <= result.q1 <= result.median <= result.q3 <= result.high
    reach = 1.5 * (result.q3 - result.q1)
    assert result.q1 - reach - 1e-9 <= result.low
    assert result.high <= result.q3 + reach + 1e-9
    outside = (values < result.q1 - reach - 1e-9) | (values > result.q3 + reach + 1e-9)
    assert sum(number for _, number in result.points) == outside.sum()


def test_few_stories_are_drawn_one_by_one() -> None:
    result = box(np.array([3.0, 3.0, 4.0]))
    assert result.points == ((3.0, 2), (4.0, 1))
    assert (result.low, result.high) == (3, 4)
    item = box(np.array([2.0]))
    assert (item.n, item.sd, item.q1, item.high, item.points) == (1, None, 2, 2, ((2.0, 1),))
    assert sum(number for _, number in box(np.linspace(1, 5, FEW)).points) == FEW
    assert box(np.linspace(1, 5, FEW + 1)).points == ()


def test_a_box_is_small_however_many_stories_it_stands_for() -> None:
    values = np.concatenate([np.full(100_000, 3.0), np.random.default_rng(0).uniform(1, 5, 20_000)])
    assert len(box(values).points) <= 401


def test_no_story_has_no_box() -> None:
    with pytest.raises(ValueError, match="at least one"):
        box(np.array([]))
