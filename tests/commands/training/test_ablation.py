"""`ablation`: UNION whole and without each of its parts, on a study's evaluation sets."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.models.catalogue import ModelRole
from core.perturb.negatives.sampler import Technique
from db.engine import engine
from db.migrate import migrate
from db.scores import tables
from db.studies.studies import find
from tests.commands.training.union import table
from tests.core.models import tiny
from tests.core.training.union.task import STORIES
from tests.rated import rated_study
from tests.terminal import as_json, bad, good


@pytest.fixture
def base(tmp_path: Path) -> str:
    return tiny.save(tmp_path / "base", "BertModel", ModelRole.ENCODER, max_position_embeddings=128)


def test_every_part_is_left_out_once(home: Path, database: str, tmp_path: Path, base: str) -> None:
    rated_study(prompts=6, name="judged")
    engine().dispose()
    words = ["ablation", "--study", "judged", "--base", base, "--resamples", "50"]
    words += ["--stories", table(tmp_path / "some.csv", [("", story) for story in STORIES[:24]])]
    result = as_json(*words, home=home)
    assert [row["variant"] for row in result["rows"]] == [
        "UNION",
        *(f"-{technique}" for technique in Technique),
        "-reconstruction",
    ]
    assert len({row["checkpoint"] for row in result["rows"]}) == 6
    assert result["sets"][0]["set"] == "all"
    assert all(item["set"].startswith("error:") for item in result["sets"][1:])
    assert result["sets"][0]["n"] == tables.table(find("judged").id).rated
    whole = np.array([result["rows"][0]["values"][0]["value"]])
    for row in result["rows"]:
        first = row["values"][0]
        assert first["low"] <= first["value"] <= first["high"]
        assert first["change"] == pytest.approx((first["value"] - whole[0]) / abs(whole[0]))
        assert any(item["what"] == "held-out pairs: auc" for item in row["figures"])
    assert not list((home / "training").iterdir())
    again = tmp_path / "again.json"
    assert "the change from the first row" in good(*words, "--json", str(again), home=home)
    assert json.loads(again.read_text()) == result


def test_a_study_without_ratings_and_too_few_stories_are_refused(home: Path, tmp_path: Path, base: str) -> None:
    stories = table(tmp_path / "some.csv", [("", story) for story in STORIES[:3]])
    words = ["--base", base, "--stories", stories]
    assert "no study" in bad("ablation", "--study", "nothing", *words, home=home)
    migrate()
    rated_study(prompts=2, name="judged")
    engine().dispose()
    assert "is trained on 10 stories at least" in bad("ablation", "--study", "judged", *words, home=home)
