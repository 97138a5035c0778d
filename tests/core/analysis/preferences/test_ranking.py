"""Systems ranked by preferences: properties, edge cases, and the strengths of simulated data."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import Ranking, SystemStrength, rank
from tests.core.analysis.preferences.judged import preferences, simulated


def by_name(ranking: Ranking) -> dict[str, SystemStrength]:
    return {row.system: row for row in ranking.rows}


def test_a_small_one_by_hand() -> None:
    judged = preferences("ab", ("a", "b", -1), ("b", "a", 1), ("a", "b", -2), ("a", "b", 0), ("a", "b", 1))
    ranking = rank(judged, resamples=50)
    a, b = ranking.rows
    assert (a.system, a.judgments, a.wins, a.ties, a.losses) == ("a", 5, 3, 1, 1)
    assert (b.system, b.wins, b.ties, b.losses) == ("b", 1, 1, 3)
    assert a.share.value == pytest.approx(0.7)
    # Of two systems the shares are the probabilities: pi_a / pi_b = 3, nu = 1 / sqrt(3).
    assert a.strength.value == pytest.approx(np.log(3) / 2)
    assert ranking.nu.value == pytest.approx(1 / np.sqrt(3))
    half = np.sqrt(3) ** 0.5
    assert a.chance.value == pytest.approx((half + 0.5 / np.sqrt(3)) / (half + 1 / half + 1 / np.sqrt(3)))
    assert (a.rank.value, b.rank.value) == (1, 2)
    assert ranking.ties.value == pytest.approx(0.2)
    assert (ranking.decided, ranking.first.value) == (4, 0.5)
    assert ranking.table[0][1].judgments == 5
    assert ranking.table[0][1].share.value == pytest.approx(0.7)
    assert ranking.table[1][0].share.value == pytest.approx(0.3)
    assert ranking.table[0][0].share.value is None
    (difference,) = ranking.differences
    assert difference.difference.value == pytest.approx(np.log(3))
    assert difference.p == difference.p_holm
    assert ranking.groups == (("a", "b"),)


def test_strong_differences_make_groups() -> None:
    ranking = rank(simulated(np.array([2.0, 2.0, 0.0, -2.0, -2.0]), 2000, prompts=200), resamples=200)
    assert [set(group) for group in ranking.groups] == [
        {"system 00", "system 01"},
        {"system 02"},
        {"system 03", "system 04"},
    ]
    assert [row.group for row in ranking.rows] == [1, 1, 2, 3, 3]
    assert all(row.separated == (row.p_holm <= 0.05) for row in ranking.differences if row.p_holm is not None)


def test_equal_systems_are_one_group() -> None:
    for seed in range(5):
        ranking = rank(simulated(np.zeros(6), 900, prompts=90, seed=seed), resamples=200)
        assert len(ranking.groups) == 1


def swapped(judged: Preferences) -> Preferences:
    return replace(
        judged,
        first=judged.second,
        second=judged.first,
        choice=-judged.choice,
        first_story=judged.second_story,
        second_story=judged.first_story,
    )


@given(st.integers(0, 1000))
def test_sides_do_not_matter_but_for_the_share_of_the_first(seed: int) -> None:
    judged = simulated(np.array([0.5, 0.0, -0.5]), 90, prompts=15, seed=seed)
    one, other = rank(judged, resamples=30), rank(swapped(judged), resamples=30)
    for a, b in zip(one.rows, other.rows, strict=True):
        assert (a.system, a.wins, a.ties, a.losses) == (b.system, b.wins, b.ties, b.losses)
        assert a.strength.value == pytest.approx(b.strength.value)
        assert a.strength.low == pytest.approx(b.strength.low)
        assert a.share == b.share
    assert one.groups == other.groups
    assert one.first.value is not None
    assert other.first.value == pytest.approx(1 - one.first.value)


@given(st.integers(0, 1000), st.permutations(range(4)))
def test_names_do_not_matter(seed: int, order: list[int]) -> None:
    judged = simulated(np.array([0.8, 0.2, -0.3, -0.7]), 120, prompts=20, seed=seed)
    renamed = np.array(order)
    one = by_name(rank(judged, resamples=30))
    other = by_name(rank(replace(judged, first=renamed[judged.first], second=renamed[judged.second]), resamples=30))
    for old, new in enumerate(order):
        a, b = one[judged.systems[old]], other[judged.systems[new]]
        assert a.strength.value == pytest.approx(b.strength.value)
        assert (a.strength.low, a.strength.high) == pytest.approx((b.strength.low, b.strength.high))
        assert a.rank == b.rank
        assert a.chance.value == pytest.approx(b.chance.value)


def test_the_size_of_choices_does_not_matter() -> None:
    judged = simulated(np.array([0.8, 0.2, -0.3]), 120, prompts=20, strongest=3)
    assert rank(judged, resamples=30) == rank(replace(judged, choice=np.sign(judged.choice)), resamples=30)


def test_nothing() -> None:
    ranking = rank(preferences("ab"))
    assert ranking.undefined == "there are no judgments between two systems"
    assert [row.judgments for row in ranking.rows] == [0, 0]
    assert ranking.ties.value is None
    assert ranking.groups == ()


def test_all_ties() -> None:
    ranking = rank(preferences("abc", ("a", "b", 0), ("b", "c", 0), ("c", "a", 0)))
    assert ranking.undefined is not None
    assert "every judgment is a tie" in ranking.undefined
    assert ranking.ties.value == 1
    assert ranking.first.undefined == "no judgment prefers a side"
    assert [row.share.value for row in ranking.rows] == [0.5, 0.5, 0.5]
    assert {row.strength.undefined for row in ranking.rows} == {ranking.undefined}


def test_two_parts() -> None:
    ranking = rank(preferences("abcd", ("a", "b", -1), ("b", "a", -1), ("c", "d", -1), ("d", "c", 1)))
    assert ranking.parts == (("a", "b"), ("c", "d"))
    assert ranking.undefined == "no judgment joins these parts, so they have no common scale: a, b; c, d"
    assert ranking.rows[0].share.value == 1
    assert all(row.strength.value is None for row in ranking.rows)
    assert ranking.draws == 0


def test_a_system_that_nobody_has_judged_does_not_stop_the_others() -> None:
    ranking = rank(preferences("abz", *[("a", "b", -1), ("b", "a", -1)] * 3), resamples=20)
    assert ranking.undefined is None
    assert ranking.rows[-1].system == "z"
    assert ranking.rows[-1].strength.undefined == "nobody has judged a story of this system"
    assert ranking.groups == (("a", "b"),)
    assert ranking.table[2][0].share.undefined == "nobody has compared the two"


def test_one_prompt_has_no_interval() -> None:
    judged = preferences("ab", *[("a", "b", -1), ("b", "a", -1), ("a", "b", -1)], prompts=[0, 0, 0])
    ranking = rank(judged)
    for row in ranking.rows:
        assert row.strength.value is not None
        assert row.strength.low is row.rank.low is row.share.low is row.chance.low is None
    assert ranking.first.low is None
    assert ranking.differences[0].p is None
    assert ranking.groups == ()
    assert [row.group for row in ranking.rows] == [None, None]


@pytest.mark.parametrize("sign", [1, -1])
def test_one_system_that_wins_or_loses_everything(sign: int) -> None:
    """As a damaged story does: it is last, the others keep their intervals, and the reason is said."""
    even = [("a", "b", -1), ("b", "a", -1), ("a", "b", 0), ("a", "x", sign), ("x", "b", -sign)] * 6
    ranking = rank(preferences("abx", *even), resamples=100)
    rows = by_name(ranking)
    assert ranking.penalised is not None
    assert ranking.penalised.startswith("each of these groups has won or lost everything against the others: a, b; x.")
    assert ranking.rows[0 if sign > 0 else -1].system == "x"
    assert rows["x"].extreme
    assert not rows["a"].extreme
    assert rows["x"].strength.low is None
    assert rows["x"].rank.low is not None
    assert rows["a"].strength.low is not None
    assert rows["x"].share.low == pytest.approx(0.79, abs=0.05) if sign > 0 else rows["x"].share.low == 0
    assert ranking.draws_penalised == ranking.draws - ranking.draws_apart
    assert {difference.difference.low is None for difference in ranking.differences} == {True, False}


def test_three_wins_of_three_tell_nothing_apart() -> None:
    """All draws are alike, but three judgments are three judgments."""
    ranking = rank(preferences("ab", *[("a", "b", -1)] * 3))
    assert ranking.differences[0].p is not None
    assert ranking.differences[0].p > 0.05
    assert ranking.groups == (("a", "b"),)
    assert all(row.extreme for row in ranking.rows)


def test_ties_that_alone_contradict() -> None:
    ranking = rank(preferences("ab", ("a", "b", -1), ("a", "b", -1), ("b", "a", 0)))
    assert ranking.penalised is not None
    assert ranking.penalised.startswith("only ties speak against the order")
    assert all(row.extreme for row in ranking.rows)


def test_draws_that_fall_apart_are_counted_and_left_out() -> None:
    judged = preferences("abc", *[("a", "b", -1), ("b", "a", -1), ("b", "c", -1), ("c", "b", -1)])
    ranking = rank(judged, resamples=200)
    assert 0 < ranking.draws_apart < 200
    assert ranking.rows[0].strength.low is not None


@pytest.mark.slow
def test_intervals_hold_the_strengths_about_as_often_as_they_say() -> None:
    true = np.array([1.0, 0.4, 0.0, -0.4, -1.0])
    held = []
    for seed in range(120):
        ranking = rank(simulated(true, 600, prompts=100, seed=seed), resamples=300)
        for row in ranking.rows:
            place = int(row.system.removeprefix("system "))
            assert row.strength.low is not None
            assert row.strength.high is not None
            held.append(row.strength.low <= true[place] <= row.strength.high)
    assert 0.92 <= np.mean(held) <= 0.975


@pytest.mark.slow
def test_equal_systems_are_told_apart_about_as_seldom_as_they_should() -> None:
    found = [
        any(
            row.separated for row in rank(simulated(np.zeros(4), 240, prompts=40, seed=seed), resamples=200).differences
        )
        for seed in range(150)
    ]
    assert np.mean(found) <= 0.1
