"""`score --in`, and analyses of what it wrote."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from tests.core.streams.stories import rows_of, write_jsonl
from tests.terminal import as_json, bad, good

METRICS = ("--metric", "bleu", "--metric", "words")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Ninety rated stories; those of a prompt share its reference."""
    rng = random.Random(1)
    rows = rows_of(90)
    for place, row in enumerate(rows):
        row |= {"reference": rows[place // 3 * 3]["reference"], "overall": rng.randint(1, 5)}
    return write_jsonl(tmp_path / "s.jsonl", rows)


def test_a_folder_of_scores_is_analysed_as_stored_scores_are(source: Path, home: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores"
    result = as_json("score", "--in", str(source), "--out", str(out), *METRICS, "--partition", "20", home=home)
    assert (result["n"], result["partitions"], result["set_aside"]) == (90, 5, 0)
    assert [(row["scored"], row["reused"]) for row in result["rows"]] == [(90, 0)] * 2
    again = as_json("score", "--in", str(source), "--out", str(out), *METRICS, "--partition", "20", home=home)
    assert [(row["scored"], row["reused"]) for row in again["rows"]] == [(0, 90)] * 2
    good("import", "ratings", str(source), "--study", "s", "--scale", "1-5", home=home)
    words = {
        "correlate": ("correlate", "--study", "s"),
        "compare": ("compare", "--study", "s"),
        "differences": ("differences", "--study", "s"),
        "drift": ("drift", "system", "--study", "s"),
        "systems": ("systems", "--study", "s"),
    }
    filed = {name: as_json(*command, "--scores", str(out), home=home) for name, command in words.items()}
    report = ("report", "--study", "s", "--metric", "bleu", "--out", str(tmp_path / "r.html"))
    good(*report, "--scores", str(out), home=home)
    assert filed["correlate"]["rows"][0]["signature"] in (tmp_path / "r.html").read_text()
    assert "has no scores yet" in bad(*words["correlate"], home=home)
    assert "--most is of a study's stories" in bad("score", "--in", str(source), *METRICS, "--most", "3", home=home)
    good("score", "--study", "s", *METRICS, "--most", "3", home=home)
    good("score", "--study", "s", *METRICS, home=home)
    for name, command in words.items():
        assert as_json(*command, home=home) == filed[name], name
    assert as_json(*words["correlate"], "--scores", str(out), home=home) == filed["correlate"]  # each once


def test_rows_that_are_set_aside_are_told(source: Path, home: Path, tmp_path: Path) -> None:
    source.write_text(source.read_text() + "{half\n")
    out = tmp_path / "out.csv"
    shown = good("score", "--in", str(source), "--out", str(out), *METRICS, home=home)
    assert "1 row could not be read as a story" in " ".join(shown.split())
    aside = json.loads((tmp_path / "out.csv.aside.jsonl").read_text())
    assert (aside["row"], "this is not JSON" in aside["reason"]) == (91, True)
    assert len(out.read_text().splitlines()) == 91
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "out.csv", "out.csv.aside.jsonl", "s.jsonl"]


def test_several_files_and_processes(tmp_path: Path, home: Path) -> None:
    rows: list[dict[str, Any]] = rows_of(40)
    (tmp_path / "in").mkdir()
    for number in range(2):
        write_jsonl(tmp_path / "in" / f"{number}.jsonl", rows[20 * number : 20 * number + 20])
    for out, more in (("one", ()), ("two", ("--workers", "2"))):
        good("score", "--in", f"{tmp_path}/in/*.jsonl", "--out", str(tmp_path / out), *METRICS, *more, home=home)
    assert parquet.read_table(tmp_path / "one")["id"].to_pylist() == [row["id"] for row in rows]
    for part in sorted((tmp_path / "one").iterdir()):
        assert part.read_bytes() == (tmp_path / "two" / part.name).read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--address", "host:1"), "are for Ray"),
        (("--gpus", "0.5"), "are for Ray"),
        (("--map", "text=nothing"), "has no column 'nothing'"),
        (("--in", "no-such-folder"), "There is no file no-such-folder"),
    ],
)
def test_bad_words(source: Path, home: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    assert said in bad("score", "--in", str(source), "--out", str(tmp_path / "out"), *METRICS, *words, home=home)


def test_scores_of_no_folder(source: Path, home: Path) -> None:
    good("import", "ratings", str(source), "--study", "s", "--scale", "1-5", home=home)
    assert "is no folder of scores" in bad("correlate", "--study", "s", "--scores", "nothing", home=home)
