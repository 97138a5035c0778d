"""System and dataset drift: SciPy's numbers a part, intervals by prompt, matching of metrics, refusals."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.analysis.correlation.subsets import by_system
from core.analysis.drift.subsets import dataset_drift, match_metrics, system_drift
from core.errors import InputError
from core.scores import ScoreColumn, ScoreTable
from core.statistics import draws
from core.statistics.correlation import correlate, correlate_table
from core.stories import NAMELESS
from tests.core.analysis.drift.quality import table_of, union_table
from tests.core.analysis.drift.subsets import two_systems


def test_equals_the_correlations_by_system() -> None:
    """Both engines of OpenMEVA's Table 4, in the same draws, but for the last digit."""
    table = two_systems()
    by_subset = {
        (correlation.metric, correlation.subset): correlation.correlation.pearson
        for correlation in by_system(table, seed=3, resamples=50)
    }
    drift = system_drift(table, seed=3, resamples=50)
    for row in drift.rows:
        for part, estimate in zip(drift.systems, row.values, strict=True):
            other = by_subset[row.metric, f"system:{part.name}"]
            assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
                (other.value, other.low, other.high), abs=1e-12
            )


def test_equals_scipy_on_each_system() -> None:
    table = two_systems()
    result = system_drift(table, resamples=0)
    assert [part.name for part in result.systems] == ["two", NAMELESS, "one"]  # as they come, the first being unrated
    assert result.n + result.unrated == 150
    for row, column in zip(result.rows, table.columns, strict=True):
        for part, value, n in zip([*result.systems, None], [*row.values, row.all], [*row.n, None], strict=True):
            mine = np.array([part is None or s == part.name for s in table.systems])
            mine &= np.isfinite(table.human) & np.isfinite(column.values)
            assert n in (None, mine.sum())
            assert value.value == pytest.approx(stats.pearsonr(column.values[mine], table.human[mine]).statistic)
            assert (value.low, value.high) == (None, None)


def test_intervals_are_those_of_whole_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = two_systems(60)
    result = system_drift(table, resamples=4000, seed=2)
    for row, column in zip(result.rows, table.columns, strict=True):
        same = correlate(column.values, table.human, table.prompts, seed=3, resamples=4000).pearson
        assert (row.all.low, row.all.high) == pytest.approx((same.low, same.high), abs=0.02)
    monkeypatch.setattr(draws, "CELLS_A_BLOCK", 7 * 60)
    cut = system_drift(table, resamples=4000, seed=2)
    assert cut.rows[0].all.low == pytest.approx(result.rows[0].all.low, abs=1e-9)  # in blocks, the same draws


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 40))
def test_intervals_are_those_of_the_correlation_page(seed: int, prompts: int) -> None:
    table = two_systems(prompts, seed)
    result = system_drift(table, resamples=100, seed=seed)
    apart = {
        (correlation.subset, correlation.metric): correlation.correlation.pearson
        for correlation in by_system(table, seed=seed, resamples=100)
    }
    whole = {
        correlation.metric: correlation.correlation.pearson
        for correlation in correlate_table(table, seed=seed, resamples=100)
    }
    for row in result.rows:
        for part, value in zip(result.systems, row.values, strict=True):
            other = apart[f"system:{part.name}", row.metric]
            assert [value.value, value.low, value.high] == pytest.approx([other.value, other.low, other.high])
        other = whole[row.metric]
        assert [row.all.value, row.all.low, row.all.high] == pytest.approx([other.value, other.low, other.high])
    for row in dataset_drift({"here": table, "there": two_systems(prompts)}, resamples=100, seed=seed).rows:
        other = whole[row.metric]
        assert [row.values[0].low, row.values[0].high] == pytest.approx([other.low, other.high])


def test_a_system_without_a_correlation_says_why() -> None:
    human = np.array([1.0, 2, 3, 4, 1, 2, 5, 5, 5])
    scores = {"m": np.array([1.0, 3, 2, 4, 1, 2, 1, 2, 3])}
    result = system_drift(table_of(human, scores, list("aaaabbccc"), list("pppppqpqr")), resamples=20)
    a, b, c = result.rows[0].values
    assert a.value == pytest.approx(0.8)
    assert a.low is None  # of a single prompt
    assert (b.value, b.undefined) == (None, "only 2 stories have both a score and a rating; 3 are needed")
    assert (c.value, c.undefined) == (None, "every story has the same rating")


