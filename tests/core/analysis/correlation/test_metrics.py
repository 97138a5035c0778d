"""Metrics beside one another, against SciPy on the stories both define."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.analysis.correlation.metrics import compare_columns, metric_matrix
from core.errors import InputError
from core.scores import ScoreColumn, ScoreTable

GAP = float("nan")


def table(*columns: list[float]) -> ScoreTable:
    size = len(columns[0])
    new_columns = tuple(ScoreColumn(f"m{i}", f"m{i}|v:1", np.array(column), {}) for i, column in enumerate(columns))
    blank = ("",) * size
    return ScoreTable(blank, blank, blank, blank, np.full(size, GAP), new_columns)


def test_each_pair_is_taken_over_the_stories_that_both_score() -> None:
    a, b, c = [1.0, 2, 3, 4, GAP], [2.0, 1, 4, GAP, 5], [1.0, 1, 1, 1, 1]
    result = metric_matrix(table(a, b, c))
    assert result.counts.tolist() == [[4, 3, 4], [3, 4, 4], [4, 4, 5]]
    assert result.values[0, 1] == result.values[1, 0] == pytest.approx(stats.pearsonr([1, 2, 3], [2, 1, 4]).statistic)
    assert result.values[0, 0] == pytest.approx(1)
    assert np.isnan(result.values[2]).all()  # a constant agrees with nothing


def test_two_stories_are_too_few() -> None:
    assert np.isnan(metric_matrix(table([1.0, 2.0, GAP], [1.0, 2.0, 3.0])).values[0, 1])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=30))
def test_all_coefficients_are_scipys(pairs: list[tuple[int, int]]) -> None:
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return
    scipy = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    for name, function in scipy.items():
        result = metric_matrix(table(x.tolist(), y.tolist()), name).values[0, 1]
        assert result == pytest.approx(function(x, y).statistic, nan_ok=True)


def test_an_unknown_coefficient_is_refused() -> None:
    with pytest.raises(InputError, match="choose one of pearson, spearman, kendall"):
        metric_matrix(table([1.0, 2, 3]), "cosine")


def test_two_columns_compared() -> None:
    first, second = table([1.0, 2, 3, GAP, 5], [2.0, 2, 5, 1, GAP]).columns
    comparison = compare_columns(first, second)
    assert (comparison.n, comparison.only_first, comparison.only_second) == (3, 1, 1)
    assert comparison.mean_difference == pytest.approx(1)
    assert comparison.largest_difference == 2
    assert comparison.pearson == pytest.approx(stats.pearsonr([1, 2, 3], [2, 2, 5]).statistic)


def test_nothing_in_common_is_undefined() -> None:
    first, second = table([1.0, GAP], [GAP, 1.0]).columns
    comparison = compare_columns(first, second)
    assert (comparison.n, comparison.pearson, comparison.mean_difference, comparison.largest_difference) == (
        0,
        None,
        None,
        None,
    )
