"""The commands `differences` and `systems`: tables, JSON, refusals."""

import json
from pathlib import Path
from typing import Any

import pytest

from commands import terminal
from commands.analysis.differences import differences
from commands.analysis.systems import systems
from core.analysis.difference.differences import Convention
from core.people import TERMINAL
from db.studies import studies
from tests.rated import rated_study
from tests.terminal import as_json, bad

COUNTS = ("both", "human_only", "metric_only", "neither")
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def wide(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal so wide that no table folds."""
    monkeypatch.setattr(terminal.console, "width", 250)


@pytest.fixture
def rated() -> None:
    """A metric on all 60 stories, one on half and a constant one."""
    rated_study(metrics=("all", "half", "flat"))


def printed(capsys: Captured) -> str:
    return " ".join(capsys.readouterr().out.split())


def as_object(capsys: Captured) -> Any:
    return json.loads(capsys.readouterr().out)


def test_differences(rated: None, capsys: Captured) -> None:
    differences("rated", seed=3, json_file="-")
    result = as_object(capsys)
    assert (result["study"], result["n"], result["seed"], result["windows"], result["pairs"]) == (
        "rated",
        60,
        3,
        48,
        2304,
    )
    assert (result["window"], result["stride"], result["convention"]) == (12, 1, "plane")
    rows = {row["metric"]: row for row in result["rows"]}
    assert set(result["signatures"]) == set(rows) == {"all", "flat", "half"}
    whole = rows["all"]
    assert sum(whole[name] for name in COUNTS) == whole["pairs"] == 2304
    assert whole["r2_low"] <= whole["r2_median"] <= whole["r2_high"]
    assert whole["slope"] > 0
    assert whole["intercept"] == 0
    assert whole["undefined"] is None
    assert rows["flat"]["undefined"] == "the metric gives every story the same score"
    assert [rows["flat"][name] for name in ("r2", "r2_low", "slope", *COUNTS)] == [None] * 7
    too_few = "only 30 stories have both a score and a rating; 50 are needed"
    assert (rows["half"]["n"], rows["half"]["undefined"]) == (30, too_few)
    differences("rated", ["all"])
    sentence = printed(capsys)
    assert "48 of 12, 1 apart" in sentence
    assert "all: Of the pairs of sets that people tell apart" in sentence
    assert "only describe these sets" in sentence
    assert "Seed 0; R² by the convention plane." in sentence


def test_the_papers_convention_is_named(rated: None, capsys: Captured) -> None:
    differences("rated", ["all"], json_file="-")
    ours = as_object(capsys)["rows"][0]
    differences("rated", ["all"], convention=Convention.PAPER, json_file="-")
    result = as_object(capsys)
    assert result["convention"] == "paper"
    assert result["rows"][0]["intercept"] != 0
    assert result["rows"][0]["r2"] < ours["r2"]
    assert [result["rows"][0][name] for name in COUNTS] == [ours[name] for name in COUNTS]


def test_systems(rated: None, capsys: Captured) -> None:
    systems("rated", resamples=200, json_file="-")
    result = as_object(capsys)
    assert (result["n"], result["seed"], result["resamples"]) == (60, 0, 200)
    assert list(result["systems"]) == ["high", "low", "middle"]
    best = result["systems"]["high"]
    assert (best["stories"], best["human"]["n"], best["human"]["rank"], best["metrics"]["half"]["n"]) == (20, 20, 1, 10)
    assert best["human"]["low"] < best["human"]["mean"] < best["human"]["high"]
    over = {row["metric"]: row for row in result["rows"]}
    assert (over["all"]["systems"], over["all"]["n"], over["half"]["n"]) == (3, 60, 30)
    assert over["all"]["accuracy"]["pairs"] == 3
    assert over["all"]["spearman"]["p"] >= 1 / 3  # of the six orders of three systems two are perfect
    assert over["all"]["spearman"]["p_cluster"] is not None
    assert over["half"]["pearson"]["value"] < 0
    assert over["flat"]["undefined"] == "the metric gives every system the same mean"
    assert over["flat"]["pearson"]["value"] is None
    systems("rated", resamples=200)
    sentence = printed(capsys)
    assert "Means and ranks" in sentence
    assert sentence.index("high") < sentence.index("middle") < sentence.index("low")
    assert "of 3" in sentence


def test_why_nothing_is_correlated_is_said_once(capsys: Captured) -> None:
    rated_study(3, ("a", "b"), ("all", "other"))
    systems("rated", resamples=0)
    sentence = printed(capsys)
    assert sentence.count("3 are needed") == 1
    assert "Not correlated with people: " in sentence
    assert "Means and ranks" in sentence


def test_as_a_user_runs_them(rated: None, home: Path) -> None:
    assert as_json("differences", "--study", "rated", home=home)["windows"] == 48
    assert len(as_json("systems", "--study", "rated", "--metric", "all", home=home)["rows"]) == 1


def test_refusals(rated: None, home: Path) -> None:
    assert "'none'" in bad("differences", "--study", "none", home=home)
    assert "has no scores of 'x'; it has" in bad("differences", "--study", "rated", "--metric", "x", home=home)
    assert "has no scores of 'x'; it has" in bad("systems", "--study", "rated", "--metric", "x", home=home)


def test_no_scores_and_no_stories(home: Path, capsys: Captured) -> None:
    rated_study(1, ("a",), ())
    assert "has no scores yet" in bad("differences", "--study", "rated", home=home)
    systems("rated", json_file="-")
    result = as_object(capsys)
    assert result["rows"] == []
    assert result["systems"]["a"]["human"]["n"] == 1
    assert result["systems"]["a"]["human"]["low"] is None
    studies.create(TERMINAL, "bare")
    systems("bare")
    assert "Undefined: there are no stories." in printed(capsys)
