"""The weighted bootstrap against one that really repeats the rows."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from core.analysis import correlation
from core.analysis.correlation import bootstrap

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
CALLS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
TOLERANCE = {"pearson": 1e-9, "spearman": 1e-9, "kendall": 1e-6}


def slow(x: Floats, y: Floats, clusters: Ints, seed: int, resamples: int) -> dict[str, Floats]:
    """Draw the same numbers of copies one resample at a time, repeat the rows, and ask SciPy."""
    rng = np.random.default_rng(seed)
    names = np.unique(clusters)
    found: dict[str, list[float]] = {name: [] for name in CALLS}
    for _ in range(resamples):
        copies = rng.multinomial(len(names), [1 / len(names)] * len(names))
        rows = np.array(
            [
                i
                for name, number in zip(names, copies, strict=True)
                for i in np.flatnonzero(clusters == name).repeat(number)
            ]
        )
        flat = np.ptp(x[rows]) == 0 or np.ptp(y[rows]) == 0
        for name, call in CALLS.items():
            found[name].append(np.nan if flat else float(call(x[rows], y[rows]).statistic))
    return {name: np.array(draws) for name, draws in found.items()}


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


@pytest.mark.parametrize("kind", KINDS)
def test_many_stories_go_another_way_to_the_same_kendall(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, clusters = data(kind)
    by_pairs = bootstrap(x, y, clusters, seed=3, resamples=40)
    monkeypatch.setattr(correlation, "_kendall_by_pairs", None)  # proves which way is taken
    with pytest.raises(TypeError, match="NoneType"):
        bootstrap(x, y, clusters, seed=3, resamples=40)
    monkeypatch.setattr(correlation, "LARGEST_PAIR_MATRIX", len(x) - 1)
    by_draw = bootstrap(x, y, clusters, seed=3, resamples=40)
    for name in CALLS:
        np.testing.assert_allclose(by_draw[name], by_pairs[name], atol=1e-6, rtol=0)


def test_draws_without_variation_are_undefined() -> None:
    x, y, clusters = data("tiny")
    drawn = bootstrap(x, y, clusters, seed=0, resamples=200)
    undefined = {name: int(np.isnan(draws).sum()) for name, draws in drawn.items()}
    assert undefined["pearson"] == undefined["spearman"] == undefined["kendall"] > 0
    assert undefined["pearson"] < 200


def test_resamples_do_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, clusters = data("clusters")
    monkeypatch.setattr(correlation, "WEIGHTS_A_BLOCK", 7 * len(x))
    many = 2 * 7 + 3
    drawn = bootstrap(x, y, clusters, seed=1, resamples=many)
    few = bootstrap(x, y, clusters, seed=1, resamples=5)
    for name in CALLS:
        assert drawn[name].shape == (many,)
        np.testing.assert_allclose(drawn[name][:5], few[name], atol=1e-12)
    np.testing.assert_allclose(drawn["pearson"], slow(x, y, clusters, 1, many)["pearson"], atol=1e-9)


def test_clusters_may_have_any_numbers() -> None:
    x, y, clusters = data("clusters")
    one, other = (
        bootstrap(x, y, clusters, seed=2, resamples=20),
        bootstrap(x, y, clusters * 10 + 5, seed=2, resamples=20),
    )
    for name in CALLS:
        np.testing.assert_array_equal(one[name], other[name])


def test_coefficients_stay_within_their_range() -> None:
    x = np.random.default_rng(0).normal(size=15)
    for y, end in ((3 * x + 0.1, 1), (-3 * x, -1)):
        drawn = bootstrap(x, y, np.arange(15), seed=0, resamples=1000)
        for name in CALLS:
            assert np.abs(drawn[name]).max() <= 1  # rounding alone would pass it
            np.testing.assert_allclose(drawn[name], end, atol=1e-6)
