"""Rows as CSV, JSONL and Parquet."""

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import asdict, replace

import pandas as pd
import pytest

from core.errors import InputError
from core.formats.exports.encoding import BLOCK, KINDS, ROW_GROUP, Sink, blocks, encoded
from core.formats.exports.rows import TABLES, AnyRow, ExportedRating
from tests.core.formats.exports.conftest import RATINGS, STORIES, WHEN

TABLE = TABLES["ratings"]


def written(kind: str, *rows: AnyRow) -> bytes:
    return b"".join(encoded(rows, TABLE, kind))


def cells(*rows: AnyRow) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written("csv", *rows).decode(), newline="")))


def test_csv_has_a_row_a_rating() -> None:
    text = written("csv", *RATINGS).decode()
    assert text.splitlines()[0] == ",".join(TABLE.kinds)
    result = cells(*RATINGS)
    assert [row["overall"] for row in result] == ["1.0", "2.0", "5.0", "1.0", "2.5", "3.0"]
    assert [row["valid"] for row in result] == ["True", "True", "True", "False", "True", ""]
    assert result[1]["story"] == "'" + STORIES[0].story
    assert json.loads(result[1]["evidence"]) == {"unrelated events": [[9, 10], [11, 15]]}
    assert result[0]["started_at"] == "2026-01-02T03:04:05.678901+00:00"
    assert result[5]["submitted_at"] == ""


def test_a_negative_number_is_no_formula() -> None:
    assert cells(replace(RATINGS[0], overall=-1.0))[0]["overall"] == "-1.0"


def test_jsonl_is_exact() -> None:
    lines = written("jsonl", *RATINGS).decode().removesuffix("\n").split("\n")
    result = [json.loads(line) for line in lines]
    assert list(result[0]) == list(TABLE.kinds)
    assert {**result[0], "started_at": WHEN} == {
        **asdict(RATINGS[0]),
        "asked_at": WHEN.isoformat(),
        "saved_at": WHEN.isoformat(),
        "submitted_at": result[0]["submitted_at"],
    }
    assert "😀" in lines[1]


def test_parquet_is_typed() -> None:
    frame = pd.read_parquet(io.BytesIO(written("parquet", *RATINGS)))
    assert frame["overall"].tolist() == [1.0, 2.0, 5.0, 1.0, 2.5, 3.0]
    assert frame["started_at"][0] == pd.Timestamp(WHEN)
    assert frame["story"][1] == STORIES[0].story
    assert json.loads(frame["deductions"][1]) == {"unrelated events": 2, "chaotic scenes": 2}
    assert frame["position"].isna().tolist() == [False] * 4 + [True, False]


def test_nothing_to_write() -> None:
    assert written("csv").decode() == ",".join(TABLE.kinds) + "\r\n"
    assert written("jsonl") == b""
    assert list(pd.read_parquet(io.BytesIO(written("parquet"))).columns) == list(TABLE.kinds)


def test_an_unknown_kind_names_those_there_are() -> None:
    with pytest.raises(InputError, match="no table format 'xlsx'; choose csv, jsonl or parquet"):
        written("xlsx", RATINGS[0])


def test_blocks_keep_every_row_in_order() -> None:
    assert list(blocks(range(7), 3)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(blocks([], 3)) == []


def test_a_sink_keeps_its_own_copy() -> None:
    sink, data = Sink(), bytearray(b"abc")
    sink.write(data)
    data[:] = b"xyz"
    assert (sink.taken(), sink.taken()) == (b"abc", b"")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_memory_does_not_grow_with_the_number_of_rows(kind: str) -> None:
    """Three times the rows, the same memory; Parquet keeps a few hundred bytes a group for its end."""

    def rows(number: int) -> Iterator[ExportedRating]:
        return (replace(RATINGS[0], panel=i, story=f"{i} " * 200) for i in range(number))

    def most(number: int) -> int:
        tracemalloc.start()
        for _ in encoded(rows(number), TABLE, kind):
            pass
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    most(100)  # imports
    few = 3 * (ROW_GROUP if kind == "parquet" else BLOCK)
    assert most(3 * few) < 1.2 * most(few)
