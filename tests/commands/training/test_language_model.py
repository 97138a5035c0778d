"""`train language-model`: from tables of stories to a checkpoint that scores."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.models.catalogue import ModelRole
from tests.core.models import tiny
from tests.core.training.union.task import STORIES
from tests.terminal import as_json, bad, good


def table(path: Path, stories: Sequence[str]) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text",), *((story,) for story in stories)])
    return str(path)


@pytest.fixture
def base(tmp_path: Path) -> str:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 64}
    return tiny.save(tmp_path / "base", "LlamaForCausalLM", ModelRole.LANGUAGE, **options)


def test_a_language_model_is_trained_and_imported(home: Path, tmp_path: Path, base: str) -> None:
    out = tmp_path / "mine"
    words = ["train", "language-model", "--stories", table(tmp_path / "some.csv", STORIES), "--out", str(out)]
    made = as_json(
        *words, "--base", base, "--rank", "3", "--words", "40", "--normalisation", "detokenised", "--seed", "5",
        "--learning-rate", "0.001", "--epochs", "2", home=home,
    )  # fmt: skip
    assert (made["kind"], made["name"], made["folder"]) == ("language-model", "mine", str(out))
    assert made["options"] == {"normalisation": "detokenised", "words": 40, "rank": 3}
    assert [made["recipe"][key] for key in ("epochs", "learning_rate", "seed")] == [2, 0.001, 5]
    assert [(item["name"], item["size"]) for item in made["data"]] == [("some", len(STORIES))]
    assert not list((home / "training").iterdir())
    good("checkpoints", "import", str(out), home=home)
    assert as_json("checkpoints", "list", home=home)["rows"][0]["weights"] == made["weights"]
    assert f"There is a {out} already" in bad(*words, home=home)


def test_bad_input(home: Path, tmp_path: Path, base: str) -> None:
    out = ["--out", str(tmp_path / "no"), "--base", base]
    few = ["train", "language-model", "--stories", table(tmp_path / "few.csv", STORIES[:3])]
    assert "10 different stories at least; here are 3" in bad(*few, *out, home=home)
    assert "no normalisation 'loud'" in bad(*few, *out, "--normalisation", "loud", home=home)
    assert "precision is float32 or bfloat16, not 'half'" in bad(*few, *out, "--precision", "half", home=home)
    encoder = tiny.save(tmp_path / "bert", "BertModel", ModelRole.ENCODER, max_position_embeddings=64)
    assert "a causal language model is needed" in bad(*few, "--out", out[1], "--base", encoder, home=home)
    assert not (tmp_path / "no").exists()
