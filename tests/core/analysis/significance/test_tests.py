"""Tests between metrics against plain loops that swap and resample the stories themselves."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from core.analysis.significance.notes import p_note
from core.analysis.significance.tests import (
    COEFFICIENTS,
    ENOUGH_NEAR,
    LEVEL,
    MOST_NEAR,
    NEAR,
    PairTest,
    Ranked,
    SignificanceSettings,
    clusters_of,
    compare_in_size,
    compare_metrics,
    default_permutations,
    offered,
    permutations_for_metrics,
)
from core.analysis.significance.tests import settings as chosen_settings
from core.arrays import Floats, Ints
from core.scores import ScoreTable
from core.statistics import draws as draws_module
from core.statistics import paired as paired_module
from core.statistics.draws import copies_of
from core.statistics.paired import PairedScores, coefficients, holm, paired_scores, resampled, williams
from core.statistics.permutation import permute
from core.statistics.permutation import ranks as rank_swaps_module
from core.statistics.permutation import sequential as swaps_module
from core.statistics.permutation.sequential import ENOUGH
from tests.core.analysis.significance.tests import CALLS, correlation

KINDS = ("continuous", "ties", "ties across", "one tied")
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def made(kind: str, seed: int, stories: int, prompts: int) -> tuple[Floats, Floats, Ints]:
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 6, stories).astype(float)
    x = y[:, None] * [0.9, 0.5, 0.1] + rng.normal(size=(stories, 3))
    if kind == "ties":
        x = np.round(x * [1, 1.1, 1.3])
    elif kind == "ties across":  # standardised, all three have the same values
        x = np.stack([rng.permutation(np.arange(stories) // 2) for _ in range(3)], axis=1).astype(float)
    elif kind == "one tied":
        x[:, 0] = np.round(x[:, 0])
    y[:2], x[:2] = [1, 2], [[0, 1, 2], [3, 5, 4]]  # nothing is constant
    return x, y, rng.integers(0, prompts, stories)


def slow_p(name: str, data: PairedScores, pair: tuple[int, int], permutations: int, seed: int) -> tuple[float, int]:
    """Swap the stories of the same prompts one permutation at a time, and ask SciPy."""
    a, b = data.scores[:, pair[0]], data.scores[:, pair[1]]
    observed = abs(correlation(name, a, data.human) - correlation(name, b, data.human))
    coins = np.concatenate(list(swaps_module._swaps(data.prompts, permutations, seed)))
    sizes = np.diff(data.starts, append=data.stories)
    extreme = 0
    for number, coin in enumerate(coins, 1):
        swap = np.repeat(coin, sizes) == 1
        values, other = np.where(swap, b, a), np.where(swap, a, b)
        result = abs(correlation(name, values, data.human) - correlation(name, other, data.human))
        extreme += not result < observed - swaps_module.ROUNDING
        if extreme == ENOUGH:
            return ENOUGH / number, number
    return (extreme + 1) / (permutations + 1), permutations


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prompts", [4, 100])
def test_permutations_equal_swapping_the_stories(name: str, kind: str, prompts: int) -> None:
    x, y, codes = made(kind, 3, 30, prompts)
    data, pairs = paired_scores(x, y, codes), np.array([(0, 1), (0, 2), (1, 2)])
    r = coefficients(data, name)
    permuted = permute(data, name, pairs, r[pairs[:, 0]] - r[pairs[:, 1]], permutations=300, seed=5)
    for number, (a, b) in enumerate(pairs.tolist()):
        p, drawn = slow_p(name, data, (a, b), 300, 5)
        assert permuted.p[number] == pytest.approx(p, abs=1e-12)
        assert permuted.drawn[number] == drawn


@QUICK
@given(
    seed=st.integers(0, 10**6),
    stories=st.integers(5, 25),
    prompts=st.integers(2, 12),
    kind=st.sampled_from(KINDS),
    name=st.sampled_from(sorted(CALLS)),
)
def test_permuted_differences_equal_the_obvious_ones(
    seed: int, stories: int, prompts: int, kind: str, name: str
) -> None:
    x, y, codes = made(kind, seed, stories, prompts)
    data, pairs = paired_scores(x, y, codes), np.array([(0, 1), (2, 0), (1, 2)])
    coins = np.random.default_rng(seed).integers(0, 2, (6, data.prompts)).astype(float)
    swap = np.repeat(coins, np.diff(data.starts, append=stories), axis=1) == 1
    result = np.full((6, 3), -9.0)
    for mine, statistic in swaps_module._statistics(data, name, pairs, np.full(3, np.nan)):
        result[:, mine] = statistic(coins)
    for number, (a, b) in enumerate(pairs.tolist()):
        for row, chosen in zip(result[:, number], swap, strict=True):
            values = np.where(chosen, data.scores[:, b], data.scores[:, a])
            other = np.where(chosen, data.scores[:, a], data.scores[:, b])
            expected = correlation(name, values, data.human) - correlation(name, other, data.human)
            if np.isfinite(expected):
                assert row == pytest.approx(expected, abs=1e-9)
            else:
                assert not np.isfinite(row) or name == "pearson"  # a variance of nought but for rounding


@pytest.mark.slow
@settings(QUICK, max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    stories=st.integers(8, 40),
    kind=st.sampled_from(KINDS[1:]),
    name=st.sampled_from(["spearman", "kendall"]),
)
def test_bounds_settle_what_working_it_out_would(seed: int, stories: int, kind: str, name: str) -> None:
    x, y, codes = made(kind, seed, stories, stories)
    data, pairs = paired_scores(x, y, codes), np.array([(0, 1), (0, 2)])
    r = coefficients(data, name)
    permuted = permute(data, name, pairs, r[pairs[:, 0]] - r[pairs[:, 1]], permutations=80, seed=seed)
    expected = [slow_p(name, data, (a, b), 80, seed) for a, b in pairs.tolist()]
    assert list(zip(permuted.p.tolist(), permuted.drawn.tolist(), strict=True)) == expected


@pytest.mark.slow
@QUICK
@given(
    seed=st.integers(0, 10**6),
    stories=st.integers(5, 60),
    prompts=st.integers(2, 60),
    kind=st.sampled_from(KINDS),
    few=st.sampled_from([0, 10**6]),
)
def test_kendall_by_tables_and_by_pairs_of_stories(seed: int, stories: int, prompts: int, kind: str, few: int) -> None:
    x, y, codes = made(kind, seed, stories, prompts)
    data, pairs = paired_scores(x, y, codes), np.array([(0, 1), (2, 0), (1, 2)])
    r = coefficients(data, "kendall")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_swaps_module, "CELLS_A_STORY", few)
        patch.setattr(rank_swaps_module, "FEW_SCORES", few)
        permuted = permute(data, "kendall", pairs, r[pairs[:, 0]] - r[pairs[:, 1]], permutations=60, seed=seed)
    expected = [slow_p("kendall", data, (a, b), 60, seed) for a, b in pairs.tolist()]
    assert list(zip(permuted.p.tolist(), permuted.drawn.tolist(), strict=True)) == expected


@QUICK
@given(
    seed=st.integers(0, 10**6),
    stories=st.integers(5, 25),
    prompts=st.integers(2, 12),
    kind=st.sampled_from(KINDS),
    name=st.sampled_from(sorted(CALLS)),
)
def test_resamples_equal_repeating_the_rows(seed: int, stories: int, prompts: int, kind: str, name: str) -> None:
    x, y, codes = made(kind, seed, stories, prompts)
    data = paired_scores(x, y, codes)
    result = resampled(data, name, seed=seed, resamples=5)
    copies = np.concatenate(list(copies_of(data.prompts, data.stories, seed, 5)))
    sizes = np.diff(data.starts, append=stories)
    for row, copy in zip(result, copies, strict=True):
        rows = np.repeat(np.arange(stories), np.repeat(copy, sizes).astype(int))
        assert copy.sum() == data.prompts
        expected = [correlation(name, data.scores[rows, i], data.human[rows]) for i in range(3)]
        np.testing.assert_allclose(row, expected, atol=1e-6)


def test_p_does_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, codes = made("continuous", 1, 200, 40)
    significance = compare_metrics(x, y, codes, "abc", SignificanceSettings(permutations=700))
    monkeypatch.setattr(swaps_module, "NUMBERS_A_BLOCK", 40 * 37)
    monkeypatch.setattr(draws_module, "CELLS_A_BLOCK", 40 * 37)
    other = compare_metrics(x, y, codes, "abc", SignificanceSettings(permutations=700))
    assert [row.permutation_p for row in significance.rows] == [row.permutation_p for row in other.rows]
    assert [row.permutations for row in significance.rows] == [row.permutations for row in other.rows]


def test_p_is_valid_where_metrics_are_equally_good() -> None:
    """Equally good metrics and prompts that share an error: p by prompt is uniform, by story it is too small."""
    rng = np.random.default_rng(0)
    by_prompt, by_story = [], []
    codes = np.repeat(np.arange(40), 10)
    for trial in range(400):
        y = rng.normal(size=400)
        x = y[:, None] + rng.normal(size=(400, 2)) + 2 * rng.normal(size=(40, 2))[codes]
        y = y + rng.normal(size=40)[codes]
        for result, units in ((by_prompt, codes), (by_story, np.arange(400))):
            data = paired_scores(x, y, units)
            r = coefficients(data, "pearson")
            tested = permute(data, "pearson", np.array([(0, 1)]), r[:1] - r[1:], permutations=199, seed=trial)
            result.append(float(tested.p[0]))
    assert np.mean(np.array(by_prompt) <= 0.05) < 0.08
    assert np.mean(np.array(by_prompt) <= 0.5) == pytest.approx(0.5, abs=0.08)
    assert np.mean(np.array(by_story) <= 0.05) > 0.15


def test_williams_equals_a_worked_example() -> None:
    # r12 = .5, r13 = .3, r23 = .4, n = 103: K = 1 - .25 - .09 - .16 + 2 (.5)(.3)(.4) = .62, mean r = .4,
    # t = .2 sqrt(102 x 1.4) / sqrt(2 x .62 x 102 / 100 + .16 x .6^3) = 2.38997... / 1.14015...
    top, bottom = 0.2 * np.sqrt(142.8), np.sqrt(2 * 0.62 * 1.02 + 0.16 * 0.216)
    assert top / bottom == pytest.approx(2.0967, abs=1e-4)
    p = williams(np.array([0.5, 0.3]), np.array([0.3, 0.5]), np.array([0.4, 0.4]), 103)
    np.testing.assert_allclose(p, 2 * stats.t.sf(top / bottom, 100))
    assert p[0] == pytest.approx(0.0385, abs=1e-4)


def test_williams_is_undefined_for_one_metric_twice_and_for_three_stories() -> None:
    r = np.array([0.5])
    assert np.isnan(williams(r, r, np.array([1.0]), 50))
    assert np.isnan(williams(r, -r, np.array([-1.0]), 50))
    assert np.isnan(williams(r, r / 2, r, 3))


@pytest.mark.slow
@QUICK
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_equals_statsmodels(p: list[float]) -> None:
    expected = multipletests(p, method="holm")[1]
    np.testing.assert_allclose(holm(np.array(p)), expected, atol=1e-12)
    padded = holm(np.array([np.nan, *p, np.nan]))
    np.testing.assert_allclose(padded[1:-1], expected, atol=1e-12)
    assert np.isnan(padded[[0, -1]]).all()


def test_beneath_a_table_of_tests_it_says_that_intervals_are_not_corrected() -> None:
    tests = [PairTest("a", b, 40, p_holm=0.3, tests=3) for b in "bc"]
    assert p_note([*tests, PairTest("a", "d", 3)]).startswith("Holm's p is corrected for 3 comparisons, the")
    assert p_note([replace(tests[0], tests=1)]) == ""


def test_beneath_it_it_says_which_p_is_the_least_that_permutations_can_show() -> None:
    least = [PairTest("a", b, 40, permutation_p=1 / 1001, permutations=1000, p_holm=6 / 1001, tests=6) for b in "bcd"]
    assert p_note(least).endswith(
        "p = 0.00599 means at most that: it is the least that 1,000 permutations can show, corrected for 6 comparisons."
    )
    assert p_note([replace(least[0], p_holm=1 / 1001, tests=1)]) == (
        "p = 0.000999 means at most that: it is the least that 1,000 permutations can show."
    )
    assert "at most" not in p_note([replace(row, permutation_p=2 / 1001, p_holm=12 / 1001) for row in least])


def test_the_p_of_clear_differences_is_the_least_that_permutations_can_show() -> None:
    rng = np.random.default_rng(1)
    human = rng.normal(size=200)
    scores = np.column_stack([human + rng.normal(0, 0.1, 200), rng.normal(size=200), rng.normal(size=200)])
    names, chosen = ("good", "x", "y"), SignificanceSettings(permutations=99, resamples=0)
    rows = compare_metrics(scores, human, [f"p{i // 5}" for i in range(200)], names, chosen).rows
    assert rows[0].p_holm == pytest.approx(0.03)
    assert "p = 0.03 means at most that: it is the least that 99 permutations can show" in p_note(rows)


def test_enough_permutations_for_the_correction() -> None:
    assert [permutations_for_metrics(m) for m in (2, 10, 20, 40)] == [1000, 5000, 19000, 78000]
    for metrics in range(2, 60):
        assert metrics * (metrics - 1) / 2 / (permutations_for_metrics(metrics) + 1) <= 0.01


def row(a: str, b: str, p: float | None) -> PairTest:
    return PairTest(a, b, 100, p_holm=p)


def test_clusters_follow_the_rule_of_the_metrics_tasks() -> None:
    best = [Ranked(name, 100, value) for name, value in zip("abcd", (0.5, 0.4, 0.3, 0.2), strict=True)]
    rows = [row("a", "b", 0.5), row("a", "c", 0.05), row("a", "d", 0.001)]
    rows += [row("b", "c", 0.5), row("b", "d", 0.01), row("c", "d", 0.06)]
    # c is told apart from a, though not from b; d from b, which is in another cluster, but not from c.
    assert clusters_of(best, rows) == (("a", "b"), ("c", "d"))
    assert clusters_of([*best, Ranked("e", 9, None, "why")], [*rows, row("a", "e", None)]) == (("a", "b"), ("c", "d"))
    assert clusters_of(best, [row(test.a, test.b, None) for test in rows]) == ()
    assert clusters_of([], []) == ()


def test_rows_hold_what_scipy_says() -> None:
    x, y, codes = made("continuous", 0, 120, 30)
    significance = compare_metrics(
        x, y, codes, ["x", "y", "z"], SignificanceSettings(permutations=200, resamples=300, seed=4)
    )
    assert [ranked.metric for ranked in significance.ranking] == ["x", "y", "z"]
    assert [(test.a, test.b) for test in significance.rows] == [("x", "y"), ("x", "z"), ("y", "z")]
    r = [stats.pearsonr(column, y).statistic for column in x.T]
    first = significance.rows[0]
    assert first.a_value == pytest.approx(r[0])
    assert first.difference == pytest.approx(r[0] - r[1])
    assert first.low is not None
    assert first.high is not None
    assert first.low < r[0] - r[1] < first.high
    between = stats.pearsonr(x[:, 0], x[:, 1]).statistic
    assert first.williams_p == pytest.approx(float(williams(*(np.array([v]) for v in (r[0], r[1], between)), 120)[0]))
    assert first.undefined is None


def test_pairs_use_the_stories_that_both_score() -> None:
    x, y, codes = made("continuous", 2, 80, 16)
    y[5] = np.nan
    x[:40, 1] = np.nan
    chosen = SignificanceSettings(permutations=300, resamples=200)
    significance = compare_metrics(x, y, codes, ["whole", "half", "other"], chosen)
    assert significance.n == 79
    counts = {frozenset((test.a, test.b)): test for test in significance.rows}
    assert counts[frozenset(("whole", "other"))].n == 79
    half = counts[frozenset(("whole", "half"))]
    assert half.n == 40
    assert significance.on_fewer_stories
    assert not compare_metrics(x[40:], y[40:], codes[40:], ["whole", "half", "other"], chosen).on_fewer_stories
    alone = compare_metrics(x[40:, :2], y[40:], codes[40:], ["whole", "half"], chosen).rows[0]
    assert (half.difference, half.low, half.high) == (alone.difference, alone.low, alone.high)
    assert (half.williams_p, half.permutation_p) == (alone.williams_p, alone.permutation_p)


def test_a_constant_metric_is_undefined_and_so_are_its_pairs() -> None:
    x, y, codes = made("continuous", 2, 40, 10)
    x[:, 1] = 7
    significance = compare_metrics(x, y, codes, ["x", "flat", "z"], SignificanceSettings(permutations=100))
    assert significance.ranking[-1].undefined == "flat gives every story the same score"
    assert significance.ranking[-1].value is None
    undefined = [test for test in significance.rows if "flat" in (test.a, test.b)]
    assert len(undefined) == 2
    assert {test.undefined for test in undefined} == {"flat gives every story the same score"}
    assert {test.difference for test in undefined} == {None}
    assert all("flat" not in cluster for cluster in significance.clusters)
    tested = next(test for test in significance.rows if "flat" not in (test.a, test.b))
    assert tested.p_holm == tested.permutation_p  # undefined pairs do not count in the correction


def test_one_prompt_leaves_williams_alone() -> None:
    x, y, _ = made("continuous", 2, 40, 10)
    significance = compare_metrics(x, y, ["only"] * 40, "abc", SignificanceSettings(permutations=100))
    for test in significance.rows:
        assert test.williams_p is not None
        assert (test.low, test.high, test.permutation_p, test.p_holm, test.permutations) == (None,) * 5
        assert test.undefined is not None
        assert "one prompt" in test.undefined
    assert significance.clusters == ()


@pytest.mark.parametrize("stories", range(4))
def test_too_few_stories(stories: int) -> None:
    x, y, codes = made("continuous", 2, 10, 10)
    significance = compare_metrics(
        x[:stories], y[:stories], codes[:stories], "abc", SignificanceSettings(permutations=100)
    )
    assert significance.n == stories
    assert all(test.difference is None and "are needed" in str(test.undefined) for test in significance.rows)
    assert significance.clusters == ()


def test_equal_or_missing_ratings_and_few_metrics() -> None:
    x, y, codes = made("continuous", 2, 10, 5)
    flat = compare_metrics(x, np.full(10, 3.0), codes, "abc", SignificanceSettings())
    assert {test.undefined for test in flat.rows} == {"every story has the same rating"}
    unrated = compare_metrics(x, np.full(10, np.nan), codes, "abc", SignificanceSettings())
    assert unrated.n == 0
    assert {test.n for test in unrated.rows} == {0}
    assert compare_metrics(x[:, :1], y, codes, "a", SignificanceSettings()).rows == ()
    assert compare_metrics(x[:, :0], y, codes, "", SignificanceSettings()).ranking == ()


def test_a_metric_and_its_multiple_do_not_differ() -> None:
    x, y, codes = made("continuous", 2, 60, 20)
    x[:, 1] = 1000 * x[:, 0] + 5
    for name in CALLS:
        test = compare_metrics(x[:, :2], y, codes, "ab", SignificanceSettings(name, permutations=200)).rows[0]
        assert test.difference == pytest.approx(0, abs=1e-12)
        assert test.permutation_p == 1
        assert test.williams_p is None
        assert test.permutations == ENOUGH


def test_kendall_of_many_stories_is_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.analysis.significance.tests.MOST_KENDALL", 39)
    x, y, codes = made("continuous", 2, 40, 10)
    test = compare_metrics(x, y, codes, "abc", SignificanceSettings("kendall", permutations=100)).rows[0]
    assert test.difference is not None
    assert test.permutation_p is None
    assert "at most 39 stories" in str(test.undefined)


def test_spearman_of_many_stories_is_linearised(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, codes = made("ties", 2, 400, 100)
    chosen = SignificanceSettings("spearman", permutations=400, resamples=400)
    exact = compare_metrics(x, y, codes, "abc", chosen).rows
    for name in ("resamples", "paired"):
        monkeypatch.setattr(f"core.statistics.{name}.LARGEST_EXACT", 399)
    linear = compare_metrics(x, y, codes, "abc", chosen).rows
    for test, other in zip(exact, linear, strict=True):
        assert (test.linearised, other.linearised) == (False, True)
        assert (test.a_value, test.b_value, test.undefined) == (other.a_value, other.b_value, other.undefined)
        assert test.low is not None
        assert other.low == pytest.approx(test.low, abs=0.01)
        assert other.high == pytest.approx(test.high, abs=0.01)
        assert other.permutation_p == pytest.approx(test.permutation_p, abs=0.05)
        assert test.separated == other.separated


def test_ranks_have_fewer_permutations_but_enough_to_separate() -> None:
    assert [default_permutations("pearson", m) for m in (2, 10, 20)] == [
        permutations_for_metrics(m) for m in (2, 10, 20)
    ]
    assert [default_permutations("kendall", m) for m in (2, 10, 20, 40)] == [1000, 1000, 4000, 16000]
    for metrics in range(2, 60):
        assert metrics * (metrics - 1) / 2 / (default_permutations("spearman", metrics) + 1) <= LEVEL
    assert chosen_settings("spearman", 20).permutations == 4000
    assert chosen_settings("spearman", 20, permutations=7).permutations == 7


def test_kendall_is_not_offered_for_many_stories(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ScoreTable(*([()] * 4), np.array([1.0, np.nan, 2.0]), (), np.empty((3, 0)), {})  # type: ignore[arg-type]
    assert offered(table) == COEFFICIENTS
    monkeypatch.setattr("core.analysis.significance.tests.MOST_KENDALL", 1)
    assert offered(table) == ("pearson", "spearman")


def test_many_prompts_are_swapped_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paired_module, "MOST_UNITS", 8)
    x, y, codes = made("continuous", 2, 200, 50)
    data = paired_scores(x, y, codes, seed=1)
    assert data.prompts == 8
    # The stories of a prompt stay together: sorting by group and story gives each prompt one group.
    group = np.repeat(np.arange(8), np.diff(data.starts, append=200))
    of = dict(zip(data.scores[:, 0].tolist(), group.tolist(), strict=True))
    alone = (x[:, 0] - x[:, 0].mean()) / x[:, 0].std()
    near = np.array([of[min(of, key=lambda v: abs(v - value))] for value in alone])
    assert all(len(set(near[codes == code])) == 1 for code in np.unique(codes))


def test_early_stopping_saves_work_where_nothing_differs() -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=300)
    good = y + rng.normal(size=300)
    x = np.stack([good, good + 0.01 * rng.normal(size=300), rng.normal(size=300)], axis=1)
    for test in compare_metrics(x, y, np.arange(300) // 3, "abc", SignificanceSettings(permutations=2000)).rows:
        if "c" in (test.a, test.b):
            assert (test.permutations, test.permutation_p) == (2000, 1 / 2001)
        else:
            assert test.permutations is not None
            assert test.permutations < 500
            assert test.permutation_p == ENOUGH / test.permutations


def test_sizes_of_correlations_are_compared_whatever_their_signs() -> None:
    x, y, prompts = made("continuous", 3, 80, 12)
    chosen = chosen_settings("pearson", 2, permutations=1_000)
    plain = compare_metrics(x[:, :2], y, prompts, ["a", "b"], chosen).rows[0]
    for signs in itertools.product((1, -1), repeat=2):
        row = compare_in_size(signs[0] * x[:, 0], signs[1] * x[:, 1], y, prompts, ("a", "b"), chosen)
        assert row.difference == pytest.approx(plain.difference)
        assert row.permutation_p == row.p_holm == plain.permutation_p
        assert row.low == pytest.approx(plain.low)
    gaps = x[:, 0].copy()
    gaps[:10] = np.nan
    part = compare_in_size(-gaps, x[:, 1], y, prompts, ("a", "b"), chosen)
    assert part.n == 70
    assert part.a_value == pytest.approx(np.corrcoef(x[10:, 0], y[10:])[0, 1])
    assert compare_in_size(np.full(80, np.nan), x[:, 1], y, prompts, ("a", "b"), chosen).undefined


def near_the_level() -> tuple[Floats, Floats, Ints]:
    """Scores of seven metrics, ratings and prompts, of which a corrected p is 0.058."""
    rng = np.random.default_rng(7)
    human = rng.normal(size=150)
    scores = human[:, None] * np.array([0.62, 0.36, 0.3, 0.28, 0.25, 0.0, 0.1]) + rng.normal(size=(150, 7))
    return scores, human, np.repeat(np.arange(30), 5)


def test_near_the_level_the_seed_does_not_decide() -> None:
    def apart(settings: SignificanceSettings) -> list[bool]:
        return [row.separated for row in compare_metrics(*near_the_level(), list("abcdefg"), settings).rows]

    usual = [chosen_settings("pearson", 7, resamples=0, seed=seed) for seed in range(5)]
    assert len({tuple(apart(replace(settings, near=False))) for settings in usual}) == 3
    assert len({tuple(apart(settings)) for settings in usual}) == 1


def test_pairs_near_the_level_get_more_permutations_and_the_rest_none() -> None:
    usual = chosen_settings("pearson", 7, resamples=0)

    def rows(settings: SignificanceSettings) -> tuple[PairTest, ...]:
        return compare_metrics(*near_the_level(), list("abcdefg"), settings).rows

    longer = rows(replace(usual, permutations=MOST_NEAR, enough=ENOUGH_NEAR, near=False))
    first = rows(replace(usual, near=False))
    decided = rows(usual)
    more = [old.permutations != new.permutations for old, new in zip(first, decided, strict=True)]
    assert 0 < sum(more) < len(more)
    for old, new, long, near in zip(first, decided, longer, more, strict=True):
        assert new.permutation_p == (long if near else old).permutation_p
        assert near or not NEAR[0] < (new.p_holm or 0) < NEAR[1]
    ps = np.array([row.permutation_p for row in decided], dtype=np.float64)
    assert [row.p_holm for row in decided] == pytest.approx(multipletests(ps, method="holm")[1])
    assert not chosen_settings("pearson", 7, permutations=3000).near  # as many as somebody asks for
