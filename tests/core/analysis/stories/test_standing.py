"""A story's ranks are those of SciPy, whatever is missing or equal."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from core.analysis.stories.standing import PEOPLE, Standing, in_upper_half, mid_rank, ranked_so_far, standings
from core.scores import NOT_YET, ScoreColumn, ScoreTable

VALUES = st.lists(st.sampled_from([-1.5, 0.0, 0.5, 2.0, np.nan]) | st.floats(-9, 9), min_size=1, max_size=30)


@given(VALUES)
def test_equals_scipy(values: list[float]) -> None:
    column = np.array(values)
    known = np.flatnonzero(np.isfinite(column))
    if len(known):
        wanted = rankdata(-column[known])
        assert [mid_rank(column, place) for place in known.tolist()] == wanted.tolist()


def table() -> ScoreTable:
    nan = np.nan
    return ScoreTable(
        tuple("abcd"),
        tuple("ppqq"),
        tuple("xyxy"),
        ("one", "two", "three", "four"),
        np.array([3.0, 5.0, 3.0, nan]),
        (
            ScoreColumn("m", "m|v:1", np.array([1.0, 1.0, 1.0, 0.5]), {}),
            ScoreColumn("n", "n|v:1", np.array([nan, nan, 2.0, nan]), {0: "the story is empty"}),
        ),
    )


def test_people_stand_first_then_every_metric() -> None:
    people, m, n = standings(table(), 0)
    assert (people.name, people.value, people.rank, people.among) == (PEOPLE, 3.0, 2.5, 3)
    assert (m.name, m.value, m.rank, m.among) == ("m", 1.0, 2.0, 4)
    assert (n.value, n.rank, n.among, n.reason) == (None, None, 1, "the story is empty")


@pytest.mark.parametrize(("place", "reasons"), [(1, ["", "", NOT_YET]), (3, ["nobody's rating of it counts yet", "",
                                                                         NOT_YET])])  # fmt: skip
def test_what_is_missing_has_a_reason(place: int, reasons: list[str]) -> None:
    assert [one.reason for one in standings(table(), place)] == reasons


def test_the_upper_half_has_the_middle() -> None:
    ranked = [Standing("m", 0.0, rank, 5) for rank in (1.0, 3.0, 3.5, 5.0, None)]
    assert list(map(in_upper_half, ranked)) == [True, True, False, False, False]


def test_ranks_among_the_stories_scored_so_far_are_said_to_be() -> None:
    people, m, n = standings(table(), 2)
    assert (people.to_come, m.to_come, n.to_come) == (0, 0, 2)
    assert ranked_so_far((people, m)) == ""
    assert ranked_so_far((people, m, n)) == "So far n has scored 1 story: its rank is among these."
    assert ranked_so_far((n, replace(n, name="o"), replace(n, name="q", among=1_000))) == (
        "So far n has scored 1 story, o 1 and q 1,000: their ranks are among these."
    )
    assert ranked_so_far(standings(table(), 0)) == ""  # it has no rank by n