@pytest.mark.parametrize(
    ("human", "system", "said"),
    [
        ([1, 2, 3], "gpt", "all rated ones here are of gpt"),
        ([1, 2, 3], NAMELESS, "name no system"),
        ([], "", "no story"),
    ],
)
def test_one_system_is_refused(human: list[float], system: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        system_drift(table_of(np.array(human), {"m": np.arange(len(human)) * 1.0}, [system] * len(human)))


def test_released_studies_beside_each_other(shared: Path) -> None:
    roc, wp = (union_table(shared / name) for name in ("union-roc", "union-wp"))
    result = dataset_drift({"roc": roc, "wp": wp})
    assert [(part.name, part.n) for part in result.studies] == [("roc", 400), ("wp", 200)]
    rows = {row.metric: row for row in result.rows}
    assert [row.metric for row in result.rows][:3] == ["union", "union_recon", "ppl"]
    for metric, printed in {"union": (0.3687, 0.3663), "ppl": (0.2464, -0.0705), "bleu": (0.0299, 0.1213)}.items():
        assert [value.value for value in rows[metric].values] == pytest.approx(printed, abs=5e-5)
    (change,) = rows["ppl"].changes
    assert change.value == pytest.approx(-0.0705 - 0.2464, abs=1e-4)
    assert change.high is not None
    assert change.high < 0
    assert rows["ppl"].relative[0] == pytest.approx(-1.286, abs=1e-3)
    assert rows["bleu"].relative == (None,)  # .03 cannot be told from 0
    assert result.unmatched == {}


def test_studies_are_drawn_apart() -> None:
    table = two_systems()
    result = dataset_drift({"a": table, "b": table}, resamples=200)
    for row in result.rows:
        (change,) = row.changes
        assert change.value == pytest.approx(0)
        assert change.low is not None
        assert change.low < -0.01
    assert result == dataset_drift({"a": table, "b": table}, resamples=200)
    bare = dataset_drift({"a": table, "b": table}, resamples=0).rows[0]
    assert (bare.changes[0].low, bare.relative) == (None, (None,))


def columns(*pairs: tuple[str, str]) -> list[ScoreColumn]:
    return [ScoreColumn(metric, signature, np.arange(3.0), {}) for metric, signature in pairs]


def test_metrics_are_matched_by_name_and_signature() -> None:
    result, unmatched = match_metrics(
        {
            "a": columns(("bleu", "x"), ("bleu", "y"), ("only", "o"), ("ppl", "file:1")),
            "b": columns(("bleu", "y"), ("ppl", "file:2"), ("new", "n")),
            "c": columns(("new", "n")),
        }
    )
    assert result == [("bleu", (1, 0, None)), ("ppl", (3, 1, None)), ("new", (None, 2, 0))]
    assert unmatched == {"a": ("bleu (2)", "only")}


def test_gaps_between_studies_and_refusals() -> None:
    table = two_systems()
    bare = replace(table, columns=table.columns[:1])
    flat = replace(bare, human=np.full(150, 3.0))
    with pytest.raises(InputError, match="name another one"):
        dataset_drift({"a": table})
    with pytest.raises(InputError, match="No metric was scored in more than one"):
        dataset_drift({"a": replace(table, columns=()), "b": table})
    result = dataset_drift({"a": table, "b": flat, "c": table}, resamples=20)
    rows = {row.metric: row for row in result.rows}
    assert rows["noise"].values[1].undefined == rows["noise"].changes[0].undefined == "every story has the same rating"
    assert rows["gaps"].values[1].undefined == "not scored in b"
    assert rows["gaps"].signatures == ("gaps|v:1", None, "gaps|v:1")
    assert rows["gaps"].n[1] == 0
    assert rows["gaps"].changes[0].value is None
    assert rows["gaps"].changes[1].value == pytest.approx(0)


def test_no_prompt_no_interval() -> None:
    table = two_systems(1)
    empty = table.take(np.empty(0, dtype=np.intp))
    result = dataset_drift({"a": table, "b": empty}, resamples=10)
    assert result.rows[0].values[0].low is None
    assert result.rows[0].values[1].undefined == "no story has both a score and a rating; 3 are needed"


def test_few_stories_and_few_draws_are_no_error() -> None:
    """Where draws lack an r in one study there is no interval, and of a first r of 0 there is no share."""
    rng = np.random.default_rng(0)

    def tiny() -> ScoreTable:
        stories, prompts = int(rng.integers(3, 6)), int(rng.integers(2, 4))
        scores, human = rng.integers(0, 2, stories) * 1.0, rng.integers(1, 3, stories) * 1.0
        return table_of(human, {"m": scores}, [""] * stories, [str(i % prompts) for i in range(stories)])

    no_interval = share_of_nothing = 0
    for seed in range(400):
        (row,) = dataset_drift({"one": tiny(), "other": tiny()}, resamples=3, seed=seed).rows
        first, other = row.values
        assert (row.changes[0].low is None) is (first.low is None or other.low is None)
        no_interval += row.changes[0].value is not None and row.changes[0].low is None
        if first.low is None or first.high is None or other.low is None:
            continue
        if first.value == 0 and (first.low > 0 or first.high < 0):
            share_of_nothing += 1
            assert row.relative[0] is None
    assert no_interval > 0
    assert share_of_nothing > 0
