"""The weighted bootstrap against one that really repeats the rows."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from core.arrays import Floats, Ints
from core.statistics import draws, resamples
from core.statistics.moments import weighted_pearson
from core.statistics.pairwise import concordance
from core.statistics.resamples import kendall_influence, mid_ranks, spearman_influence, weighted_ranks
from tests.core.statistics.drawn import bootstrap, bootstrap_columns

CALLS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
TOLERANCE = {"pearson": 1e-9, "spearman": 1e-9, "kendall": 1e-6}


def slow(x: Floats, y: Floats, clusters: Ints, seed: int, draws: int) -> dict[str, Floats]:
    """Draw the same numbers of copies one resample at a time, repeat the rows, and ask SciPy."""
    rng = np.random.default_rng(seed)
    names = np.unique(clusters)
    result: dict[str, list[float]] = {name: [] for name in CALLS}
    for _ in range(draws):
        copies = np.bincount(rng.integers(0, len(names), len(names)), minlength=len(names))
        rows = np.array(
            [
                i
                for name, number in zip(names, copies, strict=True)
                for i in np.flatnonzero(clusters == name).repeat(number)
            ]
        )
        flat = np.ptp(x[rows]) == 0 or np.ptp(y[rows]) == 0
        for name, call in CALLS.items():
            result[name].append(np.nan if flat else float(call(x[rows], y[rows]).statistic))
    return {name: np.array(values) for name, values in result.items()}


def data(kind: str) -> tuple[Floats, Floats, Ints]:
    rng = np.random.default_rng(len(kind))
    if kind == "continuous":
        x = rng.normal(size=40)
        return x, x + rng.normal(size=40), np.arange(40)
    if kind == "ties":
        return rng.integers(0, 4, 30).astype(float), rng.integers(1, 6, 30).astype(float), np.arange(30)
    if kind == "clusters":
        return rng.normal(size=35), rng.integers(1, 6, 35) / 5, np.arange(35) // 5
    if kind == "uneven clusters":
        return rng.integers(0, 9, 30).astype(float), rng.normal(size=30), rng.integers(3, 11, 30)
    if kind == "large and negative":
        return -np.exp(rng.normal(5, 2, 25)), rng.integers(1, 6, 25).astype(float), np.arange(25) // 2
    return np.array([1.0, 2.0, 2.0, 1.0]), np.array([1.0, 2.0, 1.0, 3.0]), np.array([0, 0, 1, 2])


KINDS = ("continuous", "ties", "clusters", "uneven clusters", "large and negative", "tiny")


@pytest.mark.parametrize("kind", KINDS)
def test_equals_repeating_the_rows(kind: str) -> None:
    x, y, clusters = data(kind)
    drawn, expected = bootstrap(x, y, clusters, seed=7, resamples=60), slow(x, y, clusters, 7, 60)
    for name, tolerance in TOLERANCE.items():
        assert drawn[name].shape == (60,)
        np.testing.assert_array_equal(np.isnan(drawn[name]), np.isnan(expected[name]))
        np.testing.assert_allclose(drawn[name], expected[name], atol=tolerance, rtol=0)


def test_metrics_together_are_as_each_alone() -> None:
    x, y, clusters = data("clusters")
    columns = [x, -x, np.round(x), x**3]
    together = bootstrap_columns(columns, y, clusters, seed=5, resamples=40)
    for column, result in zip(columns, together, strict=True):
        alone = bootstrap(column, y, clusters, seed=5, resamples=40)
        for name in CALLS:
            np.testing.assert_allclose(result[name], alone[name], atol=1e-12)


def test_a_prompt_too_large_for_single_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, clusters = data("uneven clusters")
    single = bootstrap(x, y, clusters, seed=5, resamples=40)["kendall"]
    monkeypatch.setattr(resamples, "EXACT_IN_SINGLE", 0)
    np.testing.assert_array_equal(bootstrap(x, y, clusters, seed=5, resamples=40)["kendall"], single)


def test_a_draw_without_the_outlier_keeps_its_figures() -> None:
    x, y, clusters = data("continuous")
    x[0] = 1e7
    drawn, expected = bootstrap(x, y, clusters, seed=7, resamples=60), slow(x, y, clusters, 7, 60)
    np.testing.assert_allclose(drawn["pearson"], expected["pearson"], atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("prompts", [4000, 800])
def test_many_stories_have_linearised_intervals_like_the_exact_ones(
    prompts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(1, 6, (4000, 5)).mean(1)
    x, clusters = np.round(y + rng.normal(size=4000), 1), np.arange(4000) % prompts
    monkeypatch.setattr(resamples, "LARGEST_EXACT", 4000)
    exact = bootstrap(x, y, clusters, seed=3, resamples=300)
    monkeypatch.setattr(resamples, "LARGEST_EXACT", 3999)
    linear = bootstrap(x, y, clusters, seed=3, resamples=300)
    np.testing.assert_allclose(linear["pearson"], exact["pearson"], atol=1e-12)
    for name in ("spearman", "kendall"):
        spread = exact[name].std()
        assert 0 < np.abs(linear[name] - exact[name]).max() < 0.4 * spread
        assert np.corrcoef(linear[name], exact[name])[0, 1] > 0.995
        for end in (2.5, 97.5):
            assert abs(np.percentile(linear[name], end) - np.percentile(exact[name], end)) < 0.15 * spread


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=3, max_size=15))
def test_influences_are_the_derivatives_by_a_story(pairs: list[tuple[int, int]]) -> None:
    """Against the change that a thousandth of a story more makes, in the weighted coefficients."""
    x, y = np.array(pairs, dtype=float).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)

    def weighted(weights: Floats) -> tuple[float, float]:
        row = weights[None]
        rho = weighted_pearson(row, weighted_ranks(row, x), weighted_ranks(row, y))[0]
        pairs = weights[:, None] * weights
        signs = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
        untied = [(pairs * np.abs(sign)).sum() for sign in signs]
        return rho, (pairs * signs[0] * signs[1]).sum() / np.sqrt(untied[0] * untied[1])

    result = spearman_influence(mid_ranks(x), mid_ranks(y)), kendall_influence(concordance(x, y))
    step = 1e-5
    for story in range(len(x)):
        up, down = np.ones(len(x)), np.ones(len(x))
        up[story] += step
        down[story] -= step
        for (value, influence), more, less, now in zip(
            result, weighted(up), weighted(down), weighted(np.ones(len(x))), strict=True
        ):
            assert value == pytest.approx(now, abs=1e-9)
            assert influence[story] == pytest.approx((more - less) / (2 * step), abs=1e-4)
            assert influence.sum() == pytest.approx(0, abs=1e-9)


def test_draws_without_variation_are_undefined() -> None:
    x, y, clusters = data("tiny")
    drawn = bootstrap(x, y, clusters, seed=0, resamples=200)
    undefined = {name: int(np.isnan(draws).sum()) for name, draws in drawn.items()}
    assert undefined["pearson"] == undefined["spearman"] == undefined["kendall"] > 0
    assert undefined["pearson"] < 200


def test_resamples_do_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, clusters = data("clusters")
    monkeypatch.setattr(draws, "CELLS_A_BLOCK", 7 * len(x))
    many = 2 * 7 + 3
    drawn = bootstrap(x, y, clusters, seed=1, resamples=many)
    few = bootstrap(x, y, clusters, seed=1, resamples=5)
    for name in CALLS:
        assert drawn[name].shape == (many,)
        np.testing.assert_allclose(drawn[name][:5], few[name], atol=1e-12)
    np.testing.assert_allclose(drawn["pearson"], slow(x, y, clusters, 1, many)["pearson"], atol=1e-9)


def test_clusters_may_have_any_numbers() -> None:
    x, y, clusters = data("clusters")
    values, other = (
        bootstrap(x, y, clusters, seed=2, resamples=20),
        bootstrap(x, y, clusters * 10 + 5, seed=2, resamples=20),
    )
    for name in CALLS:
        np.testing.assert_array_equal(values[name], other[name])


def test_coefficients_stay_within_their_range() -> None:
    x = np.random.default_rng(0).normal(size=15)
    for y, end in ((3 * x + 0.1, 1), (-3 * x, -1)):
        drawn = bootstrap(x, y, np.arange(15), seed=0, resamples=1000)
        for name in CALLS:
            assert np.abs(drawn[name]).max() <= 1  # rounding alone would pass it
            np.testing.assert_allclose(drawn[name], end, atol=1e-6)
