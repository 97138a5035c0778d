"""How many ratings stand where on the scale."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judgments.distribution import MOST_VALUES, distribution_of

SCALE = (1, 2, 3, 4, 5)


def test_half_points_are_steps_of_their_own() -> None:
    values, groups = np.array([1.5, 1.5, 4.0, 2.0, 4.5]), np.array([0, 0, 0, 1, 1])
    found = distribution_of(values, groups, ["a", "b"], SCALE)
    assert [step.text for step in found.steps] == ["1", "1.5", "2", "3", "4", "4.5", "5"]
    assert found.counts == {"a": (0, 2, 0, 0, 1, 0, 0), "b": (0, 0, 1, 0, 0, 1, 0)}
    assert (found.between, found.ranges) == (3, False)


def test_where_too_many_values_occur_ranges_are_counted_with_their_ends_named() -> None:
    values = np.array([*np.linspace(1.01, 4.99, 40), 4.0, 5.0, 2.0])
    found = distribution_of(values, np.zeros(len(values), np.intp), ["a"], SCALE)
    assert [step.text for step in found.steps] == ["1 to under 2", "2 to under 3", "3 to under 4", "4 to 5"]
    assert found.counts == {"a": (10, 11, 10, 12)}
    assert (found.between, found.ranges) == (40, True)
    assert found.by_system["a"]["3 to under 4"] == 10


def test_a_long_scale_that_is_kept_has_all_its_steps() -> None:
    found = distribution_of(np.array([100.0]), np.zeros(1, np.intp), ["a"], range(101))
    assert (len(found.steps), found.between, found.ranges) == (101, 0, False)


@given(st.lists(st.floats(-2, 8, allow_nan=False), max_size=60))
def test_every_rating_is_counted_where_it_is(ratings: list[float]) -> None:
    """Also those off the scale, which a file may bring to a study whose form was changed."""
    values = np.array(ratings)
    found = distribution_of(values, np.zeros(len(values), np.intp), ["a"], SCALE)
    assert len(found.steps) <= MOST_VALUES
    for step, number in zip(found.steps, found.counts["a"], strict=True):
        near = np.round(values, 4)
        upto = near <= step.high if step.last or step.low == step.high else near < step.high
        assert number == np.count_nonzero((near >= step.low) & upto)
    assert sum(found.counts["a"]) == len(ratings)
