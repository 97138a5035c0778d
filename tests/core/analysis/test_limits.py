"""One rater and the ceiling of a table's ratings."""

from pathlib import Path

import numpy as np
import pytest

from core.analysis.limits import NO_LIMITS, limits
from core.annotation.agreement import ceiling, one_rater
from core.formats.mans import read_mans
from core.formats.union import read_union
from tests.core.analysis.test_subsets import TYPES, made, of


def test_the_released_data(shared: Path) -> None:
    mans = limits(of(read_mans(shared / "mans-roc" / "mans_roc.json"), ()))
    union = limits(of(read_union(shared / "union-roc"), TYPES))
    assert [mans.one_rater, union.one_rater] == pytest.approx([0.846, 0.281], abs=0.005)
    assert [mans.ceiling, union.ceiling] == pytest.approx([0.972, 0.748], abs=0.0005)


def test_many_stories_are_drawn_less_often() -> None:
    ratings = np.random.default_rng(0).integers(1, 6, (50_000, 2)).astype(float)
    found = limits(made(ratings, {}), seed=4)
    assert found.one_rater == one_rater(ratings, seed=4, draws=20)
    assert found.ceiling == ceiling(ratings)


def test_no_ratings() -> None:
    assert limits(made(np.empty((0, 0)), {})) == NO_LIMITS
    assert limits(made(np.array([[1.0], [2], [3]]), {})) == NO_LIMITS
