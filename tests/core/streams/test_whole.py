"""One file made of a folder of scores: the rows as they were, and the metrics' columns."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pyarrow
import pytest
from pyarrow import parquet

from core.engines.here import HereEngine
from core.errors import InputError
from core.formats.tables import read_table
from core.streams import folder as folders
from core.streams.run import score_files
from core.streams.sample import sample
from core.streams.whole import check_writable, plan_whole, write_whole
from tests.core.streams.stories import rows_of, settings, write_jsonl


def scored(source: Path, folder: Path, rows: int = 6) -> folders.Run:
    runs: list[folders.Run] = []
    run = settings("words", "bleu")
    score_files([str(source)], folder, run, HereEngine(), mapping={}, rows=rows, ready=runs.append)
    return runs[0]


def whole(folder: Path, run: folders.Run, name: str) -> None:
    write_whole(folder / "parts", run, folder / name, plan_whole(run, folder / name))


def with_oddities(path: Path) -> Path:
    rows = rows_of(20)
    rows[4]["text"] = ""
    rows[7]["system"] = 'a "quoted", name\nof two lines'
    write_jsonl(path, rows)
    path.write_text(path.read_text() + "{no row\n")
    return path


def test_json_lines(tmp_path: Path) -> None:
    source, out = with_oddities(tmp_path / "s.jsonl"), tmp_path / "out.jsonl"
    run = scored(source, tmp_path / "parts")
    write_whole(tmp_path / "parts", run, out, plan_whole(run, out))
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    given = [json.loads(line) for line in source.read_text().splitlines()[:20]]
    assert [{name: line[name] for name in row} for line, row in zip(lines, given, strict=True)] == given
    assert (lines[4]["words"], lines[4]["bleu"]) == (None, None)
    assert lines[5]["words"] == len(given[5]["text"].split())


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables(tmp_path: Path, suffix: str) -> None:
    source, out = with_oddities(tmp_path / "s.jsonl"), tmp_path / f"out{suffix}"
    run = scored(source, tmp_path / "parts")
    write_whole(tmp_path / "parts", run, out, plan_whole(run, out))
    frame = pd.read_csv(out, keep_default_na=False) if suffix == ".csv" else pd.read_parquet(out)
    given = [json.loads(line) for line in source.read_text().splitlines()[:20]]
    assert list(frame.columns) == [*given[0], "words", "bleu"]
    assert frame[list(given[0])].to_dict("records") == given
    words = pd.to_numeric(frame["words"]).tolist()
    assert words[:4] + words[5:] == [len(row["text"].split()) for row in given if row["text"]]
    assert words[4] != words[4]


def test_parquet_keeps_the_kinds_of_its_columns(tmp_path: Path) -> None:
    table = pyarrow.Table.from_pylist(rows_of(20))
    table = table.append_column("weight", pyarrow.array(range(20), pyarrow.float32()))
    parquet.write_table(table, tmp_path / "s.parquet", row_group_size=7)
    run = scored(tmp_path / "s.parquet", tmp_path / "parts")
    whole(tmp_path, run, "out.parquet")
    written = parquet.read_table(tmp_path / "out.parquet")
    assert written.select(table.column_names).equals(table)
    assert written.column("bleu").null_count == 0


def test_fields_that_only_some_rows_have(tmp_path: Path) -> None:
    rows = rows_of(1010)
    rows[-1]["further"] = "x"  # the first thousand are without it
    rows[0] |= {"stars": None, "tags": ["a", None], "about": {"n": 1}}
    rows[7]["stars"] = 4
    rows[-2]["stars"] = 4.5
    run = scored(write_jsonl(tmp_path / "s.jsonl", rows), tmp_path / "parts", rows=500)
    for name in ("out.parquet", "out.csv", "out.jsonl"):
        whole(tmp_path, run, name)
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table["further"].to_pylist() == [row.get("further") for row in rows]
    assert table["stars"].to_pylist() == [row.get("stars") for row in rows]
    frame = pd.read_csv(tmp_path / "out.csv", keep_default_na=False)
    assert (frame["further"].tolist()[-1], frame["stars"].tolist()[-2], frame["tags"][0]) == ("x", "4.5", '["a", null]')
    assert frame["about"][0] == '{"n": 1}'
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [{name: line[name] for name in row} for line, row in zip(written, rows, strict=True)] == rows


def test_a_column_of_several_kinds_is_told_before_anything_is_written(tmp_path: Path) -> None:
    rows = rows_of(12)
    rows[8]["system"] = 7
    run = scored(write_jsonl(tmp_path / "s.jsonl", rows), tmp_path / "parts")
    with pytest.raises(InputError, match="mixes kinds of values"):
        plan_whole(run, tmp_path / "out.parquet")
    whole(tmp_path, run, "out.jsonl")


def test_values_that_json_has_no_word_for(tmp_path: Path) -> None:
    table = pyarrow.Table.from_pylist(rows_of(3))
    moments = pyarrow.array([datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3)])
    table = table.append_column("moment", moments).append_column("share", pyarrow.array([0.5, float("nan"), None]))
    parquet.write_table(table, tmp_path / "s.parquet")
    run = scored(tmp_path / "s.parquet", tmp_path / "parts")
    whole(tmp_path, run, "out.jsonl")
    lines = [json.loads(line, parse_constant=pytest.fail) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["share"] for line in lines] == [0.5, None, None]
    assert lines[1]["moment"].startswith("2026-01-02")


def test_half_of_a_character_in_another_field(tmp_path: Path) -> None:
    rows = [row | {"note": "half \ud800"} for row in rows_of(2)]
    source = tmp_path / "s.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = scored(source, tmp_path / "parts")
    whole(tmp_path, run, "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])["note"] == "half \ud800"
    with pytest.raises(InputError, match="half of a character"):
        whole(tmp_path, run, "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_parquet_files_of_other_kinds(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, kind in (("a", pyarrow.int64()), ("b", pyarrow.string())):
        table = pyarrow.Table.from_pylist(rows_of(3)).append_column("n", pyarrow.array([1, 2, 3]).cast(kind))
        parquet.write_table(table, tmp_path / "in" / f"{name}.parquet")
    run = scored(tmp_path / "in", tmp_path / "parts")
    with pytest.raises(InputError, match=r"b\.parquet has columns of other kinds than a\.parquet"):
        plan_whole(run, tmp_path / "out.parquet")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("out.json", "files ending in .json are not written; use .csv, .jsonl or .parquet, or name a folder"),
        ("none/out.csv", "there is no folder"),
    ],
)
def test_what_cannot_be_written_is_said_before_anything_is_scored(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_writable(tmp_path / name)


def test_a_column_that_is_there_already(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "s.jsonl", [row | {"bleu": 1} for row in rows_of(3)])
    with pytest.raises(InputError, match="has a column 'bleu' already"):
        plan_whole(scored(source, tmp_path / "parts"), tmp_path / "out.csv")


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_scores_are_written_to_the_last_digit(tmp_path: Path, suffix: str) -> None:
    run = scored(write_jsonl(tmp_path / "s.jsonl", rows_of(9)), tmp_path / "parts")
    whole(tmp_path, run, f"out{suffix}")
    kept = parquet.read_table(tmp_path / "parts").column("bleu").to_pylist()
    assert [float(row["bleu"]) for row in read_table(tmp_path / f"out{suffix}").rows] == kept


def test_a_sample_is_of_some_partitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_jsonl(tmp_path / "s.jsonl", rows_of(40))
    run = scored(source, tmp_path / "parts", rows=4)
    assert sample(tmp_path / "parts", run).texts == tuple(row["text"] for row in rows_of(40))
    monkeypatch.setattr("core.streams.sample.MOST", 20)
    drawn = sample(tmp_path / "parts", run)
    rows = [row for place, row in enumerate(rows_of(40)) if place // 4 % 2 == 0]
    assert drawn.texts == tuple(row["text"] for row in rows)
    assert drawn.columns[0][2].tolist() == [len(row["text"].split()) for row in rows]
