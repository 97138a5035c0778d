"""Correlation of a metric with people: values, gaps, undefined cases, invariances."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable
from core.statistics import draws, resamples
from core.statistics.correlation import (
    NOTHING,
    Coefficient,
    Correlation,
    coefficient,
    correlate,
    correlate_columns,
    correlate_groups,
    correlate_table,
    kendall_test,
    why_undefined,
)
from core.statistics.pairwise import NO_PAIRS, concordance
from tests.core.statistics.drawn import bootstrap

CALLS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}

NAMES = ("pearson", "spearman", "kendall")
VALUES = st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 5)), min_size=4, max_size=30)


def made(n: int = 60, seed: int = 1) -> tuple[Floats, Floats]:
    """Scores and ratings that agree somewhat; the ratings have ties."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return x, np.round(3 + x + rng.normal(size=n))


def values(found: Correlation) -> list[float | None]:
    return [getattr(found, name).value for name in NAMES]


@given(VALUES)
def test_equals_scipy(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=float).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    correlation = correlate(x, y, resamples=0)
    assert correlation.n == len(pairs)
    assert correlation.undefined is None
    for name, call in zip(NAMES, (stats.pearsonr, stats.spearmanr, stats.kendalltau), strict=True):
        expected: Any = call(x, y)
        coefficient = getattr(correlation, name)
        assert coefficient.value == pytest.approx(expected.statistic, abs=1e-12)
        assert coefficient.p == pytest.approx(expected.pvalue, abs=1e-12)
        assert (coefficient.p_cluster, coefficient.low, coefficient.high) == (None, None, None)


def test_values_known_by_hand() -> None:
    correlation = correlate([1, 2, 3, 4], [1, 3, 2, 4], resamples=0)
    assert values(correlation) == pytest.approx([0.8, 0.8, 2 / 3])


def test_pairs_with_a_gap_are_left_out_and_counted() -> None:
    x, y = made(30)
    whole = correlate(x[3:], y[3:], np.arange(27), seed=4, resamples=50)
    y[:3] = np.nan
    correlation = correlate(x, y, np.arange(30), seed=4, resamples=50)
    assert correlation == whole  # a story that nobody rated is as none
    assert correlation.n == 27
    x[4], x[9] = np.nan, np.inf
    expected = stats.pearsonr(x[np.isfinite(x)][3:], y[np.isfinite(x)][3:])
    assert correlate(x, y).pearson.value == pytest.approx(expected.statistic)
    assert correlate(x, y).n == 25


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(8, 30), st.integers(2, 9))
def test_groups_have_the_same_draws_of_the_rated_prompts(seed: int, stories: int, number: int) -> None:
    rng = np.random.default_rng(seed)
    prompts, group = rng.integers(0, number, stories), rng.integers(0, 3, stories)
    y, x = rng.integers(1, 6, stories).astype(float), rng.integers(0, 9, (2, stories)).astype(float)
    y[rng.random(stories) < 0.1], x[rng.random((2, stories)) < 0.1] = np.nan, np.nan
    rows = [np.flatnonzero(group == place) for place in range(3)]
    result = correlate_groups(x, y, rows, prompts, seed=seed, resamples=30)
    finite, own = np.unique(prompts[np.isfinite(y)], return_inverse=True)
    copies = np.concatenate(list(draws.copies_of(len(finite), len(finite), seed, 30)))
    for mine, results in zip(rows, result, strict=True):
        for column, correlation in zip(x, results, strict=True):
            only = np.where(np.isin(np.arange(stories), mine), column, np.nan)
            assert correlation == correlate(only, y, prompts, seed=seed, resamples=30)
            keep = np.isfinite(only)[np.isfinite(y)]
            judged, scores = y[np.isfinite(y)][keep], only[np.isfinite(y)][keep]
            if correlation.undefined or len(np.unique(own[keep])) < 2:
                assert correlation.pearson.low is None
                continue
            for name, call in CALLS.items():
                drawn = []
                for copy in copies:
                    again = np.repeat(np.arange(len(scores)), copy[own[keep]].astype(int))
                    if len(again) and np.ptp(scores[again]) and np.ptp(judged[again]):
                        drawn.append(float(call(scores[again], judged[again]).statistic))
                cell = getattr(correlation, name)
                all_known = 0 < len(drawn) == len(copies)  # one undefined draw of thirty is too many
                expected = np.percentile(drawn, [2.5, 97.5]) if all_known else [None, None]
                assert [cell.low, cell.high] == pytest.approx(list(expected), abs=1e-6)


