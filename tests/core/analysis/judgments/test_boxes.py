"""Boxes of mean ratings, against numpy and by hand."""

import numpy as np
import pytest

from core.analysis.judgments.boxes import FEW, box


def test_a_box_by_hand() -> None:
    # 13 stories: quartiles are the 4th, 7th and 10th; the whiskers reach from 2 - 1.5 to 3 + 1.5.
    values = np.array([1, 2, 2, 2, 2.4, 2.5, 2.5, 2.5, 2.6, 3, 3, 4.5, 4.75])
    found = box(values)
    assert (found.n, found.q1, found.median, found.q3) == (13, 2, 2.5, 3)
    assert (found.low, found.high) == (1, 4.5)
    assert found.points == ((4.75, 1),)
    assert found.mean == pytest.approx(values.mean())
    assert found.sd == pytest.approx(values.std(ddof=1))


@pytest.mark.parametrize("seed", range(20))
def test_quartiles_are_numpys_and_whiskers_hold_no_outlier(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(3, 1, rng.integers(FEW + 1, 60)).clip(1, 5) * 5) / 5
    found = box(values)
    np.testing.assert_allclose((found.q1, found.median, found.q3), np.percentile(values, [25, 50, 75]))
    assert found.low <= found.q1 <= found.median <= found.q3 <= found.high
    reach = 1.5 * (found.q3 - found.q1)
    assert found.q1 - reach - 1e-9 <= found.low
    assert found.high <= found.q3 + reach + 1e-9
    outside = (values < found.q1 - reach - 1e-9) | (values > found.q3 + reach + 1e-9)
    assert sum(number for _, number in found.points) == outside.sum()


def test_few_stories_are_drawn_one_by_one() -> None:
    found = box(np.array([3.0, 3.0, 4.0]))
    assert found.points == ((3.0, 2), (4.0, 1))
    assert (found.low, found.high) == (3, 4)
    one = box(np.array([2.0]))
    assert (one.n, one.sd, one.q1, one.high, one.points) == (1, None, 2, 2, ((2.0, 1),))
    assert sum(number for _, number in box(np.linspace(1, 5, FEW)).points) == FEW
    assert box(np.linspace(1, 5, FEW + 1)).points == ()


def test_a_box_is_small_however_many_stories_it_stands_for() -> None:
    values = np.concatenate([np.full(100_000, 3.0), np.random.default_rng(0).uniform(1, 5, 20_000)])
    assert len(box(values).points) <= 401


def test_no_story_has_no_box() -> None:
    with pytest.raises(ValueError, match="at least one"):
        box(np.array([]))
