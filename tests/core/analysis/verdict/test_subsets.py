"""The verdict on parts, drift and differences: both sides of every threshold, with its numbers."""

from dataclasses import replace

import pytest

from core.analysis.difference.differences import Difference, reading
from core.analysis.difference.windows import plan
from core.analysis.drift.quality import BiasedSet, DriftRow
from core.analysis.verdict.sentences import Basis
from core.analysis.verdict.subsets import SubsetResult, on_difference, on_drift, on_parts, on_rank_within_systems
from core.statistics.intervals import Estimate
from tests.core.analysis.verdict.sentences import text


def part(
    name: str,
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    n: int = 200,
    prompts: int = 50,
) -> SubsetResult:
    return SubsetResult(name, n, prompts, Estimate(value, low, high, None if value is not None else "all equal"))


@pytest.mark.parametrize(
    ("high", "said"),
    [(0.299, "do not overlap"), (0.3, "but the difference of these two was not tested, so none is claimed.")],
)
def test_a_difference_between_parts_needs_intervals_that_do_not_overlap(high: float, said: str) -> None:
    (sentence,) = on_parts([part("b", 0.5, 0.3, 0.7), part("a", 0.2, 0.1, high)], Basis.SYSTEMS)
    assert said in text(sentence)
    alike = high == 0.299  # as 0.3 in two decimals
    assert f"from {'0.200' if alike else '0.20'} (a," in sentence.text


def test_parts_without_intervals_settle_nothing() -> None:
    (sentence,) = on_parts([part("a", 0.1), part("b", 0.9)], Basis.ERROR_TYPES)
    assert "without intervals" in text(sentence)


@pytest.mark.parametrize(("low", "named"), [(0.0, True), (0.001, False)])
def test_parts_whose_sign_is_open_are_named(low: float, named: bool) -> None:
    sentences = on_parts([part("a", 0.2, low, 0.4), part("b", 0.3, 0.1, 0.5)], Basis.SYSTEMS)
    assert ("Each by itself, 1 of 2 systems has an interval that holds 0: a." in text(*sentences)) is named


def test_undefined_parts_are_said_with_their_reason() -> None:
    sentences = on_parts([part("a", None), part("b", 0.3, 0.1, 0.5)], Basis.ERROR_TYPES)
    sentence = text(*sentences)
    assert "Only one error type allows a correlation: 0.30 (b" in sentence
    assert "undefined for 1 of 2 error types (a: all equal)" in sentence
    assert on_parts([], Basis.ERROR_TYPES) == ()


@pytest.mark.parametrize(
    ("n", "said"),
    [(29, "1 of 2 systems have fewer than 30 stories or 10 prompts and are not compared"),
     (30, "Each by itself, 1 of 2 systems has fewer than 100 stories (30 is the fewest of those compared), so only "),
     (99, "(99 is the fewest of those compared)"), (100, "")],
)  # fmt: skip
def test_small_parts_are_flagged(n: int, said: str) -> None:
    sentences = on_parts([part("a", 0.9, 0.8, 0.95, n), part("b", 0.2, 0.1, 0.3)], Basis.SYSTEMS)
    assert any(sentence.caution for sentence in sentences) is bool(said)
    assert said in text(*sentences)
    assert ("do not overlap" in text(*sentences)) is (n >= 30)


@pytest.mark.parametrize(("prompts", "compared"), [(9, False), (10, True)])
def test_parts_of_few_prompts_are_not_compared(prompts: int, compared: bool) -> None:
    sentences = on_parts([part("a", 0.9, 0.8, 0.95, prompts=prompts), part("b", 0.2, 0.1, 0.3)], Basis.SYSTEMS)
    assert ("do not overlap" in text(*sentences)) is compared
    assert ("1 of 2 systems have fewer than 30 stories or 10 prompts" in text(*sentences)) is not compared


def test_parts_that_are_undefined_for_one_reason_are_named_together() -> None:
    sentences = on_parts([part(name, None) for name in "abcdef"], Basis.ERROR_TYPES)
    assert text(*sentences) == "It is undefined for 6 of 6 error types (a, b, c, d and 2 more: all equal)."


def drift(poor: Estimate, good: Estimate, smallest: float = 100.0) -> tuple[DriftRow, list[BiasedSet]]:
    row = DriftRow("m", "m|v:1", 400, (poor, good), (0, 0))
    return row, [BiasedSet(1, 200.0, 1.0, ()), BiasedSet(8, smallest, 1.0, ())]


