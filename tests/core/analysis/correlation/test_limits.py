"""One rater and the ceiling of a table's ratings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.analysis.correlation.limits import NO_LIMITS, limits
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.statistics.agreement import ceiling, single_rater
from tests.core.analysis.correlation.subsets import TYPES, table_of, table_of_ratings


def alike(stories: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Two ratings a story that agree in part."""
    rng = np.random.default_rng(0)
    return np.clip(np.round(rng.normal(3, 1, (stories, 1)) + rng.normal(0, 1, (stories, 2))), 1, 5)


def test_the_released_data(shared: Path) -> None:
    mans = limits(table_of(read_mans(shared / "mans-roc" / "mans_roc.json"), ()))
    union = limits(table_of(read_union(shared / "union-roc"), TYPES))
    assert [mans.one_rater, union.one_rater] == pytest.approx([0.846, 0.281], abs=0.005)
    assert [mans.ceiling, union.ceiling] == pytest.approx([0.972, 0.748], abs=0.0005)


@pytest.mark.slow
def test_many_stories_are_drawn_less_often() -> None:
    ratings = alike(50_000)
    result = limits(table_of_ratings(ratings, {}), seed=4)
    assert result.one_rater == single_rater(ratings, seed=4, draws=20)
    assert result.ceiling == ceiling(ratings)


def test_no_ratings() -> None:
    assert limits(table_of_ratings(np.empty((0, 0)), {})) == NO_LIMITS
    assert limits(table_of_ratings(np.array([[1.0], [2], [3]]), {})) == NO_LIMITS


@pytest.mark.parametrize(("coefficient", "call"), [("spearman", stats.spearmanr), ("kendall", stats.kendalltau)])
def test_rank_coefficients_have_a_rater_and_no_ceiling(coefficient: str, call: Callable[..., Any]) -> None:
    """With two ratings a story and one draw, one of them against the other."""
    ratings = np.array([[1.0, 1], [2, 2], [2, 2], [5, 5], [3, 3]])
    other = limits(table_of_ratings(ratings, {}), coefficient)
    assert other.one_rater == pytest.approx(1.0)
    assert other.ceiling is None
    mixed = alike(200)
    each = call(mixed[:, 0], mixed[:, 1]).statistic
    assert limits(table_of_ratings(mixed, {}), coefficient).one_rater == pytest.approx(each, abs=0.05)


def test_ratings_that_do_not_agree_set_no_limits() -> None:
    """Chance gave one rater -0.208 once, and a ceiling of 0: neither is anything to be above or below of."""
    result = limits(table_of_ratings(np.random.default_rng(0).integers(1, 6, (200, 3)).astype(float), {}))
    assert (result.one_rater, result.ceiling) == (None, None)
    assert result.caution is not None
    assert "unknown" in result.caution
