"""`perturb`: negatives from a table, their summary, and what it says to what is wrong."""

import json
from pathlib import Path

import pytest

from core.formats.perturbed import read_cases
from tests.cli_perturb import printed
from tests.terminal import bad

STORY = ["It was late.", "The old man slept.", "His dog ran home.", "They were glad."]


@pytest.fixture
def stories(tmp_path: Path) -> Path:
    path = tmp_path / "stories.jsonl"
    rows = [{"sentences": [*STORY, f"So ended day {i}."], "split": "train", "key": f"k{i}"} for i in range(12)]
    rows += [{"sentences": ["Alone."], "split": "train", "key": "short"}, {"sentences": STORY, "split": "test"}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_negatives(stories: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, again = tmp_path / "out.jsonl", tmp_path / "again.jsonl"
    words = ("perturb", "negatives", "--in", str(stories), "--where", "split=train", "--map", "id=key", "--seed", "4")
    result = json.loads(printed(capsys, *words, "--out", str(out), "--json", "-"))
    cases = read_cases(out)
    assert [case.id for case in cases] == [f"k{i}" for i in range(12)]
    assert (result["n"], result["made"], result["seed"], result["knowledge"]) == (13, 12, 4, "wordnet-3.0")
    assert result["unchanged"] == [{"reason": "it has one sentence, and a story's first never changes", "stories": 1}]
    assert [row["name"] for row in result["numbers"]] == ["1", "2", "3", "4"]
    assert sum(row["stories"] for row in result["numbers"]) == 12
    assert result["techniques"][2].keys() == {"name", "stories", "share", "low", "high", "expected"}
    message = printed(capsys, *words, "--out", str(again), "--without", "reordering", "--without", "negation")
    assert "12 negatives of 13 stories written to" in message
    assert "1 could not be changed: it has one sentence" in message
    used = {step.technique for case in read_cases(again) for step in case.perturbed.steps}
    assert used == {"repetition", "substitution"}


def test_the_paper_s_mix(stories: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ours, paper, again = (tmp_path / f"{name}.jsonl" for name in ("ours", "paper", "again"))
    words = ("perturb", "negatives", "--in", str(stories), "--seed", "4", "--json", "-", "--out")
    assert json.loads(printed(capsys, *words, str(ours)))["mix"] == "fabula"
    assert json.loads(printed(capsys, *words, str(paper), "--mix", "paper"))["mix"] == "paper"
    printed(capsys, *words, str(again), "--mix", "paper")
    assert paper.read_bytes() == again.read_bytes() != ours.read_bytes()
    only = [word for name in ("repetition", "substitution", "reordering") for word in ("--without", name)]
    printed(capsys, *words, str(again), "--mix", "paper", *only)
    ways = {step.way for case in read_cases(again) for step in case.perturbed.steps}
    assert len(ways) > 1
    assert ways <= {"in 1 sentence", "in 2 sentences", "in 3 sentences", "in 4 sentences"}
    assert "is not one of" in bad(*words, str(again), "--mix", "rhyme", home=home)


def test_conceptnet_and_words_that_are_wrong(stories: Path, home: Path, tmp_path: Path) -> None:
    out, known = tmp_path / "out.jsonl", tmp_path / "antonyms.txt"
    words = ("perturb", "negatives", "--in", str(stories), "--out")
    known.write_text("old|||/r/Antonym|||young\n", encoding="utf-8")
    assert "conceptnet" not in bad(*words, str(tmp_path / "out.csv"), home=home)
    assert "names the file that is read" in bad(*words, str(stories), home=home)
    assert "is not one of" in bad(*words, str(out), "--without", "rhyme", home=home)
    every = [word for name in ("repetition", "substitution", "reordering", "negation") for word in ("--without", name)]
    assert "at least one technique" in bad(*words, str(out), *every, home=home)
    assert "cannot be read" in bad(*words, str(out), "--knowledge", str(tmp_path / "none.txt"), home=home)
    assert "has no column 'body'" in bad(*words, str(out), "--map", "text=body", home=home)
    assert not out.exists()
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"text": ""}\n')
    assert "there is none" in bad("perturb", "negatives", "--in", str(empty), "--out", str(out), home=home)
    empty.write_text('{"text": "One."}\n')
    assert "could be changed: it has one sentence" in bad(
        "perturb", "negatives", "--in", str(empty), "--out", str(out), home=home
    )
    assert not out.exists()
    assert not list(tmp_path.glob("*.part"))
