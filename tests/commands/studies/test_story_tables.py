"""`import stories`: controls, ratings, and scores beside the stories."""

import csv
import json
from pathlib import Path

import pytest

from core.annotation.unit import PromptKind
from db.engine import engine
from db.studies import studies
from tests.terminal import as_json, bad, good

MINE = """id,opening,model,continuation,taste,note
1,Mia found a key.,human,She tried it on every door.,0.9,x
2,Mia found a key.,gpt,She ate the key.,0.2,y
3,Mia found a key.,corrupted,The key the key she.,0.1,z
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.csv"
    file.write_text(MINE)
    return str(file)


def counts(home: Path) -> dict[str, tuple[int, int, int]]:
    rows = as_json("studies", home=home)["rows"]
    return {row["name"]: (row["stories"], row["references"], row["metrics"]) for row in rows}


def test_what_the_prompts_are_can_be_said(home: Path, mine: str, tmp_path: Path, database: str) -> None:
    good("import", "stories", mine, "--study", "plain", home=home)
    good("import", "stories", mine, "--study", "tasks", "--prompts", "task", home=home)
    rated = tmp_path / "rated.csv"
    rated.write_text(
        "story_id,prompt,text,rater,overall\n1,Write of keys.,Mia has one.,a,3\n1,Write of keys.,Mia has one.,b,4\n"
    )
    good("import", "ratings", str(rated), "--study", "rated", "--prompts", "task", home=home)
    kinds = {name: studies.find(name).scheme.prompt_kind for name in ("plain", "tasks", "rated")}
    assert kinds == {"plain": PromptKind.OPENING, "tasks": PromptKind.TASK, "rated": PromptKind.TASK}
    engine().dispose()
    assert "--prompts is for stories" in bad(
        "import", "fabula", str(rated), "--study", "x", "--prompts", "task", home=home
    )
    assert "form can no longer change" in bad(
        "import", "ratings", str(rated), "--study", "rated", "--prompts", "opening", home=home
    )


def test_a_system_called_like_a_control_is_told_with_what_to_type(home: Path, mine: str, tmp_path: Path) -> None:
    sentence = good("import", "stories", mine, "--study", "plain", home=home)
    assert "1 stories are of a system called 'human' and came in like any other system's" in sentence
    assert "--human-system human" in sentence
    assert "--negative-system corrupted" in sentence
    assert (
        "text from continuation, prompt from opening, system from model, id from id; not read: taste, note." in sentence
    )
    flags = ("--human-system", "human", "--negative-system", "corrupted", "--scores", "liked=taste")
    sentence = good("import", "stories", mine, "--study", "told", *flags, home=home)
    assert "came in like" not in sentence
    assert "not read: note." in sentence
    assert counts(home) == {"plain": (3, 0, 0), "told": (1, 1, 1)}
    good("export", "--study", "told", "--out", str(tmp_path / "told"), home=home)
    with (tmp_path / "told" / "scores.csv").open(encoding="utf-8") as rows:
        scored = {row["story_id"] for row in csv.DictReader(rows)}
    assert "1" not in scored  # of a person: `scores import --people` keeps such a score where it is of use
    assert "2" in scored


def test_refusals(home: Path, mine: str, tmp_path: Path) -> None:
    for words, message in (
        (("--human-system", "Human"), "There is no system 'Human' in the file; there are: corrupted, gpt, human."),
        (("--scores", "note"), "mine.csv, line 2"),
        (("--scores", "tase"), "mine.csv has no column 'tase'"),
    ):
        assert message in bad("import", "stories", mine, "--study", "s", *words, home=home)
    for option in (("--human-system", "a"), ("--once",), ("--scores", "a")):
        assert "for stories" in bad("import", "mans", mine, "--study", "s", *option, home=home)
    assert counts(home) == {}


def test_a_table_of_ratings_is_not_taken_for_stories(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "theirs.csv"
    rows = "".join(f"{story},{rater},4,Text {story}.\n" for story in "abc" for rater in "xyz")
    file.write_text("story_id,rater,overall,story\n" + rows)
    sentence = bad("import", "stories", str(file), "--study", "s", home=home)
    assert "theirs.csv: This looks like a table of ratings: 9 rows, 3 different stories." in sentence
    assert "`import ratings`" in sentence
    assert counts(home) == {}
    sentence = good("import", "stories", str(file), "--study", "s", "--once", home=home)
    assert "s: 3 stories, " in sentence
    assert "6 rows repeat a story of an earlier row" in sentence
    assert "9 ratings" in good("import", "ratings", str(file), "--study", "r", home=home)
    twice = tmp_path / "twice.csv"
    twice.write_text("story\nOne.\nTwo.\nThree.\nOne.\n")
    sentence = good("import", "stories", str(twice), "--study", "t", home=home)
    assert "1 rows of twice.csv repeat prompt, system and text of an earlier row" in sentence
    assert counts(home)["t"] == (4, 0, 0)
    good("import", "stories", str(twice), "--study", "people", "--human-system", "", home=home)
    assert counts(home)["people"] == (0, 4, 0)


def test_empty_stories_are_left_out_where_that_is_asked_for(home: Path, tmp_path: Path) -> None:
    stories, ratings = tmp_path / "stories.csv", tmp_path / "ratings.csv"
    stories.write_text("system,text\ngpt,He ran.\ngpt,\n")
    ratings.write_text("system,story,rating\ngpt,He ran.,3\ngpt,,2\n")
    assert "1 story is empty" in good("import", "stories", str(stories), "--study", "all", home=home)
    sentence = good("import", "stories", str(stories), "--study", "some", "--without-empty", home=home)
    assert "1 row left out, as the story is empty: line 3." in sentence
    assert "line 3 has neither a story nor its id" in bad("import", "ratings", str(ratings), "--study", "r", home=home)
    sentence = good("import", "ratings", str(ratings), "--study", "r", "--without-empty", home=home)
    assert "1 row with 1 rating left out, as the story is empty: line 3." in sentence
    assert counts(home) == {"all": (2, 0, 0), "some": (1, 0, 0), "r": (1, 0, 0)}
    assert "--without-empty are for" in bad("import", "mans", "x", "--study", "s", "--without-empty", home=home)


def test_what_the_stories_lack_is_said_with_what_to_type(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "lab.csv"
    file.write_text("wp,by,text,rating\nA key.,gpt,One.,4\nA key.,gpt,Two.,2\n")
    for kind in ("stories", "ratings"):
        sentence = good("import", kind, str(file), "--study", kind, home=home)
        assert "Warning: No column is taken for the prompt: every story stands by itself" in sentence
        assert (
            "Not used: wp. If it holds the prompt, import the file into a new study with --map prompt=wp." in sentence
        )
        assert "Not used: wp, by. If one of them holds the system, " in sentence
        assert "with --map system=COLUMN." in sentence
        told = good("import", kind, str(file), "--study", f"{kind} 2", "--map", "prompt=wp", home=home)
        assert "for the prompt" not in told
        assert "Not used: by. If it holds the system, import the file into a new study with --map system=by." in told


def test_rejected_work_is_said_and_what_was_left_out_stays_known(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "batch.csv"
    file.write_text("story,rating,AssignmentStatus\nHe ran.,1,Approved\nHe ran.,5,Rejected\n")
    sentence = good("import", "ratings", str(file), "--study", "all", home=home)
    assert "Warning: batch.csv: 1 row holds work that was rejected on MTurk" in sentence
    assert "leave them out with --where AssignmentStatus=Approved" in sentence
    choice = ("import", "ratings", str(file), "--study", "some", "--where")
    assert "AssignmentStatus is “Approved” or “Rejected” there" in bad(*choice, "AssignmentStatus=yes", home=home)
    sentence = good(*choice, "AssignmentStatus=Approved", home=home)
    assert "Note: 1 row left out: only rows where AssignmentStatus is “Approved” came in." in sentence
    assert "rejected on" not in sentence
    rows = json.loads(good("studies", "imports", "--study", "some", "--json", "-", home=home))["rows"]
    assert rows[0]["left_out"] == "1 row left out: only rows where AssignmentStatus is “Approved” came in."
    both = ("--where", "AssignmentStatus=approved", "--where", "AssignmentStatus=REJECTED")
    assert "left out" not in good("import", "ratings", str(file), "--study", "both", *both, home=home)
