"""Exports and imports from a terminal."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.annotation.builtin_criteria import KNOWN
from core.people import TERMINAL
from db.annotation import panel_submission
from db.engine import engine
from db.studies import studies
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study
from tests.terminal import ROOT, bad, good


@pytest.fixture
def rated(home: Path, database: str) -> Path:
    """The home of a study with a panel that was handed in."""
    study = make_study("s")
    who = make_annotator(study)
    panel = begin(who)
    rate(who, panel)
    panel_submission.submit(who, panel.token)
    engine().dispose()
    return home


def test_a_folder_a_zip_and_back(rated: Path, tmp_path: Path) -> None:
    assert "written to the folder" in good("export", "--study", "s", "--out", str(tmp_path / "out"), home=rated)
    assert {file.name for file in (tmp_path / "out").iterdir()} == {
        "manifest.json", "panels.csv", "ratings.csv", "scores.csv", "stories.csv",
    }  # fmt: skip
    packed = str(tmp_path / "out.zip")
    good("export", "--study", "s", "--format", "parquet", "--out", packed, home=rated)
    for path, name in ((str(tmp_path / "out"), "again"), (packed, "packed")):
        sentence = good("import", "fabula", path, "--study", name, home=rated)
        assert sentence.startswith(f"{name}: 10 stories, 2 references, 7 ratings")
    assert "has files in it already" in bad("export", "--study", "s", "--out", str(tmp_path / "out"), home=rated)


def test_one_file_or_stdout(rated: Path, tmp_path: Path) -> None:
    sentence = good("export", "--study", "s", "--format", "jsonl", "--out", str(tmp_path / "r.jsonl"), home=rated)
    assert "7 ratings written to" in sentence
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 7
    printed = good("export", "--study", "s", "--out", "-", home=rated)
    assert len(list(csv.DictReader(io.StringIO(printed)))) == 7
    good("export", "--study", "s", "--format", "sheet", "--out", str(tmp_path / "sheet.csv"), home=rated)
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as stream:
        sheet = list(csv.DictReader(stream))
    assert [row["overall"] for row in sheet] == ["3"] * 5
    assert {row["unrelated_events"] for row in sheet} == {"0"}
    mans = json.loads(good("export", "--study", "s", "--format", "mans", "--out", "-", home=rated))
    assert set(mans) == {"0", "1"}


def test_what_does_not_fit_is_one_sentence(rated: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "x.zip")
    assert "choose csv, jsonl or parquet" in bad("export", "--study", "s", "--format", "xml", "--out", out, home=rated)
    assert "UNION scheme" in bad("export", "--study", "s", "--format", "union", "--out", out, home=rated)
    assert "A sheet is one CSV file" in bad("export", "--study", "s", "--format", "sheet", "--out", out, home=rated)
    assert not list(tmp_path.glob("x.zip*"))
    file = tmp_path / "theirs.csv"
    file.write_text("story_id,overall\n0-one,3\n0-two,7\n")
    assert "import the stories first" in bad("import", "fabula", str(file), "--study", "new", home=rated)
    assert "There is no file or folder" in bad("import", "fabula", str(tmp_path / "no"), "--study", "n", home=rated)
    assert "one export at a time" in bad("import", "fabula", str(file), str(file), "--study", "n", home=rated)
    assert "There is no field 'a' to map; there are story_id, overall" in bad(
        "import", "fabula", str(file), "--study", "n", "--map", "a=b", home=rated
    )


def test_a_form_that_ratings_bring_is_told_and_who_has_rated_keeps_it(rated: Path, tmp_path: Path) -> None:
    file = tmp_path / "theirs.csv"
    file.write_text("story_id,annotator,coherence,relevance\n0-one,a,3,4\n")
    refusal = bad("import", "ratings", str(file), "--study", "s", home=rated)
    assert "asked for overall in the study 's', so its form can no longer change" in refusal
    studies.close_study(TERMINAL, make_study("fresh").id)
    engine().dispose()
    printed = good("import", "ratings", str(file), "--study", "fresh", home=rated)
    assert "Note: Its form asks for coherence, relevance now, in place of overall." in printed


def test_preferences_of_ratings_that_are_far_enough_apart(home: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "rated.csv", tmp_path / "chosen.jsonl"
    rows = [f"p{s},P.,{s} tells.,{s},{value},{who}" for s, value in (("x", 5), ("y", 4), ("z", 1)) for who in "ab"]
    file.write_text("\n".join(["story_id,prompt,story,system,overall,rater", *rows]), encoding="utf-8")
    good("import", "ratings", str(file), "--study", "s", home=home)

    def export(kind: str, *words: str) -> str:
        return good("export", "--study", "s", "--format", kind, "--out", str(out), *words, home=home)

    assert "3 judgments written" in export("preferences")
    assert "2 judgments written" in export("chosen", "--margin", "1.5")
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(row["chosen_id"], row["rejected_id"], row["margin"], row["chosen_ratings"]) for row in written] == [
        ("px", "pz", 4, 2),
        ("py", "pz", 3, 2),
    ]
    assert "2 judgments of pairs" in good("import", "preferences", str(out), "--study", "again", home=home)
    asked = ("export", "--format", "chosen", "--out", str(out), "--margin")
    assert "A least margin is from 0 to 4 points" in bad(*asked, "-1", "--study", "s", home=home)
    assert "A least margin is from 0 to 4 points" in bad(*asked, "5", "--study", "s", home=home)
    assert "People compared pairs in this study" in bad(*asked, "1", "--study", "again", home=home)
    assert "--target and --margin are for the formats" in bad(
        "export", "--study", "s", "--out", str(out), "--margin", "1", home=home
    )


def test_what_people_were_asked(home: Path, tmp_path: Path) -> None:
    file, scored = tmp_path / "rated.csv", tmp_path / "scored.csv"
    file.write_text("prompt,story,coherence,fluency\nP.,x tells.,5,2\nP.,y tells.,4,1\n", encoding="utf-8")
    scored.write_text("prompt,story,overall,deductions\nP.,x tells.,5,\n", encoding="utf-8")

    def refused(*words: str, kind: str = "ratings", path: Path = file) -> str:
        return bad("import", kind, str(path), "--study", "s", *words, home=home)

    assert "There is no criterion 'humour' here; there are: coherence, fluency" in refused(
        "--question", "humour=Funny?"
    )
    assert "The question on fluency (--question) has 1 to 500 characters" in refused("--question", "fluency= ")
    assert "--question takes NAME=VALUE, not 'Is it funny?'" in refused("--question", "Is it funny?")
    assert "--question is for ratings" in refused("--question", "fluency=Funny?", kind="stories")
    assert "scored.csv has deductions, which has questions" in refused("--question", "overall=Good?", path=scored)
    good("import", "ratings", str(file), "--study", "s", "--question", "Fluency=Is it = funny? ", home=home)
    asked = {criterion.name: criterion.question for criterion in studies.find("s").scheme.criteria}
    assert asked["fluency"] == "Is it = funny?"
    assert asked["coherence"] == KNOWN["coherence"].question
    assert "--question is for a new study; people have their questions already" in refused("--question", "fluency=?")


def test_stdout_takes_parquet_as_it_is(rated: Path) -> None:
    import pandas as pd

    words = [sys.executable, "cli.py", "export", "--study", "s", "--format", "parquet", "--out", "-"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
    assert len(pd.read_parquet(io.BytesIO(done.stdout))) == 7


def test_judges_of_a_study(rated: Path, tmp_path: Path) -> None:
    stories = good("export", "--study", "s", "--out", str(tmp_path / "out"), home=rated)
    assert "written" in stories
    with (tmp_path / "out" / "stories.csv").open(encoding="utf-8") as stream:
        keys = [row["story_id"] for row in csv.DictReader(stream) if row["source"] == "system"]
    file = tmp_path / "judges.csv"
    rows = [f"{key},{wording},{wording + n % 3}" for n, key in enumerate(keys) for wording in (1, 2)]
    file.write_text("\n".join(["id,wording,rating", *rows]), encoding="utf-8")
    said = good("import", "judges", str(file), "--study", "s", "--judge", "m", "--mean", home=rated)
    assert f"s: {3 * len(keys)} ratings by m/1, m/2, m of overall." in said
    metrics = {
        row["metric"] for row in json.loads(good("correlate", "--study", "s", "--json", "-", home=rated))["rows"]
    }
    assert metrics == {"m/1:overall", "m/2:overall", "m:overall"}
    assert "Two of these files have" in bad(
        "import", "judges", str(file), str(file), "--study", "s", "--judge", "m", home=rated
    )
    assert "--map and --where" in bad("import", "judges", str(file), "--study", "s", "--map", "a=b", home=rated)
    assert "are for judges" in bad("import", "ratings", str(file), "--study", "s", "--judge", "m", home=rated)
    assert "Name the judge with --judge." in bad("import", "judges", str(file), "--study", "s", home=rated)
    said = good("import", "judges", str(file), "--study", "s", "--criterion", "overall=rating", home=rated)
    assert f"s: {2 * len(keys)} ratings by rating/1, rating/2 of overall." in said