@pytest.mark.parametrize(
    ("good", "answer", "said"),
    [
        (Estimate(0.5, 0.301, 0.6), "It drifts: from", "higher on good stories"),
        (Estimate(0.5, 0.3, 0.6), "No drift is shown: from", "bands overlap"),
        (Estimate(0.0, -0.1, 0.1), "No drift is shown: from", "bands overlap"),
        (Estimate(0.0, -0.1, 0.099), "It drifts: from", "lower on good stories"),
        (Estimate(0.0), "Nothing can be said of drift: from", "settles nothing"),
    ],
)
def test_drift_needs_bands_that_do_not_overlap(good: Estimate, answer: str, said: str) -> None:
    (sentence,) = on_drift(*drift(Estimate(0.2, 0.1, 0.3), good))
    assert text(sentence).startswith(answer)
    assert said in text(sentence)


@pytest.mark.parametrize(("sd", "named"), [(1.19, False), (1.2, True), (0.83, True), (0.84, False), (None, False)])
def test_an_uneven_spread_of_ratings_is_named(sd: float | None, named: bool) -> None:
    row, (first, last) = drift(Estimate(0.2, 0.1, 0.3), Estimate(0.2, 0.1, 0.3))
    sentences = on_drift(row, [first, replace(last, rating_sd=sd)])
    assert ("r falls by itself" in text(*sentences)) is named


def test_undefined_drift_and_small_sets() -> None:
    (sentence,) = on_drift(*drift(Estimate(None, undefined="constant"), Estimate(0.1)))
    assert "undefined over 400 stories: constant" in text(sentence)
    sentence = on_drift(*drift(Estimate(0.2, 0.1, 0.3), Estimate(0.2, 0.1, 0.3), 99.4))[-1]
    assert "99 stories on average" in text(sentence)
    assert sentence.caution


DIFFERENCE = Difference(
    1000, plan(1000), r2=0.9, r2_median=0.91, r2_low=0.85, r2_high=0.949, orders=300, slope=0.5,
    both=50, human_only=50, neither=90,
)  # fmt: skip


@pytest.mark.parametrize(("high", "wide"), [(0.949, False), (0.951, True)])
def test_a_wide_range_over_ties_is_a_caution(high: float, wide: bool) -> None:
    sentence = on_difference(replace(DIFFERENCE, r2_high=high))[0]
    assert sentence.caution is wide
    assert ("ties decide" in text(sentence)) is wide


def test_an_unusual_order_of_ties_is_said() -> None:
    sentence = on_difference(replace(DIFFERENCE, r2=0.84))[0]
    assert sentence.caution
    assert "median 0.91, 0.85 to 0.95 in 95 % of 300 orders: this order is an unusual one" in text(sentence)
    assert "unusual" not in text(on_difference(DIFFERENCE)[0])


@pytest.mark.parametrize(("slope", "said"), [(0.1, "rise with"), (-0.1, "run against"), (0.0, "neither")])
def test_the_direction_of_differences(slope: float, said: str) -> None:
    assert said in text(on_difference(replace(DIFFERENCE, slope=slope))[0])


def test_shares_of_pairs() -> None:
    assert "the metric tells 50% of these apart in the same direction." in text(*on_difference(DIFFERENCE))
    turned = text(*on_difference(replace(DIFFERENCE, opposed=10, metric_only=5, neither=85)))
    assert "40% of these apart in the same direction and 10% in the other." in turned
    assert "Of 10 ordered pairs that people do not tell apart it sees a difference in 50%" in turned
    # Of 85 + 5 pairs 80 are a set with itself.
    assert "it sees a difference in 50%" in reading(replace(DIFFERENCE, metric_only=5, neither=85))
    none = on_difference(replace(DIFFERENCE, both=0, human_only=0))
    assert "People tell 0 pairs" in text(*none)


@pytest.mark.parametrize(("n", "scaled"), [(1000, False), (999, True)])
def test_scaled_sets_are_said(n: int, scaled: bool) -> None:
    sentences = on_difference(replace(DIFFERENCE, n=n, plan=plan(n)))
    assert ("are not the paper's" in text(*sentences)) is scaled


def test_undefined_differences() -> None:
    (sentence,) = on_difference(Difference(3, plan(3), undefined="too few"))
    assert "undefined over 3 stories: too few" in text(sentence)


def test_which_metric_is_ahead_or_as_close_within_systems() -> None:
    assert text(*on_rank_within_systems(("other", 0.41, 0.2))) == (
        "Within systems other comes first, r 0.41 against its 0.20."
    )
    assert text(*on_rank_within_systems(("other", 0.112, 0.121))) == (
        "Within systems other goes with people about as closely as this metric, r 0.11 against 0.12, though its r over "
        "all stories is lower."
    )
    assert on_rank_within_systems(None) == ()
