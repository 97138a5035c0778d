"""`train union`: from tables of stories to a checkpoint that can be imported."""

import json
from pathlib import Path

from db.engine import engine
from tests.commands.training.union import table
from tests.core.training.union.task import STORIES
from tests.rated import rated_study
from tests.terminal import as_json, bad, fabula, good


def test_a_union_is_trained_imported_and_listed(home: Path, tmp_path: Path, base: str, corpora: list[str]) -> None:
    words = [word for path in corpora for word in ("--stories", path)]
    out = tmp_path / "mine"
    made = as_json(
        "train", "union", *words, "--out", str(out), "--base", base, "--epochs", "1", "--without", "negation",
        "--reconstruction", "0", "--seed", "5", "--normalisation", "delexicalised", home=home,
    )  # fmt: skip
    assert made["options"]["normalisation"] == "delexicalised"
    assert (made["kind"], made["name"], made["folder"]) == ("union", "mine", str(out))
    assert [(item["name"], item["size"]) for item in made["data"]] == [("whole", 28), ("prompted", 28)]
    assert made["options"]["layers"] == [1, 2]
    assert (made["recipe"]["seed"], made["recipe"]["reconstruction"]) == (5, 0)
    assert "negation" not in made["recipe"]["techniques"]
    assert made["overlap"] == "None of the stories trained on was in a study that people had rated here."
    assert sorted(file.name for file in out.iterdir()) == ["card.json", "weights.safetensors"]
    assert not list((home / "training").iterdir())
    good("checkpoints", "import", str(out), home=home)
    row, *_ = as_json("checkpoints", "list", home=home)["rows"]
    assert row["weights"] == made["weights"]
    other = str(tmp_path / "other")
    assert "--normalisation is one of raw, " in bad(
        "train", "union", *words, "--out", other, "--normalisation", "masked", home=home
    )
    assert f"There is a {out} already" in bad("train", "union", *words, "--out", str(out), home=home)


def test_the_papers_recipe(home: Path, tmp_path: Path, base: str, corpora: list[str]) -> None:
    given = ["train", "union", "--stories", corpora[0], "--out", str(tmp_path / "paper"), "--base", base]
    assert "leave out --layer, --tuning and --epochs" in bad(*given, "--recipe", "paper", "--epochs", "1", home=home)
    assert "--steps goes with --recipe paper" in bad(*given, "--steps", "3", home=home)
    made = as_json(*given, "--recipe", "paper", "--steps", "3", home=home)
    result = {key: made["recipe"][key] for key in ("recipe", "steps", "batch", "learning_rate", "reconstruction")}
    assert result == {"recipe": "paper", "steps": 3, "batch": 10, "learning_rate": 5e-5, "reconstruction": 0.1}
    assert (made["options"]["layers"], made["options"]["normalisation"]) == ([2], "delexicalised")
    assert made["recipe"]["mix"] == "paper"
    given[given.index("--out") + 1] = str(tmp_path / "other")
    other = ["--steps", "3", "--mix", "fabula", "--normalisation", "recased"]
    made = as_json(*given, "--recipe", "paper", *other, home=home)
    assert made["options"]["normalisation"] == "recased"
    assert made["recipe"]["mix"] == "fabula"


def test_the_authors_checkpoint_is_refused_with_a_reason(home: Path, tmp_path: Path) -> None:
    (tmp_path / "model.ckpt-40000.index").write_bytes(b"")
    assert "takes TensorFlow, which Fabula does not bring" in bad("checkpoints", "import", str(tmp_path), home=home)


def test_stories_that_people_have_rated_are_refused_unless_insisted(
    home: Path, database: str, tmp_path: Path, base: str
) -> None:
    rated_study(prompts=4, name="judged")
    engine().dispose()
    stories = [("", story) for story in STORIES[:12]]
    stories += [("Opening 1.", "Story 1-0 is told."), ("", "opening 2. STORY 2-1 is told!")]
    words = ["train", "union", "--stories", table(tmp_path / "some.csv", stories), "--base", base, "--epochs", "1"]
    out = tmp_path / "made"
    sentence = bad(*words, "--out", str(out), home=home)
    assert "Trained also on stories of rated studies: 2 of judged." in sentence
    assert "--overlap-allowed" in sentence
    assert not out.exists()
    made = as_json(*words, "--out", str(out), "--overlap-allowed", home=home)
    assert made["overlap"].startswith("Trained also on stories of rated studies: 2 of judged.")


def test_bad_input(home: Path, tmp_path: Path, base: str, corpora: list[str]) -> None:
    few = table(tmp_path / "few.csv", [("", story) for story in STORIES[:3]])
    out = ["--out", str(tmp_path / "no"), "--base", base]
    assert "trained on 10 stories at least" in bad("train", "union", "--stories", few, *out, home=home)
    assert "no layer 9" in bad("train", "union", "--stories", corpora[0], *out, "--layer", "9", home=home)
    assert "at least one technique" in bad(
        "train", "union", "--stories", corpora[0], *out,
        *(word for name in ("repetition", "substitution", "reordering", "negation") for word in ("--without", name)),
        home=home,
    )  # fmt: skip
    assert "--tuning is one of frozen, adapter, full" in bad(
        "train", "union", "--stories", corpora[0], *out, "--tuning", "some", home=home
    )
    assert not (tmp_path / "no").exists()


def test_rows_that_are_left_out_are_named(home: Path, tmp_path: Path, base: str) -> None:
    rows = [("", story) for story in (*STORIES[:12], "", STORIES[0], "One sentence.")]
    words = ["train", "union", "--stories", table(tmp_path / "mine.csv", rows), "--base", base, "--epochs", "1"]
    told = fabula(*words, "--out", str(tmp_path / "made"), "--json", "-", home=home)
    assert told.returncode == 0, told.stderr
    assert (
        "3 rows of mine.csv left out (line 14: no story; line 15: the same as line 2; line 16: one sentence, of which "
        "no negative can be made)."
    ) in told.stderr
    assert [item["size"] for item in json.loads(told.stdout)["data"]] == [12]
