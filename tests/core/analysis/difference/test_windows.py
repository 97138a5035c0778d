"""Sets of stories: the paper's, fewer stories, very many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.difference.windows import Plan, plan


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1000, Plan(200, 10, 80)),  # the paper's: 6,400 pairs
        (999, Plan(199, 10, 80)),
        (400, Plan(80, 4, 80)),
        (399, Plan(79, 4, 80)),
        (200, Plan(40, 2, 80)),
        (150, Plan(30, 2, 60)),
        (149, Plan(29, 1, 120)),
        (50, Plan(10, 1, 40)),
        (2200, Plan(200, 10, 200)),
        (2201, Plan(200, 11, 181)),
        (100_000, Plan(200, 499, 200)),
        (0, Plan(0, 1, 0)),
    ],
)
def test_sets_of(n: int, expected: Plan) -> None:
    assert plan(n) == expected


@given(st.integers(50, 1_000_000))
def test_sets_lie_within_the_stories(n: int) -> None:
    result = plan(n)
    assert 40 <= result.number <= 200
    assert result.pairs == result.number**2
    assert result.starts[-1] + result.size <= n
    assert np.all(np.diff(result.starts) == result.stride)
    assert result.as_published == (1000 <= n <= 2200)


@given(st.integers(50, 2200))
def test_a_story_more_changes_a_set_by_one_story_at_most(n: int) -> None:
    item, next_one = plan(n), plan(n + 1)
    assert 0 <= next_one.size - item.size <= 1
    assert 0 <= next_one.stride - item.stride <= 1


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (60, "60 rated stories: 48 sets of 12, each begins 1 story after the one before; 2,304 ordered pairs, each"),
        (150, "150 rated stories: 60 sets of 30, each begins 2 stories after the one before; 3,600 ordered pairs, ea"),
        (
            1000,
            "1,000 rated stories: 80 sets of 200, each begins 10 stories after the one before; 6,400 ordered pairs,",
        ),
        (9000, "9,000 rated stories: 200 sets of 200, each begins 44 stories after the one before; 40,000 ordered pai"),
    ],
)
def test_the_sentence_about_the_sets_is_true(n: int, said: str) -> None:
    result = plan(n).words(n)
    assert result.startswith(said)
    assert "ordered pairs, each set with itself too, as in the paper." in result
    assert ("scaled down to whole stories" in result) == (n < 1000)
    assert ("200 at most" in result) == (n > 2200)
