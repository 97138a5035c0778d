"""The object of preferences: promised names, plain values."""

import json
from datetime import UTC, datetime

import numpy as np

from commands.json.preferences import preferences_report
from core.analysis.preferences.agreement import agreement
from core.analysis.preferences.metrics import judge_metrics
from core.analysis.preferences.pair_judges import try_judges
from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import rank
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study, StudyState
from core.scores import PairColumn, ScoreColumn, ScoreTable
from tests.core.analysis.preferences.judged import preferences

STUDY = Study(1, "mine", "mans", QualityRules(), StudyState.OPEN, True, False, "1", datetime(2026, 1, 1, tzinfo=UTC))


def report(judged: Preferences) -> dict[str, object]:
    ranking = rank(judged, seed=3, resamples=20)
    table = ScoreTable(
        ("0a", "0b"), ("", ""), ("a", "b"), ("", ""), np.full(2, np.nan),
        (ScoreColumn("bleu", "bleu|v:1", np.array([2.0, 1.0]), {}),),
    )  # fmt: skip
    says = PairColumn(
        "judge:preference", "judge:preference|v:1", ("prompt 0",), ("0b",), ("0a",), np.ones(1), np.ones(1), {}
    )
    metrics = judge_metrics(judged, table, [says], seed=3, resamples=20)
    tried = try_judges([says], judged)
    made = preferences_report(STUDY, ranking, agreement(judged, resamples=20), metrics, tried, seed=3, resamples=20)
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    return made


def test_promised_names() -> None:
    made = report(preferences("abz", ("a", "b", -2), ("b", "a", -1), ("a", "b", 0)))
    assert list(made) == [
        "study", "demonstration", "n", "prompts", "seed", "resamples", "signatures", "undefined", "parts",
        "penalised", "draws", "nu", "ties", "first", "systems", "groups", "differences", "table", "agreement", "rows",
        "judges",
    ]  # fmt: skip
    assert (made["n"], made["prompts"], made["parts"]) == (3, 3, [["a", "b"]])
    assert made["signatures"] == {"bleu": "bleu|v:1", "judge:preference": "judge:preference|v:1"}
    assert set(made["draws"]) == {"n", "penalised", "left_out"}
    assert list(made["systems"]["a"]) == [
        "judgments", "wins", "ties", "losses", "share", "strength", "rank", "chance", "group", "extreme",
    ]  # fmt: skip
    assert made["systems"]["z"]["strength"]["value"] is None
    assert list(made["differences"][0]) == ["a", "b", "value", "low", "high", "undefined", "p", "p_holm"]
    assert list(made["table"]["a"]) == ["b"]
    assert made["table"]["a"]["b"]["n"] == 3
    assert made["table"]["z"] == {}
    assert made["agreement"]["alpha"]["undefined"] == "it is not known who judged"
    row, judge = made["rows"]
    assert list(row) == [
        "metric", "signature", "n", "missing", "reasons", "tied", "accuracy", "by_strength", "systems", "kendall",
        "spearman", "undefined",
    ]  # fmt: skip
    assert (row["metric"], row["n"], row["missing"], row["accuracy"]["value"]) == ("bleu", 1, 1, 1.0)
    assert row["reasons"] == {"there is no score yet": 1}
    assert [part["strength"] for part in row["by_strength"]] == [1, 2]
    assert row["kendall"] == {"value": None, "p": None}
    assert (judge["metric"], judge["n"], judge["missing"], judge["accuracy"]["value"]) == (
        "judge:preference",
        1,
        1,
        1.0,
    )
    (tried,) = made["judges"]
    assert list(tried) == ["metric", "signature", "n", "alike", "tied", "pairs", "changed", "answers", "first"]
    assert (tried["n"], tried["alike"]["value"], tried["pairs"], tried["answers"]) == (1, 1.0, 1, 2)
    assert (tried["changed"]["value"], tried["first"]["value"]) == (0.0, 0.5)


def test_undefined_is_null_with_the_reason() -> None:
    made = report(preferences("ab", ("a", "b", 0)))
    assert made["undefined"] == made["nu"]["undefined"]
    assert made["systems"]["a"]["strength"]["value"] is None
    assert made["groups"] == []
