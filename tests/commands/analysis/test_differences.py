"""The commands `differences` and `systems`: tables, JSON, refusals."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import terminal
from commands.analysis.differences import differences
from commands.analysis.systems import systems
from core.analysis.difference.differences import Convention
from core.people import TERMINAL
from db.engine import engine
from db.migrate import migrate
from db.studies import studies
from tests.rated import rated_study
from tests.terminal import as_json, bad

COUNTS = ("both", "human_only", "metric_only", "neither")
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def migrated(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A database, and a terminal so wide that no table folds."""
    monkeypatch.setattr(terminal.console, "width", 250)
    migrate()
    yield home
    engine().dispose()


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
    found = as_object(capsys)
    assert (found["study"], found["n"], found["seed"], found["windows"], found["pairs"]) == ("rated", 60, 3, 48, 2304)
    assert (found["window"], found["stride"], found["convention"]) == (12, 1, "plane")
    rows = {row["metric"]: row for row in found["rows"]}
    assert set(found["signatures"]) == set(rows) == {"all", "flat", "half"}
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
    said = printed(capsys)
    assert "48 of 12 every 1" in said
    assert "all: Of the pairs of sets that people tell apart" in said
    assert "they do not infer" in said
    assert "Seed 0; R² by the convention plane." in said


def test_the_papers_convention_is_named(rated: None, capsys: Captured) -> None:
    differences("rated", ["all"], json_file="-")
    ours = as_object(capsys)["rows"][0]
    differences("rated", ["all"], Convention.PAPER, json_file="-")
    found = as_object(capsys)
    assert found["convention"] == "paper"
    assert found["rows"][0]["intercept"] != 0
    assert found["rows"][0]["r2"] < ours["r2"]
    assert [found["rows"][0][name] for name in COUNTS] == [ours[name] for name in COUNTS]


def test_systems(rated: None, capsys: Captured) -> None:
    systems("rated", resamples=200, json_file="-")
    found = as_object(capsys)
    assert (found["n"], found["seed"], found["resamples"]) == (60, 0, 200)
    assert list(found["systems"]) == ["high", "low", "middle"]
    best = found["systems"]["high"]
    assert (best["stories"], best["human"]["n"], best["human"]["rank"], best["metrics"]["half"]["n"]) == (20, 20, 1, 10)
    assert best["human"]["low"] < best["human"]["mean"] < best["human"]["high"]
    over = {row["metric"]: row for row in found["rows"]}
    assert (over["all"]["systems"], over["all"]["n"], over["half"]["n"]) == (3, 60, 30)
    assert over["all"]["accuracy"]["pairs"] == 3
    assert over["all"]["spearman"]["p"] >= 1 / 3  # of the six orders of three systems two are perfect
    assert over["all"]["spearman"]["p_cluster"] is not None
    assert over["half"]["pearson"]["value"] < 0
    assert over["flat"]["undefined"] == "the metric gives every system the same mean"
    assert over["flat"]["pearson"]["value"] is None
    systems("rated", resamples=200)
    said = printed(capsys)
    assert "Means and ranks" in said
    assert said.index("high") < said.index("middle") < said.index("low")
    assert "of 3" in said


def test_why_nothing_is_correlated_is_said_once(capsys: Captured) -> None:
    rated_study(3, ("a", "b"), ("all", "other"))
    systems("rated", resamples=0)
    said = printed(capsys)
    assert said.count("3 are needed") == 1
    assert "Not correlated with people: " in said
    assert "Means and ranks" in said


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
    found = as_object(capsys)
    assert found["rows"] == []
    assert found["systems"]["a"]["human"]["n"] == 1
    assert found["systems"]["a"]["human"]["low"] is None
    studies.create(TERMINAL, "bare")
    systems("bare")
    assert "Undefined: there are no stories." in printed(capsys)
