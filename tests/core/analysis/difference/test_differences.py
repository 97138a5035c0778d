"""Differences between sets of stories: the paper's numbers, a slow obvious version, bad input."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from core.analysis.difference import differences as differences_module
from core.analysis.difference.differences import (
    Convention,
    Difference,
    closest_first,
    difference_table,
    differences,
    reading,
)
from core.analysis.difference.windows import plan
from core.arrays import Floats
from core.formats.corpora.mans import read_mans
from core.published.reproduce import judged_stories
from core.scores import ScoreColumn, ScoreTable

COUNTS = ("both", "human_only", "metric_only", "neither", "opposed")


def made(n: int, ratings: int = 5, agreement: float = 0.5, seed: int = 0) -> tuple[Floats, Floats]:
    """Scores, and ratings with ties, that agree somewhat."""
    rng = np.random.default_rng(seed)
    y = rng.integers(1, ratings + 1, n).astype(np.float64)
    return agreement * y + rng.normal(size=n), y


def seeded_order(y: Floats, seed: int) -> NDArray[np.intp]:
    """Stories by rating, tied ones by the first random numbers of the seed."""
    numbers = np.random.default_rng(seed).random((1, len(y)))[0]
    return np.array(sorted(range(len(y)), key=lambda i: (y[i], numbers[i])))


def slow(x: Floats, y: Floats, seed: int = 0, convention: Convention = Convention.PLANE) -> dict[str, float]:
    """Every ordered pair of sets, one after the other, by SciPy.

    The paper's line is that of its figure: "we only show the situation in the positive x-axis", and "R2 is exactly the
    square of the Pearson correlation coefficient between the x-axis and y-axis".
    """
    both = np.isfinite(x) & np.isfinite(y)
    rated = np.isfinite(y)
    order = seeded_order(y[rated], seed)
    x, y = x[rated][order], y[rated][order]
    x, y = x[both[rated][order]], y[both[rated][order]]
    sets = plan(len(x))
    windows = [(y[i : i + sets.size], x[i : i + sets.size]) for i in (k * sets.stride for k in range(sets.number))]
    pairs = [(a, b) for a in windows for b in windows]
    human = np.array([a[0].mean() - b[0].mean() for a, b in pairs])
    metric = np.array([a[1].mean() - b[1].mean() for a, b in pairs])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sets without spread
        human_apart, metric_apart = (
            stats.ttest_ind([a[side] for a, _ in pairs], [b[side] for _, b in pairs], axis=1).pvalue < 0.01
            for side in (0, 1)
        )
    fitted = human > 1e-12 if convention is Convention.PAPER else np.ones(len(human), dtype=bool)
    line = stats.linregress(human[fitted], metric[fitted])
    return {
        "r2": stats.pearsonr(human[fitted], metric[fitted]).statistic ** 2,
        "slope": line.slope,
        "intercept": line.intercept,
        "both": np.count_nonzero(human_apart & metric_apart),
        "human_only": np.count_nonzero(human_apart & ~metric_apart),
        "metric_only": np.count_nonzero(~human_apart & metric_apart),
        "neither": np.count_nonzero(~human_apart & ~metric_apart),
        "opposed": np.count_nonzero(human_apart & metric_apart & (human * metric < 0)),
    }


def assert_equal(found: Difference, expected: dict[str, float]) -> None:
    assert found.undefined is None
    assert {name: getattr(found, name) for name in COUNTS} == {name: expected[name] for name in COUNTS}
    assert found.r2 == pytest.approx(expected["r2"], abs=1e-9)
    assert found.slope == pytest.approx(expected["slope"], rel=1e-7, abs=1e-9)
    assert found.intercept == pytest.approx(expected["intercept"], rel=1e-7, abs=1e-9)


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(
    st.integers(50, 120),
    st.sampled_from([2, 5, 50]),
    st.sampled_from([-1.0, 0.0, 0.5, 5.0]),
    st.integers(0, 99),
    st.sampled_from(Convention),
)
def test_equals_every_pair_by_scipy(n: int, ratings: int, agreement: float, seed: int, convention: Convention) -> None:
    x, y = made(n, ratings, agreement, seed)
    (difference,) = differences([x], y, seed=seed, convention=convention)
    assert difference.convention is convention
    assert_equal(difference, slow(x, y, seed, convention))


def test_the_stories_of_a_set_have_its_means() -> None:
    x, y = made(120)
    x[7], y[11] = np.nan, np.nan
    difference = differences([x], y)[0]
    assert difference.sets is not None
    rated = np.flatnonzero(np.isfinite(y))
    for number in (1, 2, difference.plan.number):
        places = rated[difference.sets.members(difference.plan, number)]
        assert len(set(places.tolist())) == difference.plan.size
        assert y[places].mean() == pytest.approx(difference.sets.human[number - 1])
        assert x[places].mean() == pytest.approx(difference.sets.metric[number - 1])


def test_the_papers_line_needs_two_different_differences() -> None:
    """One story rated higher is in the last set alone: right of zero all pairs of sets differ by the same."""
    x, y = np.random.default_rng(0).normal(size=50), np.array([1.0] * 48 + [2.0] * 2)
    whole, half = (differences([x], y, convention=convention)[0] for convention in Convention)
    assert whole.r2 is not None
    assert half.undefined == "the sets have only two different mean ratings, and the paper's line needs three"
    assert half.r2 is None


def test_gaps_leave_out_a_metrics_own_stories_and_no_others() -> None:
    x, y = made(90, seed=3)
    whole = differences([x], y, seed=7)[0]
    gaps, rated = x.copy(), y.copy()
    gaps[::4], rated[1] = np.nan, np.nan
    first, second = differences([x, gaps], rated, seed=7)
    assert_equal(first, slow(x, rated, 7))
    assert_equal(second, slow(gaps, rated, 7))
    assert (whole.n, first.n, second.n) == (90, 89, 66)
    assert second.plan == plan(66)


def test_the_range_is_that_of_the_orders_one_by_one() -> None:
    x, y = made(60, ratings=3, seed=5)
    (difference,) = differences([x], y, seed=11)
    rng, sets, values = np.random.default_rng(11), plan(60), []
    for _ in range(differences_module.ORDERS):
        numbers = rng.random(60)
        order = sorted(range(60), key=lambda i: (y[i], numbers[i]))
        human, metric = ([side[order][i : i + sets.size].mean() for i in sets.starts.tolist()] for side in (y, x))
        values.append(stats.pearsonr(human, metric).statistic ** 2)
    low, median, high = np.percentile(values, [2.5, 50, 97.5])
    assert difference.r2_median == pytest.approx(median)
    assert not difference.unusual
    assert (difference.r2, difference.orders) == (pytest.approx(values[0]), len(values))
    assert (difference.r2_low, difference.r2_high) == (pytest.approx(low), pytest.approx(high))
    assert low < values[0] < high


def test_memory_is_bounded_without_changing_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = made(120, seed=2)
    whole = differences([x, -x], y)
    monkeypatch.setattr(differences_module, "CELLS_A_BLOCK", 1)
    for difference, other in zip(whole, differences([x, -x], y), strict=True):
        assert (difference.r2, difference.r2_low) == (pytest.approx(other.r2), pytest.approx(other.r2_low))
        assert difference.r2_high == pytest.approx(other.r2_high)


def test_very_many_stories_have_as_many_sets_and_fewer_orders() -> None:
    x, y = made(differences_module.MANY + 1)
    x[5] = np.nan
    (difference,) = differences([x], y)
    assert (difference.plan.number, difference.orders) == (200, differences_module.ORDERS_OF_MANY)
    assert difference.r2_low is not None
    assert difference.r2 is not None
    assert difference.r2_low < difference.r2 < (difference.r2_high or 0)


def test_a_result_does_not_depend_on_what_stands_beside_it() -> None:
    x, y = made(100)
    other = np.where(np.arange(100) < 70, x, np.nan)
    alone, beside = differences([x], y)[0], differences([other, x, -x], y)[1]
    assert (alone.r2, alone.r2_low, alone.slope) == (beside.r2, beside.r2_low, beside.slope)


def test_scale_and_place_do_not_matter_but_to_the_slope() -> None:
    x, y = made(100)
    plain, tiny, huge = differences([x, x * 1e-12 + 5e-10, x * 1e12 - 3e13], y)
    for other, factor in ((tiny, 1e-12), (huge, 1e12)):
        assert other.r2 == pytest.approx(plain.r2)
        assert [getattr(other, name) for name in COUNTS] == [getattr(plain, name) for name in COUNTS]
        assert other.slope == pytest.approx((plain.slope or 0) * factor)


def test_no_ties_no_range() -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=80)
    (difference,) = differences([y + rng.normal(size=80)], y)
    assert difference.r2 == pytest.approx(difference.r2_low)
    assert difference.r2 == pytest.approx(difference.r2_high)
    assert not difference.unusual


def test_people_against_themselves_agree_in_everything() -> None:
    _, y = made(1000)
    same, turned = differences([y, -y], y)
    assert (same.r2, same.slope, turned.slope) == (pytest.approx(1), pytest.approx(1), pytest.approx(-1))
    assert (same.human_only, same.metric_only, same.opposed) == (0, 0, 0)
    assert same.both == turned.both == turned.opposed > 0
    assert same.both + same.neither == 6400


def test_sets_without_any_spread_are_apart_where_their_means_differ() -> None:
    y = np.repeat([1.0, 2.0], 50)
    (difference,) = differences([y], y)
    sets = difference.sets
    assert sets is not None
    low, high = np.flatnonzero(sets.human == 1), np.flatnonzero(sets.human == 2)
    assert len(low) > 0
    assert len(high) > 0
    assert sets.human_apart[np.ix_(low, high)].all()
    assert not sets.human_apart[np.ix_(low, low)].any()
    assert_equal(difference, slow(y, y))


@pytest.mark.parametrize(
    ("x", "y", "n", "reason"),
    [
        ([], [], 0, "no story has both a score and a rating; 50 are needed"),
        ([1.0], [2.0], 1, "only 1 story has both a score and a rating; 50 are needed"),
        (np.arange(49.0), np.arange(49.0), 49, "only 49 stories have both a score and a rating; 50 are needed"),
        (np.full(60, 3.0), np.arange(60.0), 60, "the metric gives every story the same score"),
        (np.arange(60.0), np.full(60, 3.0), 60, "every story has the same rating"),
        (np.full(60, np.nan), np.arange(60.0), 0, "no story has both a score and a rating; 50 are needed"),
        (np.arange(60.0), np.full(60, np.nan), 0, "no story has both a score and a rating; 50 are needed"),
        (np.r_[np.arange(60.0), np.inf], np.ones(61), 60, "every story has the same rating"),
        # Only the last story differs, and the paper drops the last set.
        (np.arange(100.0), np.r_[np.ones(99), 2.0], 100, "all sets have the same mean rating"),
    ],
)  # fmt: skip
def test_undefined(x: list[float], y: list[float], n: int, reason: str) -> None:
    (difference,) = differences([x], y)
    assert (
        difference.n,
        difference.undefined,
        difference.r2,
        difference.r2_low,
        difference.slope,
        difference.sets,
    ) == (
        n,
        reason,
        None,
        None,
        None,
        None,
    )
    assert reading(difference) == f"Undefined: {reason}."


def test_no_metric_at_all() -> None:
    assert differences([], [1.0, 2.0]) == ()


def test_the_table_of_a_study() -> None:
    x, y = made(60)
    names = tuple(f"story {i}" for i in range(60))
    column = ScoreColumn("bleu", "bleu|v:1", x, {})
    (metric_difference,) = difference_table(ScoreTable(names, names, names, names, y, (column,)), seed=4)
    assert (metric_difference.metric, metric_difference.signature) == ("bleu", "bleu|v:1")
    assert metric_difference.difference.r2 == differences([x], y, seed=4)[0].r2


def found(**changes: float | Convention) -> Difference:
    return Difference(1000, plan(1000), **{"r2": 0.5, "slope": 1.0, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (
            found(both=60, human_only=40, metric_only=10, neither=80 + 90),
            "Of the pairs of sets that people tell apart, the metric tells 60% apart in the same direction; of the "
            "pairs that people do not tell apart, it sees a difference in 10%.",
        ),
        (
            found(both=60, human_only=40, neither=80, opposed=50, slope=-1.0),
            "Of the pairs of sets that people tell apart, the metric tells 10% apart in the same direction and 50% in "
            "the other; on the whole it falls where ratings rise.",
        ),
        (
            found(both=1, neither=80, slope=-1.0, convention=Convention.PAPER),
            "Of the pairs of sets that people tell apart, the metric tells 100% apart in the same direction; the line "
            "falls: where people see a larger difference the metric sees a smaller one, or one the other way round.",
        ),
        (
            found(metric_only=5, neither=80 + 5),
            "People tell no pair of sets apart; of the pairs that people do not tell apart, it sees a difference in "
            "50%.",
        ),
        (
            found(neither=80, both=1, r2_low=0.1, r2_high=0.4),
            "Of the pairs of sets that people tell apart, the metric tells 100% apart in the same direction; the "
            "seed's order of tied stories is an unusual one: it gives R² = 0.500, while 95 % of orders give 0.100 to "
            "0.400.",
        ),
    ],
)
def test_the_reading(one: Difference, said: str) -> None:
    assert reading(one) == said


def test_the_closest_comes_first_and_what_falls_or_is_undefined_last() -> None:
    undefined, falls = found(), found(r2_median=0.9, slope=-1.0)
    low, high = found(r2_median=0.2), found(r2_median=0.6)
    assert closest_first([undefined, falls, low, high, undefined]) == [3, 2, 1, 0, 4]
    assert closest_first([]) == []


@pytest.mark.parametrize(("r2", "unusual"), [(0.39, True), (0.4, False), (0.6, False), (0.61, True)])
def test_an_order_outside_the_range_is_unusual(r2: float, unusual: bool) -> None:
    assert found(r2=r2, r2_low=0.4, r2_high=0.6).unusual is unusual


@pytest.mark.parametrize(
    ("convention", "metric", "sign", "low", "middle", "high"),
    [
        ("plane", "bertscore-f", 1, 0.41, 0.50, 0.59),
        ("plane", "fwppl", -1, 0.85, 0.89, 0.92),
        ("plane", "sentence_bleu", 1, 0.19, 0.24, 0.29),
        ("paper", "bertscore-f", 1, 0.252, 0.320, 0.390),  # the figure's .31 lies within
        ("paper", "fwppl", -1, 0.656, 0.725, 0.787),
    ],
)
def test_golden_ranges_of_mans(
    shared: Path, convention: str, metric: str, sign: int, low: float, middle: float, high: float
) -> None:
    judged = judged_stories(read_mans(shared / "mans-roc" / "mans_roc.json"))
    released = json.loads((shared / "mans-roc" / "openmeva_roc_metric_scores.json").read_text(encoding="utf-8"))
    scores = {
        f"{entry['doc_id']}/{system}": sign * story["score"][metric]
        for entry in released
        for system, story in entry["gen"].items()
    }
    human = [story.mean for story in judged.values()]
    (difference,) = differences([[scores[key] for key in judged]], human, convention=Convention(convention))
    assert (difference.n, difference.plan.number, difference.plan.pairs, difference.orders) == (1000, 80, 6400, 300)
    assert difference.both + difference.human_only + difference.metric_only + difference.neither == 6400
    # Ends of a 95 % range over 300 random orders: they move by about 0.01 from one seed to another.
    assert difference.r2_low == pytest.approx(low, abs=0.02)
    assert difference.r2_high == pytest.approx(high, abs=0.02)
    assert difference.r2_median == pytest.approx(middle, abs=0.01)
