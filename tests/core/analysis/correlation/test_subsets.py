"""Correlations on part of the stories: both papers' sets of error types, systems, within prompts."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.analysis.correlation.subsets import (
    MANS,
    UNION,
    by_error,
    by_system,
    correlate_within,
    definition_for,
    error_sets,
    within_prompts,
)
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.scores import ScoreColumn
from core.statistics.correlation import NAMES, Correlation, correlate
from tests.core.analysis.correlation.subsets import TYPES, table_of, table_of_ratings


def test_unions_sets_and_what_the_released_scores_give(shared: Path) -> None:
    """The printed .6943 … do not follow from the released scores."""
    table = table_of(read_union(shared / "union-roc"), TYPES)
    sets = error_sets(table, UNION, (0, 1))
    assert [error_set.error_type for error_set in sets] == list(TYPES)
    assert [len(error_set.reasonable) for error_set in sets] == [19] * 5
    assert [len(error_set.unreasonable) for error_set in sets] == [24, 38, 61, 23, 0]
    correlations = [
        correlation for correlation in by_error(table, UNION, (0, 1), resamples=0) if correlation.metric == "union"
    ]
    assert [correlation.subset for correlation in correlations] == [f"error:{name}" for name in TYPES]
    values = [correlation.correlation.pearson.value for correlation in correlations[:4]]
    assert [f"{value:.4f}" for value in values] == ["0.5564", "0.4441", "0.3862", "0.6208"]
    assert [correlation.correlation.n for correlation in correlations] == [43, 57, 80, 42, 19]
    assert correlations[4].correlation.undefined == "there is no unreasonable story of this type"


def test_the_reasonable_stories_of_mans(shared: Path) -> None:
    table = table_of(read_mans(shared / "mans-roc" / "mans_roc.json"), ("repeated plot",))
    (error_set,) = error_sets(table, MANS, (1, 5))
    assert (len(error_set.reasonable), len(error_set.unreasonable)) == (46, 0)
    scored = replace(table, columns=(ScoreColumn("m", "m|v:1", table.human, {}),))
    (correlation,) = by_error(scored, MANS, (1, 5))
    assert correlation.correlation.undefined == "the ratings name no error types"  # not that no story has that error


def test_mans_counts_stories_of_exactly_one_type() -> None:
    ratings = np.array([[5.0] * 5, [4.0] * 5, [2.0] * 5, [2.0] * 5, [2.0] * 5, [5.0, 5, 5, 5, 4]])
    table = table_of_ratings(ratings, {"a": [0, 3, 3, 2, 5, 4], "b": [0, 0, 3, 2, 2, 0]})
    a, b = error_sets(table, MANS, (1, 5))
    assert a.reasonable.tolist() == [0, 5]  # above 4; what it is said to have does not matter
    assert a.unreasonable.tolist() == [1, 4]  # at most 4, named by at least 3, and by no other 3
    assert b.unreasonable.tolist() == []
    first, second = by_error(table, MANS, (1, 5), resamples=0)
    labelled = correlate([0, 1, 4, 5], [1, 0, 0, 1], resamples=0)
    assert (first.subset, first.correlation) == ("error:a", labelled)
    assert second.correlation == Correlation(
        2, *[correlate([], []).pearson] * 3, "there is no unreasonable story of this type"
    )


def test_union_counts_a_story_under_every_type_it_has() -> None:
    ratings = np.array([[1.0] * 7, [1.0] * 6 + [0], [0.0] * 7, [0.0] * 7])
    table = table_of_ratings(ratings, {"a": [0, 3, 3, 2], "b": [0, 0, 4, 2]})
    a, b = error_sets(table, UNION, (0, 1))
    assert (a.reasonable.tolist(), a.unreasonable.tolist(), b.unreasonable.tolist()) == ([0], [1, 2], [2])
    assert a.rows.tolist() == [0, 1, 2]
    (first, _) = by_error(table, UNION, (0, 1), resamples=0)
    assert first.correlation == correlate([0, 1, 2], [1, 6 / 7, 0], resamples=0)


def test_the_votes_needed_grow_with_the_ratings() -> None:
    given = np.arange(1, 15)
    assert MANS.needed(given).tolist() == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]
    assert UNION.needed(given).tolist() == [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 6]


def test_the_scale_tells_the_paper() -> None:
    assert definition_for((0, 1)) is UNION
    assert definition_for((1, 5)) is MANS


def test_unrated_stories_are_in_no_set() -> None:
    table = table_of_ratings(np.array([[5.0, np.nan], [np.nan, np.nan], [1.0, 1.0]]), {"a": [0, 0, 2]})
    for definition in (MANS, UNION):
        (error_set,) = error_sets(table, definition, (1, 5))
        assert (error_set.reasonable.tolist(), error_set.unreasonable.tolist()) == ([0], [2])


def test_no_ratings_and_no_error_types() -> None:
    empty = table_of_ratings(np.empty((0, 0)), {"a": []})
    (correlation,) = by_error(empty, MANS, (1, 5))
    assert correlation.correlation.undefined == "there is no reasonable story"
    assert by_error(table_of_ratings(np.ones((3, 2)), {}), UNION, (0, 1)) == ()


def test_systems_apart() -> None:
    table = table_of_ratings(np.array([[1.0], [2], [4], [5], [3], [1]]), {}, systems=("b", "a", "b", "a", "b", "a"))
    a, b = by_system(table, seed=3, resamples=20)
    assert (a.subset, b.subset) == ("system:a", "system:b")
    scores = [np.nan, 1, np.nan, 3, np.nan, 5]
    assert a.correlation == correlate(scores, table.human, table.prompts, seed=3, resamples=20)
    assert by_system(table_of_ratings(np.empty((0, 0)), {})) == ()


@given(
    st.lists(
        st.tuples(st.sampled_from([0, 1, 2, 3, np.nan]), st.sampled_from([1, 2, 3, np.nan]), st.integers(0, 3)),
        max_size=30,
    )
)
def test_within_prompts_equals_a_loop(stories: list[tuple[float, float, int]]) -> None:
    x, y, prompts = (np.array([story[i] for story in stories], dtype=float) for i in range(3))
    calls = (stats.pearsonr, stats.spearmanr, stats.kendalltau)
    rows, counted, accuracies, count = [], 0, [], 0
    for prompt in np.unique(prompts):
        mine = (prompts == prompt) & np.isfinite(x) & np.isfinite(y)
        count += bool(mine.any())
        correlation = correlate(x[mine], y[mine], resamples=0)
        if correlation.undefined is None:
            rows.append([float(call(x[mine], y[mine]).statistic) for call in calls])  # type: ignore[operator]
            counted += int(mine.sum())
            accuracies.append(correlation.pairwise.accuracy)
    (correlation,) = correlate_within([x], y, prompts, seed=1, resamples=30)
    assert (correlation.n, correlation.prompts) == (counted, (len(rows), count))
    if not rows:
        assert (
            correlation.undefined
            == "a prompt counts that has 3 stories or more with scores and ratings that differ; there is none"
        )
        return
    for name, mean in zip(NAMES, np.mean(rows, axis=0), strict=True):
        assert getattr(correlation, name).value == pytest.approx(mean, abs=1e-9)
        assert getattr(correlation, name).p is None
    assert correlation.pairwise.accuracy == pytest.approx(np.mean(accuracies))  # type: ignore[arg-type]
    assert (correlation.pearson.low is not None) <= (len(rows) > 1)


def test_the_interval_within_prompts_is_that_of_a_mean_over_prompts() -> None:
    rng = np.random.default_rng(0)
    prompts = np.repeat(np.arange(200), 5)
    x = rng.normal(size=1000)
    y = x + rng.normal(size=1000)
    coefficient = correlate_within([x], y, prompts, resamples=1000)[0].pearson
    each = [np.corrcoef(x[prompts == p], y[prompts == p])[0, 1] for p in range(200)]
    half = 1.96 * np.std(each) / np.sqrt(200)
    assert coefficient.value is not None
    assert coefficient.low is not None
    assert coefficient.high is not None
    assert coefficient.value - coefficient.low == pytest.approx(half, rel=0.15)
    assert coefficient.high - coefficient.value == pytest.approx(half, rel=0.15)
    assert coefficient.p_cluster == pytest.approx(2 / 1001)


def test_within_prompts_of_a_table() -> None:
    table = table_of_ratings(np.array([[1.0], [2], [4], [5], [3], [1]]), {}, prompts=("p", "p", "p", "q", "q", "r"))
    (correlation,) = within_prompts(table)
    assert (correlation.metric, correlation.signature, correlation.subset) == ("m", "m|v:1", "prompt")
    assert correlation.correlation.prompts == (1, 3)
    assert correlation.correlation.n == 3
    assert correlation.correlation.pearson.low is None
    assert within_prompts(table_of_ratings(np.ones((3, 2)), {}, columns=())) == ()


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-20, 1e20, 1e160, 1e200])
def test_within_prompts_tiny_and_huge_scores_are_as_others(scale: float) -> None:
    rng = np.random.default_rng(2)
    x, y, prompts = rng.normal(size=60), rng.integers(1, 6, 60).astype(float), np.arange(60) // 5
    (plain,) = correlate_within([x], y, prompts, resamples=50)
    uneven = x * np.where(prompts < 6, scale, 1.0)  # each prompt is on a scale of its own
    for (correlation,) in (correlate_within([values], y, prompts, resamples=50) for values in (x * scale, uneven)):
        for name in NAMES:
            own, other = getattr(correlation, name), getattr(plain, name)
            np.testing.assert_allclose([own.value, own.low, own.high], [other.value, other.low, other.high], atol=1e-9)
