"""Results as JSON: plain values, stable names, nothing rounded."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, StrEnum
from typing import Any

import numpy as np
import pytest

from commands.json.results import correlate_report, judgments_report
from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.judgments import summarise
from core.analysis.judgments.texts import text_statistics
from core.annotation.builtin import MANS
from core.annotation.monitor.forecast import forecast
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study, StudyState
from core.annotation.target import Target
from core.formats.plain_json import plain
from core.statistics.correlation import NOTHING, Coefficient, Correlation, MetricCorrelation
from core.statistics.pairwise import Pairwise


class Colour(Enum):
    RED = 1


class Shade(StrEnum):
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Inner:
    value: float
    shade: Shade


@dataclass(frozen=True)
class Outer:
    inner: tuple[Inner, ...]
    table: dict[int, Any]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), None),
        (float("inf"), None),
        (-float("inf"), None),
        (0.1 + 0.2, 0.30000000000000004),
        (np.float64(0.5), 0.5),
        (np.float64("nan"), None),
        (np.float32("inf"), None),
        (np.int64(7), 7),
        (np.bool_(True), True),
        (np.array([[1.0, np.nan], [np.inf, 4.0]]), [[1.0, None], [None, 4.0]]),
        (np.array([1, 2]), [1, 2]),
        ((1, [float("nan"), "a"]), [1, [None, "a"]]),
        (Colour.RED, 1),
        (Shade.DARK, "dark"),
        ({1: float("nan"), "b": {"c": np.float64(2)}}, {"1": None, "b": {"c": 2.0}}),
        (None, None),
        (True, True),
        ("nan", "nan"),
        (10**20, 10**20),
        (
            Outer((Inner(float("nan"), Shade.DARK),), {1: np.array([np.nan])}),
            {"inner": [{"value": None, "shade": "dark"}], "table": {"1": [None]}},
        ),
    ],
)
def test_plain(value: object, expected: object) -> None:
    result = plain(value)
    assert result == expected
    assert type(result) is type(expected)
    assert json.loads(json.dumps(result, allow_nan=False)) == expected


def test_plain_leaves_a_class_alone() -> None:
    assert plain(Outer) is Outer


OVERALL = Target(("overall",))


def study(name: str) -> Study:
    """A study of that name."""
    return Study(1, name, "mans", QualityRules(), StudyState.OPEN, True, False, "1", datetime(2026, 1, 1, tzinfo=UTC))


def test_correlate_report_has_the_promised_names() -> None:
    whole = Coefficient(0.25, 0.01, 0.02, -0.1, 0.4)
    correlations = [
        MetricCorrelation(
            "bleu",
            "bleu|v:1",
            None,
            Correlation(5, whole, Coefficient(0.5), NOTHING, None, Pairwise(0.5, 10, 1, 2, 3), True, (2, 3)),
        ),
        MetricCorrelation("flat", "flat|v:1", None, Correlation(4, NOTHING, NOTHING, NOTHING, "a reason")),
    ]
    report = correlate_report(study("my study"), correlations, OVERALL, seed=3, resamples=50)
    nothing = {"value": None, "p": None, "p_cluster": None, "low": None, "high": None}
    assert report == {
        "study": "my study",
        "demonstration": False,
        "target": "overall",
        "n": 5,
        "seed": 3,
        "resamples": 50,
        "signatures": {"bleu": "bleu|v:1", "flat": "flat|v:1"},
        "rows": [
            {
                "metric": "bleu",
                "signature": "bleu|v:1",
                "target": "overall",
                "by": None,
                "subset": None,
                "n": 5,
                "pearson": {"value": 0.25, "p": 0.01, "p_cluster": 0.02, "low": -0.1, "high": 0.4},
                "spearman": {**nothing, "value": 0.5},
                "kendall": nothing,
                "pairwise": {"accuracy": 0.5, "pairs": 10, "tied_metric": 1, "tied_human": 2, "tied_both": 3},
                "acc_eq": None,
                "soft_pairwise": None,
                "prompts": {"counted": 2, "of": 3},
                "linearised": True,
                "no_interval": None,
                "undefined": None,
            },
            {
                "metric": "flat",
                "signature": "flat|v:1",
                "target": "overall",
                "by": None,
                "subset": None,
                "n": 4,
                "pearson": nothing,
                "spearman": nothing,
                "kendall": nothing,
                "pairwise": {"accuracy": None, "pairs": 0, "tied_metric": 0, "tied_human": 0, "tied_both": 0},
                "acc_eq": None,
                "soft_pairwise": None,
                "prompts": None,
                "linearised": False,
                "no_interval": None,
                "undefined": "a reason",
            },
        ],
    }
    assert correlate_report(study("empty"), [], OVERALL, 0, 0) == {
        "study": "empty",
        "demonstration": False,
        "target": "overall",
        "n": 0,
        "seed": 0,
        "resamples": 0,
        "signatures": {},
        "rows": [],
    }


def test_judgments_report_has_the_promised_names() -> None:
    story = JudgedStory("p", "s2s", (Rating(4.0, frozenset({"chaotic scenes"})), Rating(5.0)))
    judgments = summarise([story], MANS, annotators=2, raters_identified=True)
    report = judgments_report(study("mine"), OVERALL, judgments, text_statistics({}, []), forecast(10, 2, 1), seed=9)
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert {key: report[key] for key in ("study", "n", "seed", "stories", "ratings", "annotators", "mean")} == {
        "study": "mine",
        "n": 1,
        "seed": 9,
        "stories": 1,
        "ratings": 2,
        "annotators": 2,
        "mean": 4.5,
    }
    assert report["raters_identified"] is True
    assert set(report["alpha"]) == {"nominal", "ordinal", "interval", "low", "high"}
    assert report["by_system"] == {"s2s": {"n": 1, "mean": 4.5, "sd": None, "low": None, "high": None}}
    chaotic = report["error_types"]["chaotic scenes"]
    assert (chaotic["share"], chaotic["alpha"]) == (1.0, pytest.approx(0.0))
    assert report["error_counts"] == {"1": 1.0, "2": 0.0, "3": 0.0, "4": 0.0}
    assert {"one_rater", "ceiling"} < set(report)
    assert set(report["agreement"]) == {"valid", "with_controls", "before_rejection"}
    nothing = {"value": None, "low": None, "high": None, "undefined": "fewer than two stories are rated"}
    assert report["agreement"]["valid"]["icc"] == nothing
    assert report["distribution"] == {"s2s": {"1": 0, "2": 0, "3": 0, "4": 1, "5": 1}}
    assert report["forecast"]["rejection_rate"] == pytest.approx(1 / 3)