@pytest.mark.parametrize(
    ("x", "y", "n", "reason"),
    [
        ([], [], 0, "no story has both a score and a rating; 3 are needed"),
        ([1, 2], [2, 1], 2, "only 2 stories have both a score and a rating; 3 are needed"),
        ([1, 2, np.nan, 4], [1, np.nan, 3, 4], 2, "only 2 stories have both a score and a rating; 3 are needed"),
        ([5, 5, 5, 5], [1, 2, 3, 4], 4, "the metric gives every story the same score"),
        ([5, 5, 5, np.nan], [1, 2, 3, 4], 3, "the metric gives every story the same score"),
        ([1, 2, 3], [4, 4, 4], 3, "every story has the same rating"),
    ],
)
def test_undefined(x: list[float], y: list[float], n: int, reason: str) -> None:
    assert correlate(x, y) == Correlation(n, NOTHING, NOTHING, NOTHING, reason)
    assert Coefficient(None, None, None, None, None) == NOTHING


def test_three_stories_are_enough() -> None:
    correlation = correlate([1, 2, 3], [1, 2, 4], resamples=20)
    assert correlation.undefined is None
    assert correlation.pearson.value == pytest.approx(0.98198050606)


def test_a_star_is_a_p_below_a_hundredth() -> None:
    assert Coefficient(0.3, 0.0099).starred
    assert not Coefficient(0.3, 0.01).starred
    assert not NOTHING.starred


def test_the_seed_decides() -> None:
    x, y = made()
    correlation = correlate(x, y, seed=1, resamples=100)
    assert correlation == correlate(x, y, seed=1, resamples=100)
    other = correlate(x, y, seed=2, resamples=100)
    assert values(correlation) == values(other)
    for name in NAMES:
        assert getattr(correlation, name).low != getattr(other, name).low
        assert getattr(correlation, name).high != getattr(other, name).high


def test_intervals_are_percentiles_and_p_cluster_counts_the_draws_past_zero() -> None:
    x, y = made(40, seed=3)
    y = y[np.random.default_rng(8).permutation(40)] + 0.2 * x
    prompts = np.arange(40) // 2
    drawn = bootstrap(x, y, prompts, seed=5, resamples=400)
    correlation = correlate(x, y, prompts, seed=5, resamples=400)
    for name in NAMES:
        coefficient, draws = getattr(correlation, name), drawn[name]
        assert coefficient.low == pytest.approx(np.percentile(draws, 2.5), abs=1e-12)
        assert coefficient.high == pytest.approx(np.percentile(draws, 97.5), abs=1e-12)
        past = min((draws <= 0).sum(), (draws >= 0).sum())
        assert 1 < past < 150  # else the formula would not show
        assert coefficient.p_cluster == pytest.approx(2 * (past + 1) / 401)


@pytest.mark.parametrize("sign", [-1, 1])
def test_draws_at_zero_count_on_both_sides(sign: int) -> None:
    x, y = np.tile([0.0, 0, 1, 1, 2], 2), sign * np.tile([0.0, 2, 0, 2, 2], 2)
    draws = bootstrap(x, y, np.arange(10), seed=0, resamples=200)["kendall"]
    draws = draws[np.isfinite(draws)]
    below, above, at = (draws < 0).sum(), (draws > 0).sum(), (draws == 0).sum()
    assert at > 5
    result = correlate(x, y, seed=0, resamples=200).kendall
    assert result.p_cluster == pytest.approx(2 * (min(below, above) + at + 1) / (len(draws) + 1))


