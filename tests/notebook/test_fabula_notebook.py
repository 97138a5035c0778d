"""A study as tables of pandas, and the tutorial that shows it, run cell by cell."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import fabula_notebook
from core.errors import InputError, NotFound, StorageError
from core.people import TERMINAL
from core.statistics.agreement import krippendorff_alpha
from core.statistics.correlation import correlate_table
from core.stories import ScoreRecord
from db.engine import engine
from db.migrate import migrate, revision
from db.scores import scores, tables
from db.transfer.demonstration import NAME, load_demonstration
from tests.rated import rated_study

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_tables_are_those_of_the_analyses(database: str) -> None:
    rated = rated_study(6, metrics=("all", "half"), unrated=2)
    table, frames = tables.table(rated.id), fabula_notebook.study("rated")
    assert list(frames.stories.index) == list(table.keys)
    assert frames.stories.index.equals(frames.ratings.index)
    assert frames.stories.index.equals(frames.scores.index)
    assert list(frames.scores.columns) == ["all", "half"]
    assert frames.scores["half"].isna().sum() == 9
    assert frames.stories["rating"].isna().sum() == 6
    assert frames.stories["ratings"].tolist() == [3] * 12 + [0] * 6
    assert frames.ratings.mean(axis=1).dropna().tolist() == frames.stories["rating"].dropna().tolist()
    assert frames.stories.loc["0-1", "opening"] == "Opening 0."
    assert frames.stories.loc["0-1", "text"] == "Story 0-1 is told."
    assert frames.signatures == {column.metric: column.signature for column in table.columns}
    assert frames.scale == (1, 5)
    alpha = krippendorff_alpha(frames.ratings)
    assert alpha == krippendorff_alpha(table.ratings)


def test_without_ratings_without_scores_and_by_a_wrong_name(database: str) -> None:
    rated_study(3, metrics=(), unrated=3)
    frames = fabula_notebook.study("rated")
    assert frames.scores.shape == (9, 0)
    assert frames.ratings.shape[0] == 9
    assert frames.ratings.dropna(how="all").empty
    with pytest.raises(NotFound):
        fabula_notebook.study("other")
    with pytest.raises(InputError):
        fabula_notebook.study("rated", metrics=["none"])


def test_it_makes_no_database_and_migrates_none(home: Path) -> None:
    with pytest.raises(StorageError, match="There is no database at sqlite:"):
        fabula_notebook.study("rated")
    assert not (home / "fabula.db").exists()
    migrate()
    migrate("-1")
    older = revision()
    try:
        with pytest.raises(StorageError, match=f"revision {older}, here "):
            fabula_notebook.study("rated")
        assert revision() == older
    finally:
        engine().dispose()


def cells() -> list[str]:
    """The tutorial's code, cell by cell."""
    notebook = json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))
    assert all(cell.get("outputs", []) == [] for cell in notebook["cells"])
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_tutorial_runs(database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    study = load_demonstration(TERMINAL)
    table = tables.table(study.id)
    values = {
        name: dict(zip(table.keys, [float(len(text)) ** power for text in table.texts], strict=True))
        for name, power in (("length", 1), ("root", 0.5))
    }
    scores.import_scores(TERMINAL, study.id, *(ScoreRecord(name, f"file:{name}", own) for name, own in values.items()))
    monkeypatch.chdir(DOCS)
    monkeypatch.setattr(sys, "path", [*sys.path])
    names: dict[str, Any] = {}
    for cell in cells():
        exec(cell, names)
    expected = correlate_table(tables.table(study.id))
    assert {row.metric: row.correlation for row in expected} == names["correlations"]
    assert names["figure"].data[0].type == "scatter"
    assert "alpha, interval: 0." in capsys.readouterr().out
    assert NAME == "Demonstration"
