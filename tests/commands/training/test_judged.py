"""`train discriminator` and `train bleurt`: from a study to a checkpoint, and back to its scores."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.models.catalogue import ModelRole
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from db.engine import engine
from db.scores import tables
from db.studies import studies
from db.transfer import imports
from tests.core.models import tiny
from tests.core.training.made_stories import judged, records
from tests.terminal import as_json, bad, good


@pytest.fixture
def base(tmp_path: Path) -> str:
    return tiny.save(tmp_path / "base", "BertModel", ModelRole.ENCODER, max_position_embeddings=128)


def rated() -> None:
    """A study of 48 rated stories of two systems, with references."""
    stories: dict[str, StoryRecord] = {}
    ratings = []
    for number, story in enumerate(judged()):
        stories[f"{number}"] = StoryRecord(
            f"{number}", story.prompt, story.prompt, story.text, Source.SYSTEM, story.system
        )
        ratings.append(RatingRecord(f"{number}", "rater", round(story.judgment)))
        for place, reference in enumerate(story.references):
            key = f"{story.prompt} {place}"
            stories[key] = StoryRecord(key, story.prompt, story.prompt, reference, Source.HUMAN)
    imports.import_corpora(TERMINAL, "rated", [Corpus("mans", tuple(stories.values()), tuple(ratings))])


def steps_and_rate(made: dict[str, Any]) -> tuple[str, int, float]:
    """Whose recipe a checkpoint's card names, how many steps it took and how fast it learnt."""
    return made["recipe"]["recipe"], made["recipe"]["steps"], made["recipe"]["learning_rate"]


def there_and_back(checkpoint: Path, home: Path) -> None:
    """Import, export, delete, and import what was exported."""
    packed = str(checkpoint.with_suffix(".zip"))
    good("checkpoints", "import", str(checkpoint), home=home)
    good("checkpoints", "export", checkpoint.name, "--out", packed, home=home)
    good("checkpoints", "delete", checkpoint.name, "--yes", home=home)
    good("checkpoints", "import", packed, home=home)


def test_a_study_teaches_a_regression_that_scores_it(home: Path, database: str, tmp_path: Path, base: str) -> None:
    rated()
    engine().dispose()
    out = tmp_path / "mine"
    made = as_json("train", "bleurt", "--study", "rated", "--out", str(out), "--base", base, "--folds", "3", home=home)
    assert (made["kind"], made["name"], made["data"][0]["name"]) == ("bleurt", "mine", "rated")
    assert not list((home / "training").iterdir())
    good("checkpoints", "import", str(out), home=home)
    score = ["score", "--study", "rated", "--metric", "bleurt-finetuned", "--model", base]
    (row,) = as_json(*score, "--option", "bleurt-finetuned.checkpoint=mine", home=home)["rows"]
    assert row["undefined"] == 0
    table = tables.table(studies.find("rated").id)
    figures = {item["what"]: item["value"] for item in made["figures"]}
    r = np.corrcoef(table.columns[0].values, table.human)[0, 1]
    assert r == pytest.approx(figures["cross-validated Pearson's r"], abs=1e-3)


def test_a_table_and_a_study_teach_disscore(home: Path, database: str, tmp_path: Path, base: str) -> None:
    rated()
    engine().dispose()
    table = tmp_path / "some.csv"
    with table.open("w", newline="") as file:
        rows = [(record.prompt, record.text, record.system) for record in records()]
        csv.writer(file).writerows([("prompt", "text", "system"), *rows])
    out = tmp_path / "mine"
    words = ["train", "discriminator", "--base", base, "--folds", "3", "--epochs", "1", "--out", str(out)]
    assert "at least one --study NAME or --stories FILE" in bad(*words, home=home)
    made = as_json(*words, "--stories", str(table), "--study", "rated", home=home)
    assert [(item["name"], item["size"]) for item in made["data"]] == [("rated", 84), ("some", 72)]
    assert made["overlap"].startswith("Trained also on stories of rated studies: 84 of rated. One of 3 models")
    assert sorted(file.name for file in out.iterdir()) == ["card.json", "weights.safetensors"]


def test_disscore_by_the_papers_recipe_scores_after_export_and_import(
    home: Path, database: str, tmp_path: Path, base: str
) -> None:
    table = tmp_path / "some.csv"
    with table.open("w", newline="") as file:
        rows = [(record.prompt, record.text, record.system) for record in records()]
        csv.writer(file).writerows([("prompt", "text", "system"), *rows])
    words = ["train", "discriminator", "--stories", str(table), "--base", base, "--folds", "3", "--recipe", "paper"]
    out = tmp_path / "mine"
    assert "leave out --layer and --epochs" in bad(*words, "--epochs", "1", "--out", str(out), home=home)
    made = as_json(*words, "--steps", "2", "--out", str(out), home=home)
    assert steps_and_rate(made) == ("paper", 2, 5e-5)
    there_and_back(out, home)
    scores = tmp_path / "scores.csv"
    score = ["score", "--in", str(table), "--out", str(scores), "--metric", "disscore", "--model", base]
    good(*score, "--option", "disscore.checkpoint=mine", home=home)
    assert len(scores.read_text().splitlines()) == 73


def test_ratings_by_the_papers_recipe_score_after_export_and_import(
    home: Path, database: str, tmp_path: Path, base: str
) -> None:
    rated()
    engine().dispose()
    out, words = tmp_path / "mine", ["train", "bleurt", "--study", "rated", "--folds", "3"]
    assert "leave out --layer" in bad(*words, "--recipe", "paper", "--layer", "1", "--out", str(out), home=home)
    assert "go with --recipe paper" in bad(*words, "--steps", "2", "--out", str(out), home=home)
    words += ["--recipe", "paper", "--out", str(out)]
    gpt = tiny.save(tmp_path / "gpt", "LlamaForCausalLM", ModelRole.LANGUAGE, max_position_embeddings=128)
    assert "a causal language model without one" in bad(*words, "--base", gpt, home=home)
    assert "learning_rate is a number above 0, not 0.0" in bad(
        *words, "--base", base, "--learning-rate", "0", home=home
    )
    assert not out.exists()
    made = as_json(*words, "--base", base, "--steps", "2", home=home)
    assert steps_and_rate(made) == ("paper", 2, 1e-5)
    there_and_back(out, home)
    score = ["score", "--study", "rated", "--metric", "bleurt-finetuned", "--model", base]
    (row,) = as_json(*score, "--option", "bleurt-finetuned.checkpoint=mine", home=home)["rows"]
    assert row["undefined"] == 0
    table = tables.table(studies.find("rated").id)
    figures = {item["what"]: item["value"] for item in made["figures"]}
    errors = np.subtract(table.columns[0].values, table.human)
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(figures["cross-validated RMSE"], abs=1e-3)