@pytest.mark.parametrize(("unlike", "sure"), [(1, False), (3, False), (5, True), (9, True)])
def test_scores_of_which_a_few_differ_have_no_interval(unlike: int, sure: bool) -> None:
    """All draws without the one other score are undefined, and all others have nearly the same r."""
    rng = np.random.default_rng(3)
    x, y = np.zeros(250), rng.normal(size=250)
    x[: unlike * 5 : 5] = 1.0
    found = correlate(x, y, np.arange(250) // 5, resamples=1000)
    for c in (found.pearson, found.spearman, found.kendall):
        assert c.value is not None
        assert c.p is not None
        assert ((c.low is not None), (c.high is not None), (c.p_cluster is not None)) == (sure, sure, sure)
    assert (found.no_interval is None) is sure
    assert "one score, or one rating" in (found.no_interval or "one score, or one rating")
    assert correlate(x, y, np.arange(250) // 5, resamples=0).no_interval is None


def test_p_cluster_counts_draws_of_no_agreement_whatever_their_last_digit() -> None:
    """Sums leave 0 at 1e-17 on either side: such a draw counts on both."""
    drawn = np.array([1e-17, 3e-17, -2e-17, 0.5, 0.6, 0.7, 0.8])
    assert coefficient(0.6, None, drawn).p_cluster == 2 * (3 + 1) / 8


def test_p_cluster_is_at_most_one() -> None:
    x = np.array([-2.0, -1, 0, 1, 2, -2, -1, 0, 1, 2])
    result = {correlate(x, x**2, seed=seed, resamples=2).pearson.p_cluster for seed in range(20)}
    assert result == {2 / 3, 1.0}  # two draws on one side of zero, or one on each


def test_a_thousand_draws_from_seed_zero_are_the_default() -> None:
    x, y = made(10)
    assert correlate(x, y) == correlate(x, y, seed=0, resamples=1000)
    assert bootstrap(x, y, np.arange(10))["pearson"].shape == (1000,)


@pytest.mark.parametrize("seed", range(5))
def test_intervals_hold_the_value(seed: int) -> None:
    x, y = made(80, seed)
    correlation = correlate(x, y, np.arange(80) // 4, seed=seed, resamples=300)
    for name in NAMES:
        coefficient = getattr(correlation, name)
        assert -1 <= coefficient.low < coefficient.value < coefficient.high <= 1
        assert coefficient.high - coefficient.low < 0.6
        assert coefficient.p_cluster == pytest.approx(2 / 301)


def test_stories_of_one_prompt_widen_the_interval() -> None:
    """Copies of a story under one prompt bring no evidence: the interval is that of the prompts."""
    x, y = made(30)
    single = correlate(x, y, np.arange(30), seed=1, resamples=300).pearson
    copied = correlate(np.repeat(x, 4), np.repeat(y, 4), np.repeat(np.arange(30), 4), seed=1, resamples=300).pearson
    naive = correlate(np.repeat(x, 4), np.repeat(y, 4), seed=1, resamples=300).pearson
    assert [copied.low, copied.high] == pytest.approx([single.low, single.high])
    assert copied.high - copied.low > 1.5 * (naive.high - naive.low)


def test_prompts_may_be_any_labels() -> None:
    x, y = made(20)
    assert correlate(x, y, [f"p{i // 2:02}" for i in range(20)]) == correlate(x, y, np.arange(20) // 2)


@given(VALUES, st.sampled_from([1e-3, 0.5, 7, 1e4]), st.integers(-100, 100))
def test_pearson_ignores_scale_and_origin(pairs: list[tuple[int, int]], scale: float, shift: int) -> None:
    x, y = np.array(pairs, dtype=float).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    plain, moved = correlate(x, y, resamples=20).pearson, correlate(scale * x + shift, y, resamples=20).pearson
    assert moved.value == pytest.approx(plain.value, abs=1e-9)
    assert (moved.low is None) == (plain.low is None)
    if plain.low is not None:
        assert [moved.low, moved.high] == pytest.approx([plain.low, plain.high], abs=1e-7)
    assert correlate(-x, y, resamples=0).pearson.value == pytest.approx(-(plain.value or 0), abs=1e-12)


@given(VALUES)
def test_spearman_and_kendall_see_only_the_order(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=float).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    plain, bent = correlate(x, y, resamples=20), correlate(np.exp(x / 10), y**3, resamples=20)
    assert bent.spearman == plain.spearman
    assert bent.kendall == plain.kendall


@pytest.mark.parametrize("scale", [1e-8, pytest.param(1e-14), 1e8])
def test_very_small_and_large_scores_have_intervals(scale: float) -> None:
    x, y = made()
    plain, scaled = correlate(x, y, resamples=50).pearson, correlate(scale * x, y, resamples=50).pearson
    assert [scaled.low, scaled.high] == pytest.approx([plain.low, plain.high])


def test_one_prompt_has_no_interval() -> None:
    x, y = made(20)
    result = correlate(x, y, ["the only one"] * 20, resamples=100).pearson
    assert (result.p_cluster, result.low, result.high) == (None, None, None)


def test_metrics_together_are_as_each_alone_whatever_they_score() -> None:
    x, y = made(30)
    y[4] = np.nan
    gaps, other = x.copy(), x.copy()
    gaps[:7], other[20:] = np.nan, np.nan
    columns = [x, gaps, np.ones(30), -x, other, np.full(30, np.nan)]
    prompts = np.arange(30) // 3
    together = correlate_columns(columns, y, prompts, seed=3, resamples=40)
    for column, correlation in zip(columns, together, strict=True):
        assert correlation == correlate(column, y, prompts, seed=3, resamples=40)
    assert [item.n for item in together] == [29, 23, 29, 29, 19, 0]
    assert correlate_columns([], y) == ()


def test_pairs_are_the_fourth_figure() -> None:
    x, y = made(40)
    signs = [np.sign(side[:, None] - side)[np.triu_indices(40, 1)] for side in (x, y)]
    pairwise = correlate(x, y, resamples=0).pairwise
    assert pairwise.accuracy == pytest.approx((signs[0] == signs[1]).mean())
    assert pairwise.pairs == 780
    assert correlate(np.ones(4), y[:4]).pairwise == NO_PAIRS


def test_many_stories_say_that_their_intervals_are_linearised(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = made(60)
    assert not correlate(x, y, resamples=20).linearised
    monkeypatch.setattr(resamples, "LARGEST_EXACT", 59)
    assert correlate(x, y, resamples=20).linearised
    assert not correlate(x, y, resamples=0).linearised


@pytest.mark.parametrize("number", [3, 6])
def test_few_prompts_with_many_stories_are_resampled_exactly(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(number)
    prompts = np.arange(2100) % number
    y = rng.normal(size=number)[prompts] + rng.normal(size=2100)
    x = 0.3 * y + rng.normal(size=number)[prompts] + rng.normal(size=2100)
    correlation = correlate(x, y, prompts, seed=1, resamples=200)
    assert (correlation.linearised, correlation.no_interval) == (False, None)
    monkeypatch.setattr(resamples, "LARGEST_EXACT", 2100)
    assert correlation == correlate(x, y, prompts, seed=1, resamples=200)


def test_too_many_stories_of_few_prompts_have_no_intervals_of_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resamples, "LARGEST_EXACT", 50)
    monkeypatch.setattr(resamples, "LARGEST_OF_FEW", 99)
    x, y = made(100)
    correlation = correlate(x, y, np.arange(100) % 49, resamples=20)
    assert correlation.pearson.low is not None
    for item in (correlation.spearman, correlation.kendall):
        assert item.value is not None
        assert (item.low, item.high, item.p_cluster) == (None, None, None)
    assert "need 50 prompts" in str(correlation.no_interval)
    assert str(correlation.no_interval).endswith("here are 49")
    assert not correlation.linearised
    assert correlate(x, y, np.arange(100) % 49, resamples=0).no_interval is None
    enough = correlate(x, y, np.arange(100) % 50, resamples=20)
    assert (enough.linearised, enough.no_interval) == (True, None)
    assert "the same prompt" in str(correlate(x, y, np.zeros(100), resamples=20).no_interval)


def test_a_part_of_a_large_study_is_linearised(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = made(60)
    (alone,) = correlate_columns([x], y, resamples=20, of=resamples.LARGEST_EXACT)
    assert not alone.linearised
    (part,) = correlate_columns([x], y, resamples=20, of=resamples.LARGEST_EXACT + 1)
    assert part.linearised
    (few,) = correlate_columns([x], y, np.arange(60) % 40, resamples=20, of=resamples.LARGEST_EXACT + 1)
    assert not few.linearised


def test_a_table_is_correlated_column_by_column() -> None:
    x, y = made(12)
    y[2] = np.nan
    prompts = tuple(f"p{i // 3}" for i in range(12))
    texts = ("",) * 12
    columns = (ScoreColumn("a", "a|v:1", x, {}), ScoreColumn("flat", "flat|v:1", np.ones(12), {}))
    table = ScoreTable(tuple("abcdefghijkl"), prompts, ("s",) * 12, texts, y, columns)
    first, second = correlate_table(table, seed=2, resamples=30)
    assert (first.metric, first.signature, first.subset) == ("a", "a|v:1", None)
    assert first.correlation == correlate(x, y, prompts, seed=2, resamples=30)
    assert first.correlation.n == 11
    assert second.correlation.undefined == "the metric gives every story the same score"
    assert correlate_table(table)[0].correlation == correlate(x, y, prompts)


def test_a_column_counts_its_numbers() -> None:
    assert ScoreColumn("a", "a|v:1", np.array([1.0, np.nan, -2.0]), {1: "the story is empty"}).scored == 2


@pytest.mark.parametrize(
    ("metric", "human", "reason"),
    [
        ([], [], "no story has both"),
        ([1, np.nan, 2], [1, 2, np.nan], "only 1 story has both"),
        ([1, 1, 1], [1, 2, 3], "the metric gives every story the same score"),
        ([1, 2, 3], [2, 2, 2], "every story has the same rating"),
        ([1, 2, 3], [2, 2, 3], None),
    ],
)
def test_why_scores_with_gaps_are_undefined(metric: list[float], human: list[float], reason: str | None) -> None:
    result = why_undefined(np.array(metric, dtype=float), np.array(human, dtype=float))
    assert result is None if reason is None else result is not None and result.startswith(reason)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 90), st.sampled_from([2, 5, 40, 10**9]), st.sampled_from([-3.0, 0.0, 1.0]))
def test_kendalls_tau_and_p_are_scipys(seed: int, stories: int, values: int, slope: float) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, min(values, 20), stories).astype(float)
    x = rng.integers(0, values, stories) + slope * np.round(y)
    x[:2], y[:2] = [-1, -2], [-1, -2]  # nothing is constant
    expected = stats.kendalltau(x, y)
    result = kendall_test(x, y, concordance(x, y))
    assert result == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("changed", range(4))
def test_kendalls_p_of_almost_one_order_is_scipys(changed: int) -> None:
    x = np.arange(60.0)
    y = x.copy()
    for place in range(changed):
        y[[4 * place, 4 * place + 1]] = y[[4 * place + 1, 4 * place]]
    for sign in (1, -1):
        expected = stats.kendalltau(x, sign * y)
        result = kendall_test(x, sign * y, concordance(x, sign * y))
        assert result == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9, abs=1e-300)
