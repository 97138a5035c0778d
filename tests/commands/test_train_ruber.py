"""`train ruber`: from tables of stories to a checkpoint that can be imported, and what it refuses."""

from pathlib import Path

from tests.commands.test_train import base, corpora, table  # noqa: F401
from tests.core.training.test_union import STORIES
from tests.terminal import as_json, bad


def test_a_ruber_is_trained(home: Path, tmp_path: Path, base: str, corpora: list[str]) -> None:  # noqa: F811
    words = [word for path in corpora for word in ("--stories", path)]
    out = tmp_path / "mine"
    made = as_json(
        "train", "ruber", *words, "--out", str(out), "--base", base, "--epochs", "1", "--embeddings", "words",
        "--seed", "5", home=home,
    )  # fmt: skip
    assert (made["kind"], made["name"], made["folder"]) == ("ruber", "mine", str(out))
    assert [(one["name"], one["size"]) for one in made["data"]] == [("whole", 28), ("prompted", 28)]
    assert (made["options"]["embeddings"], made["options"]["layers"]) == ("words", [])
    assert made["recipe"]["seed"] == 5
    assert made["overlap"] == "None of the stories trained on was in a study that people had rated here."
    assert not list((home / "training").iterdir())


def test_bad_input(home: Path, tmp_path: Path, base: str, corpora: list[str]) -> None:  # noqa: F811
    few = table(tmp_path / "few.csv", [("", story) for story in STORIES[:3]])
    words = ["train", "ruber", "--out", str(tmp_path / "no"), "--base", base, "--stories"]
    assert "few: RUBER is trained on 10 stories at least" in bad(*words, few, home=home)
    assert "no layer 9" in bad(*words, corpora[0], "--layer", "9", home=home)
    assert "--embeddings is one of bert, words" in bad(*words, corpora[0], "--embeddings", "glove", home=home)
    assert "--layer goes with" in bad(*words, corpora[0], "--embeddings", "words", "--layer", "1", home=home)
