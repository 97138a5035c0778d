"""The order of metrics, and their names, on every page: the best first, and a name that no order changes."""

from pathlib import Path

import numpy as np
import pytest

from core.analysis.correlation.metric_order import best_first
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import correlate_table
from tests.core.analysis.drift.quality import table_of, union_table


def test_the_best_first_undefined_ones_last_then_by_name() -> None:
    human = np.array([1.0, 2, 3, 4, np.nan])
    scores = {
        "worst": -human,
        "zz flat": np.ones(5),
        "aa flat": np.ones(5),
        "few": np.array([1, 2, np.nan, np.nan, 3]),
        "good": np.array([1.0, 2, 3, 4, 0]),
        "fair": np.array([2.0, 1, 4, 3, 0]),
        "b good": np.array([1.0, 2, 3, 4, 9]),
    }
    table = table_of(human, scores, ["s"] * 5, list("abcde"))
    result = [column.metric for column in best_first(table).columns]
    assert result == ["b good", "good", "fair", "worst", "aa flat", "few", "zz flat"]


def test_it_is_the_order_of_the_correlations_that_are_shown(shared: Path) -> None:
    correlations = correlate_table(best_first(union_table(shared / "union-roc")), resamples=0)
    values = [correlation.correlation.pearson.value or -2.0 for correlation in correlations]
    assert values == sorted(values, reverse=True)
    assert correlations[0].metric == "union"


def column(metric: str, signature: str) -> ScoreColumn:
    return ScoreColumn(metric, signature, np.zeros(0), {})


@pytest.mark.parametrize("metrics", [(), ("one",)])
def test_nothing_to_order(metrics: tuple[str, ...]) -> None:
    none = ScoreTable((), (), (), (), np.zeros(0), tuple(column(name, "s") for name in metrics))
    assert [score_column.metric for score_column in best_first(none).columns] == list(metrics)
