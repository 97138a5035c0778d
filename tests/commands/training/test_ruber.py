"""`train ruber`: from tables of stories to a checkpoint that can be imported, and what it refuses."""

from pathlib import Path

from tests.commands.training.union import table
from tests.core.training.union.task import STORIES
from tests.terminal import as_json, bad, good


def test_a_ruber_is_trained(home: Path, tmp_path: Path, base: str, corpora: list[str]) -> None:
    words = [word for path in corpora for word in ("--stories", path)]
    out = tmp_path / "mine"
    made = as_json(
        "train", "ruber", *words, "--out", str(out), "--base", base, "--epochs", "1", "--embeddings", "words",
        "--seed", "5", home=home,
    )  # fmt: skip
    assert (made["kind"], made["name"], made["folder"]) == ("ruber", "mine", str(out))
    assert [(item["name"], item["size"]) for item in made["data"]] == [("whole", 28), ("prompted", 28)]
    assert (made["options"]["embeddings"], made["options"]["layers"]) == ("words", [])
    assert made["recipe"]["seed"] == 5
    assert made["overlap"] == "None of the stories trained on was in a study that people had rated here."
    assert not list((home / "training").iterdir())


def test_the_papers_recipe_is_exported_and_imported_again(
    home: Path,
    tmp_path: Path,
    base: str,
    corpora: list[str],
) -> None:
    words = ["train", "ruber", "--stories", corpora[0], "--base", base, "--recipe", "paper", "--epochs", "2"]
    made = as_json(*words, "--out", str(tmp_path / "mine"), home=home)
    result = {key: made["recipe"][key] for key in ("recipe", "batch", "learning_rate", "epochs")}
    assert result == {"recipe": "paper", "batch": 32, "learning_rate": 1e-4, "epochs": 2}
    good("checkpoints", "import", str(tmp_path / "mine"), home=home)
    good("checkpoints", "export", "mine", "--out", str(tmp_path / "mine.zip"), home=home)
    good("checkpoints", "delete", "mine", "--yes", home=home)
    good("checkpoints", "import", str(tmp_path / "mine.zip"), home=home)
    stories = table(tmp_path / "some.csv", [("A dog went out.", "It met a cat."), ("A hen sat.", "It rained.")])
    scores = tmp_path / "scores.csv"
    score = ["score", "--in", stories, "--out", str(scores), "--metric", "ruber-u-bert", "--model", base]
    good(*score, "--option", "ruber-u-bert.checkpoint=mine", home=home)
    assert all(0 < float(line.rsplit(",", 1)[1]) < 1 for line in scores.read_text().splitlines()[1:])


def test_bad_input(home: Path, tmp_path: Path, base: str, corpora: list[str]) -> None:
    few = table(tmp_path / "few.csv", [("", story) for story in STORIES[:3]])
    words = ["train", "ruber", "--out", str(tmp_path / "no"), "--base", base, "--stories"]
    assert "few: RUBER is trained on 10 stories at least" in bad(*words, few, home=home)
    assert "no layer 9" in bad(*words, corpora[0], "--layer", "9", home=home)
    assert "--embeddings is one of bert, words" in bad(*words, corpora[0], "--embeddings", "glove", home=home)
    assert "--layer goes with" in bad(*words, corpora[0], "--embeddings", "words", "--layer", "1", home=home)
