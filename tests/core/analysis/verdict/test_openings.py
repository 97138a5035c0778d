"""What opens an analysis of many metrics: a clear result, none, and too few data."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.analysis.correlation.partial import Partial, PartialCorrelation
from core.analysis.drift.subsets import DatasetDrift, DatasetRow, Subset
from core.analysis.significance.tests import PairTest, Ranked, Significance, SignificanceSettings
from core.analysis.verdict.openings import (
    on_held_equal,
    on_other_studies,
    on_pairs,
    on_pairs_right,
    on_pairs_within,
    on_types,
    with_ends,
)
from core.analysis.verdict.subsets import SubsetResult
from core.statistics.correlation import NOTHING, Coefficient
from core.statistics.intervals import Estimate
from core.statistics.pairwise import NO_PAIRS, Pairwise

ABOVE, OPEN, BELOW = Estimate(0.4, 0.2, 0.6), Estimate(0.1, -0.2, 0.4), Estimate(-0.4, -0.6, -0.2)


def part(r: Estimate, n: int = 60, prompts: int = 20) -> SubsetResult:
    return SubsetResult("a type", n, prompts, r)


def test_error_types_that_metrics_see_come_first() -> None:
    types = {
        "logic": [part(ABOVE), part(OPEN), part(BELOW)],
        "plots": [part(ABOVE), part(ABOVE), part(OPEN)],
        "scenes": [part(ABOVE, n=29)] * 3,
    }
    assert on_types(types) == (
        "By 95 % intervals of r above 0, error types are told from reasonable stories: plots by 2 of 3 metrics, logic "
        "by 1 of 3 metrics; of scenes there are too few stories to say."
    )


def test_error_types_that_no_metric_sees() -> None:
    assert on_types({"logic": [part(OPEN), part(BELOW)]}) == (
        "No metric is shown to tell stories with logic from reasonable ones."
    )


def test_an_end_beside_0_shows_on_which_side_it_lies() -> None:
    assert with_ends(Estimate(0.15, -0.0012, 0.29)) == "0.15 (−0.001 to 0.29)"
    assert with_ends(Estimate(0.17, 0.0031, 0.32)) == "0.17 (0.003 to 0.32)"


@pytest.mark.parametrize(("n", "prompts"), [(29, 20), (60, 9)])
def test_of_small_sets_of_error_types_nothing_is_claimed(n: int, prompts: int) -> None:
    said = on_types({"logic": [part(ABOVE, n, prompts)], "plots": [part(ABOVE, 5, 5)]})
    assert said is not None
    assert said.startswith("It is too early")
    assert f"{n} stories of {prompts} prompts" in said
    assert on_types({}) is None


def coefficient(of: Estimate) -> Coefficient:
    return Coefficient(of.value, low=of.low, high=of.high)


def partial(both: Estimate | None, length: Estimate = OPEN, n: int = 60) -> Partial:
    def held(of: Estimate | None) -> PartialCorrelation:
        return PartialCorrelation(coefficient(of)) if of else PartialCorrelation(NOTHING, "one system")

    nothing = Estimate(None)
    return Partial(n, 3, held(ABOVE), held(both), held(length), held(both), held(OPEN), nothing, nothing)


def test_what_is_left_with_system_and_length_held_equal() -> None:
    assert on_held_equal(["x", "y", "z"], [partial(OPEN), partial(ABOVE), partial(BELOW)], [20] * 3) == (
        "With system and length held equal, 1 of 3 metrics still agrees with people: y, r 0.40 (0.20 to 0.60)."
    )


def test_the_metric_that_is_named_is_one_that_still_agrees() -> None:
    """One that is half scored has a higher r here, of which nothing is shown."""
    half_scored, lower = partial(Estimate(0.45, -0.1, 0.8)), partial(Estimate(0.3, 0.1, 0.5))
    assert on_held_equal(["half", "y", "z"], [half_scored, partial(ABOVE), lower], [20] * 3) == (
        "With system and length held equal, 2 of 3 metrics still agree with people; of these y has the highest r, 0.40 "
        "(0.20 to 0.60)."
    )


def test_nothing_left_with_system_and_length_held_equal() -> None:
    assert on_held_equal(["x", "y"], [partial(OPEN), partial(BELOW)], [20, 20]) == (
        "With system and length held equal, no metric is shown to agree with people: the highest r is that of x, 0.10 "
        "(−0.20 to 0.40)."
    )


def test_of_one_system_length_alone_is_held_equal() -> None:
    said = on_held_equal(["x"], [partial(None, ABOVE)], [20])
    assert said is not None
    assert said.startswith("At equal length, 1 of 1 metric still agrees")


@pytest.mark.parametrize(("n", "prompts"), [(29, 20), (60, 9)])
def test_of_few_stories_nothing_is_said_to_be_left(n: int, prompts: int) -> None:
    said = on_held_equal(["x"], [partial(ABOVE, n=n)], [prompts])
    assert said is not None
    assert said.startswith("It is too early")
    assert on_held_equal([], [], []) is None


def significance(*tests: PairTest, metrics: Sequence[str] = "xyz") -> Significance:
    ranking = tuple(Ranked(name, 60, 0.5) for name in metrics)
    return Significance(SignificanceSettings(), 60, ranking, tests, ())


def pair(a: str, b: str, p: float | None) -> PairTest:
    return PairTest(a, b, 60, p_holm=p)


def test_which_metrics_tests_tell_apart() -> None:
    some = significance(pair("x", "y", 0.3), pair("x", "z", 0.01), pair("y", "z", 0.2))
    assert on_pairs(some) == (
        "1 of 3 pairs of metrics is told apart (corrected for their number); x, the best, cannot be told apart from y."
    )
    best = significance(pair("x", "y", 0.01), pair("x", "z", 0.01), pair("y", "z", 0.2))
    assert (
        on_pairs(best) == "x is told apart from every other metric; of all 3 pairs 2 are (corrected for their number)."
    )


def test_an_untested_metric_is_not_said_to_be_told_apart() -> None:
    said = on_pairs(significance(pair("x", "y", 0.01), pair("x", "v", 0.01), pair("x", "z", None), metrics="xyvz"))
    assert (
        said
        == "x is told apart from every one that could be tested; of all 2 pairs 2 are (corrected for their number)."
    )
    assert on_pairs(significance(pair("x", "y", 0.01), metrics="xy")) == "x is told apart from y."


def test_no_metrics_are_told_apart() -> None:
    said = on_pairs(significance(pair("x", "y", 0.3), pair("x", "z", 0.2), pair("y", "z", 0.9)))
    assert said == "No test tells any two of these 3 metrics apart, which does not show that they are equal."
    with_judge = on_pairs(significance(pair("x", "m:overall", 0.3), metrics=["x", "m:overall"]))
    assert with_judge is not None
    assert with_judge.startswith("No test tells any two of these 1 metric and 1 judge apart")
    assert on_pairs(significance(pair("x", "y", None), metrics="xy")) is None


def drift(*changes: Estimate, n: int = 60) -> DatasetDrift:
    rows = [DatasetRow("m", ("s", "s"), (ABOVE, ABOVE), (60, n), (change,), (None,)) for change in changes]
    return DatasetDrift((Subset("here", 60), Subset("there", n)), 1000, 0, tuple(rows), {})


def told(found: DatasetDrift, **prompts: Any) -> str:
    return on_other_studies(found, {"here": 20, "there": 20} | prompts)


def test_metrics_that_change_in_another_study() -> None:
    assert told(drift(BELOW, BELOW, ABOVE, OPEN)) == (
        "In there, of 4 metrics, 2 agree less with people than in here and 1 more."
    )


def test_no_metric_is_shown_to_change() -> None:
    assert told(drift(OPEN, OPEN)) == "In there no metric is shown to agree with people more or less than in here."


def test_of_small_studies_no_change_is_claimed() -> None:
    assert told(drift(BELOW, n=29)).startswith("Of there nothing can be said yet")
    assert told(drift(BELOW), there=9).startswith("Of there nothing can be said yet")


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([0.6, 0.6, None], ""),
        ([0.6, 0.605, 0.2], ""),  # less than a hundredth
        ([None, 0.9, 0.2], ""),  # the first has none to compare
        ([0.6, 0.55, 0.7], "c comes first: it orders 70.0% of them as people do, a 60.0%."),
        ([0.6, 0.70001, 0.7], "b and c come first: each orders 70.0% of them as people do, a 60.0%."),
    ],
)
def test_another_metric_that_pairs_put_first_is_named(shares: list[float | None], said: str) -> None:
    assert on_pairs_within("abc", shares).removeprefix("By pairs (acc_eq, where near scores count as a tie) ") == said


def test_fewer_pairs_right_than_anothers_are_explained_by_ties() -> None:
    judge = Pairwise(0.6, 1000, 200, 50, 20)  # ties 22 %, people 7 %: by chance 0.0154 + 0.78 * 0.93 / 2
    other = Pairwise(0.64, 1000, 0, 70, 0)  # by chance 0.465
    assert on_pairs_right("judge", {"other": other, "judge": judge}) == (
        "other has more pairs right than judge, 64.0% against 60.0%, because judge ties 22.0% of them: beyond chance "
        "judge has 22.2 percentage points, the most of all, and other 17.5."
    )
    assert not on_pairs_right("other", {"other": other, "judge": judge})  # no contradiction
    assert not on_pairs_right("judge", {"other": replace(other, accuracy=0.7), "judge": judge})  # ties are not all
    assert not on_pairs_right("judge", {"other": other, "judge": NO_PAIRS})
