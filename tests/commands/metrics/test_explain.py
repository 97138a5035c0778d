"""`explain union`: a story's sentences, the edits of a set of negatives, and what cannot be explained."""

import json
from pathlib import Path

import pytest

from core.english.knowledge import shared_wordnet
from core.formats.perturbed import write_cases
from core.people import TERMINAL
from core.perturb.negatives.sampler import Sampler
from core.perturb.negatives.sets import negative_set
from core.stories import StoryRecord
from db.engine import engine
from db.training import checkpoints
from tests.core.training.made_union import made_union
from tests.core.training.union.task import STORIES
from tests.terminal import as_json, bad, good


@pytest.fixture
def union(database: str, tmp_path: Path) -> tuple[str, ...]:
    """Words of the command, with a checkpoint that is there."""
    checkpoints.add(TERMINAL, made_union(tmp_path / "made", "of ours"))
    engine().dispose()
    return ("explain", "union", "--checkpoint", "of ours")


def test_a_story_and_a_set(home: Path, tmp_path: Path, union: tuple[str, ...]) -> None:
    story = ("--text", "It [i]rained[/i]. The dog ran off.", "--prompt", "It was late.")
    assert "It [i]rained[/i]." in good(*union, *story, "--json", str(tmp_path / "found.json"), home=home)
    result = json.loads((tmp_path / "found.json").read_text())
    assert result["checkpoint"] == "of ours"
    assert [item["fixed"] for item in result["sentences"]] == [True, False, False]
    assert all(item["without"] is not None for item in result["sentences"])
    assert result["pieces"] > 0

    records = [StoryRecord(str(i), str(i), "", text) for i, text in enumerate(STORIES[:6])]
    cases = negative_set(records, Sampler(STORIES, shared_wordnet()), 1).cases
    write_cases(cases, tmp_path / "negatives.jsonl")
    result = as_json(*union, "--in", str(tmp_path / "negatives.jsonl"), home=home)
    assert (result["n"], result["rows"][0]["technique"]) == (6, "any")
    assert 0 <= result["rows"][0]["auc"]["low"] <= result["rows"][0]["auc"]["value"] <= 1


def test_what_cannot_be_explained_is_one_line(home: Path, union: tuple[str, ...]) -> None:
    assert "Give either --text STORY or --in FILE.jsonl" in bad(*union, home=home)
    assert "There is no checkpoint named 'none'" in bad(
        "explain", "union", "--checkpoint", "none", "--text", "It was.", home=home
    )
