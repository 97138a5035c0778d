"""`drift quality|system|dataset` from a terminal: JSON, tables, refusals."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import cli
from commands import terminal
from commands.analysis.drift_trained import score_all
from core.checkpoints.checkpoint import load, save
from core.checkpoints.store import shipped_checkpoint
from core.errors import InputError
from core.people import TERMINAL
from db.engine import engine
from db.studies import studies
from db.training import checkpoints
from db.transfer import imports
from tests.commands.analysis.drift import scored_study
from tests.core.analysis.drift.quality import SIZES
from tests.db.conftest import small_corpus
from tests.rated import rated_study
from tests.terminal import as_json, bad, good

Say = Callable[..., str]

SYSTEM_NAMES = ["one", "two", "three", "four", "five"]


@pytest.fixture
def filled(home: Path, database: str) -> Path:
    """Two studies with scores and one without."""
    scored_study("first", 1)
    scored_study("second", 2, ("near", "other"))
    imports.import_corpora(TERMINAL, "bare", [small_corpus()])
    engine().dispose()
    return home


@pytest.fixture
def said(filled: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """What a command prints, run in this process, on a terminal so wide that no word is cut."""
    monkeypatch.setattr(terminal.console, "width", 250)

    def printed(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["cli.py", "drift", *words])
        cli.main()
        return capsys.readouterr().out

    return printed


def test_quality(said: Say) -> None:
    result = json.loads(said("quality", "--study", "first", "--draws", "50", "--seed", "3", "--json", "-"))
    assert (result["study"], result["n"], result["seed"], result["draws"]) == ("first", 40, 3, 50)
    assert [item["set"] for item in result["sets"]] == list(range(1, 9))
    assert result["signatures"] == {"far": "file:far1", "near": "file:near1"}
    for row in result["rows"]:
        assert row["signature"] == result["signatures"][row["metric"]]
        assert [len(row[part]) for part in ("values", "low", "high", "undefined_draws")] == [8] * 4
    table = said("quality", "--study", "first", "--metric", "near", "--draws", "5")
    assert "near" in table
    assert "far" not in table
    assert "Mean r of 5 draws" in table
    assert "no r for" not in table


def test_sets_without_enough_draws_say_why(said: Say) -> None:
    rated_study(1, metrics=("m",))  # three stories
    result = json.loads(said("quality", "--study", "rated", "--draws", "200", "--json", "-"))
    (row,) = result["rows"]
    assert any(100 < count < 200 for count in row["undefined_draws"])
    ends = zip(row["values"], row["low"], row["undefined"], row["undefined_draws"], strict=True)
    for value, low, reason, count in ends:
        assert (value is None) == (low is None) == (reason is not None) == (count > 100)
    table = said("quality", "--study", "rated", "--draws", "200")
    assert "m, no r for set 1, set 2" in table
    assert "fewer than half of the 200 draws" in table


def test_system(said: Say) -> None:
    result = json.loads(said("system", "--study", "first", "--resamples", "50", "--json", "-"))
    assert {item["set"]: item["expected_size"] for item in result["sets"]} == dict.fromkeys(SYSTEM_NAMES, 8)
    assert all(row["n"] == [8] * 5 and row["all"]["low"] < row["all"]["value"] for row in result["rows"])
    assert "all (40)" in said("system", "--study", "first", "--resamples", "0")


def test_dataset(said: Say) -> None:
    both = ("dataset", "--study", "first", "--study", "second")
    result = json.loads(said(*both, "--json", "-"))
    assert (result["study"], result["studies"]) == ("first", ["first", "second"])
    unknown = {"alpha": {"value": None, "low": None, "high": None}, "caution": None, "target": "overall"}
    assert result["sets"] == [{"set": name, "expected_size": 40} | unknown for name in ("first", "second")]
    assert result["signatures"] == {"first": {"near": "file:near1"}, "second": {"near": "file:near2"}}
    (row,) = result["rows"]
    assert row["changes"]["values"][0] == pytest.approx(row["values"][1] - row["values"][0])
    assert result["unmatched"] == {"first": ["far"], "second": ["other"]}
    assert "Only in second: other." in said(*both)


def test_trained_metrics_are_scored_first_and_say_what_they_learnt_from(said: Say) -> None:
    result = json.loads(
        said("dataset", "--study", "first", "--study", "second", "--trained", "--metric", "ruber-u-bert", "--json", "-")
    )
    assert sorted(row["trained_on"] for row in result["rows"]) == ["roc", "roc, wp, tales", "wp"]
    assert {tuple(row["n"]) for row in result["rows"]} == {(40, 40)}
    assert len({row["signatures"][0] for row in result["rows"]}) == 3
    assert all(row["signatures"][0] == row["signatures"][1] for row in result["rows"])
    message = said("dataset", "--study", "first", "--study", "second", "--metric", "ruber-u-bert", "--metric", "near")
    assert "roc, wp, tales" in message
    system = json.loads(said("system", "--study", "first", "--trained", "--metric", "ruber-u-bert", "--json", "-"))
    assert sorted(row["trained_on"] for row in system["rows"]) == ["roc", "roc, wp, tales", "wp"]
    assert [row["all"]["value"] for row in system["rows"]] == [row["values"][0] for row in result["rows"]]


def test_a_checkpoint_whose_model_is_nowhere_is_left_out(
    said: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = shipped_checkpoint("ruber-u-bert-wp")
    card = replace(ours.card, name="elsewhere", base="nowhere/at-all@0123456")
    checkpoint = save(tmp_path / "made", card, load(ours.folder).weights(), [])
    checkpoints.add(TERMINAL, checkpoint, "elsewhere")
    cards = [card, ours.card]
    assert score_all([studies.find("first")], cards, None) == ["ruber-u-bert"]
    message = capsys.readouterr().err
    assert "fabula: elsewhere was left out. " in message
    assert "nowhere/at-all" in message
    with pytest.raises(InputError, match="none of their models is on this machine"):
        score_all([studies.find("first")], [card], None)


def test_refusals(filled: Path) -> None:
    untrained = ("drift", "dataset", "--study", "first", "--study", "second", "--trained", "--metric", "near")
    assert "None of these metrics has a checkpoint: near." in bad(*untrained, home=filled)
    assert "has no scores yet" in bad("drift", "quality", "--study", "bare", home=filled)
    assert "name another one" in bad("drift", "dataset", "--study", "first", "--study", "first", home=filled)
    assert "no scores of 'nix'" in bad("drift", "system", "--study", "first", "--metric", "nix", home=filled)
    assert "greater than or equal to 0" in bad("drift", "system", "--study", "first", "--seed", "-1", home=filled)
    assert "no study named" in bad("drift", "system", "--study", "nix", home=filled)


def test_the_sizes_of_the_paper(home: Path, shared: Path) -> None:
    good("import", "union", str(shared / "union-roc"), "--study", "roc", home=home)
    result = as_json("drift", "quality", "--study", "roc", "--metric", "union", "--draws", "100", home=home)
    assert [round(item["expected_size"], 2) for item in result["sets"]] == SIZES
    assert "these name no system" in bad("drift", "system", "--study", "roc", home=home)
