"""Numbers of tokens from what is told of the likeliest, against the slow and obvious way."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tokens import ENTROPY_OF, likelier, likelihood_rows

LOGARITHMS = st.integers(-60, 0).map(lambda value: value / 10)  # coarse, so that some are equal
NAN = pytest.approx(math.nan, nan_ok=True)


@st.composite
def told(draw: st.DrawFn) -> tuple[list[float], list[list[float]]]:
    """Tokens, and of each place some of the likeliest, at most twelve."""
    places = draw(st.lists(st.lists(LOGARITHMS, max_size=12), min_size=1, max_size=6))
    own = [draw(LOGARITHMS) for _ in places]
    return own, [sorted(place, reverse=True) for place in places]


def table(places: list[list[float]]) -> np.ndarray:
    most = max(map(len, places))
    return np.array([place + [math.nan] * (most - len(place)) for place in places]).reshape(len(places), most)


def plain(log_p: float, place: list[float]) -> list[float]:
    ten = place[:ENTROPY_OF]
    fraction = math.exp(min(0.0, log_p - ten[0])) if ten else math.nan
    among = float(log_p >= ten[-1]) if ten else math.nan
    if len(ten) < ENTROPY_OF:  # one below the last that is listed may be among ten
        return [-log_p, fraction, 1.0 if among == 1 else math.nan, math.nan]
    p = [math.exp(value) for value in ten]
    return [-log_p, fraction, among, -sum(one / sum(p) * math.log(one / sum(p)) for one in p)]


@given(told())
def test_rows_are_those_of_each_token_alone(given_told: tuple[list[float], list[list[float]]]) -> None:
    own, places = given_told
    rows = likelihood_rows(np.array(own), table(places))
    assert rows.shape == (len(own), 4)
    for row, log_p, place in zip(rows, own, places, strict=True):
        assert row.tolist() == pytest.approx(plain(log_p, place), abs=1e-12, nan_ok=True)


@given(told(), st.integers(1, 99))
def test_ranks_are_counted_where_they_can_be(given_told: tuple[list[float], list[list[float]]], count: int) -> None:
    own, places = given_told
    ranks = likelier(np.array(own), table(places), np.full(len(own), float(count)))
    for rank, log_p, place in zip(ranks, own, places, strict=True):
        listed = bool(place) and log_p >= place[-1]
        assert rank == (sum(value > log_p for value in place) if listed else count - 1)


def test_nobody_knows_a_rank_that_is_not_told() -> None:
    (rank,) = likelier(np.array([-5.0]), np.array([[-1.0, -2.0]]), np.array([math.nan]))
    assert rank == NAN
