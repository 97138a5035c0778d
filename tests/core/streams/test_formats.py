"""Every format, cut into partitions of any size, holds the rows that are read as a whole."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet

from core.errors import InputError
from core.formats.tables import read_table, texts_of
from core.streams.inputs import find
from core.streams.partition import partitions_of
from core.streams.stories import cut, raw_rows, reader_of
from core.text_files import NOT_UTF8
from tests.core.streams.stories import rows_of, write_jsonl

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
CELLS = st.text(st.sampled_from('ab ,;"\n\r\té'), max_size=12)


def streamed(path: Path, rows: int) -> tuple[list[dict[str, Any]], list[int]]:
    """All rows of a file, and their numbers, partition by partition."""
    (file,) = find([str(path)])
    layout = cut(file, rows)
    result, numbers = [], []
    for partition in partitions_of(file, layout, 0):
        raw = raw_rows(partition)
        assert len(raw.rows) + len(raw.aside) <= rows
        result += [dict(row) for row in raw.rows]
        numbers += raw.numbers
    return result, numbers


@given(st.lists(st.fixed_dictionaries({"text": TEXTS, "n": st.integers(0, 9)}), min_size=1), st.integers(1, 5))
def test_json_lines(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], size: int) -> None:
    path = write_jsonl(tmp_path_factory.mktemp("lines") / "s.jsonl", rows)
    assert streamed(path, size) == (rows, list(range(1, len(rows) + 1)))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().removesuffix(b"\n"))
    assert streamed(path, size)[0] == rows


@given(st.lists(TEXTS, min_size=1), st.integers(1, 5), st.sampled_from(["\n", "\r\n"]))
def test_a_story_a_line(tmp_path_factory: pytest.TempPathFactory, lines: list[str], size: int, end: str) -> None:
    path = tmp_path_factory.mktemp("plain") / "s.txt"
    path.write_bytes(b"\xef\xbb\xbf" + end.join(lines).encode())
    table = read_table(path)
    assert streamed(path, size) == (list(table.rows), list(table.lines))


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1), st.integers(1, 5), st.sampled_from([".csv", ".tsv"]))
@example([("", "\r")], 1, ".tsv")
def test_separated_values(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], size: int, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("values") / f"s{suffix}"
    separator = "," if suffix == ".csv" else "\t"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=separator, quoting=csv.QUOTE_ALL).writerows([("text", "system"), *rows])
    expected = [dict(zip(("text", "system"), row, strict=True)) for row in rows]
    if suffix == ".csv" or any('"' in cell or "\t" in cell or "\n" in cell for row in rows for cell in row):
        assert streamed(path, size)[0] == expected
    assert streamed(path, size)[0] == list(read_table(path).rows)


@pytest.mark.parametrize("group", [3, 7, 100])
@pytest.mark.parametrize("size", [1, 4, 50])
def test_parquet(tmp_path: Path, group: int, size: int) -> None:
    rows = rows_of(23)
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "s.parquet", row_group_size=group)
    assert streamed(tmp_path / "s.parquet", size) == (rows, list(range(1, 24)))
    (file,) = find([str(tmp_path / "s.parquet")])
    parts = partitions_of(file, cut(file, size), 0)
    for partition in reversed(parts):  # in any order
        assert list(raw_rows(partition).rows) == rows[partition.first : partition.first + partition.rows]


def test_a_json_list(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps(rows_of(7)))
    assert streamed(path, 3)[0] == rows_of(7)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("s.csv", "", "names the columns, is missing"),
        ("s.csv", "text,text\n", "stands twice"),
        ("s.jsonl", "", "is empty"),
        ("s.jsonl", "nothing\nof\nit\n", "this is not JSON"),
        ("s.jsonl", "[1]\n", "expected an object"),
        ("s.json", "{}", "expected a list"),
        ("s.json", "[1]", "item 1: expected an object"),
        ("s.parquet", "PAR1 cut short", "damaged, or was cut short"),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, content: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    (file,) = find([str(path)])
    with pytest.raises(InputError, match=said):
        cut(file, 4)


def test_damage_in_the_middle_of_parquet(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows_of(500)), path, row_group_size=100, compression="none")
    content = bytearray(path.read_bytes())
    content[len(content) // 3 : len(content) // 2] = bytes(len(content) // 2 - len(content) // 3)
    path.write_bytes(content)
    (file,) = find([str(path)])
    with pytest.raises(InputError, match="damaged") as raised:
        list(map(raw_rows, partitions_of(file, cut(file, 50), 0)))
    assert raised.traceback  # which holds all that was at work, until the interpreter's end
    assert path not in [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]


def test_rows_that_are_no_stories_are_set_aside(tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": "a", "text": "It rained."}),
        "{not json",
        "",
        json.dumps({"id": "b", "text": 3.5}),
        json.dumps(["a list"]),
        json.dumps({"id": "c", "text": {"no": "text"}}),
        json.dumps({"id": "d" * 300, "text": "x"}),
        json.dumps({"id": "e", "text": "x" * 100_001}),
        json.dumps({"id": "f", "text": "half \ud800"}),
        json.dumps({"id": "g", "text": "It stopped."}),
    ]
    path = tmp_path / "s.jsonl"
    path.write_bytes("\n".join(lines).encode() + b'\n{"text": "\xff"}\n')
    (file,) = find([str(path)])
    layout = cut(file, 100)
    (partition,) = partitions_of(file, layout, 0)
    read = reader_of([(file, layout)], {}).read(partition)
    assert (read.ids, read.numbers) == (("a", "b", "g"), (1, 4, 10))
    assert [row.row for row in read.aside] == [2, 5, 6, 7, 8, 9, 11]
    assert "s.jsonl, line 2: this is not JSON" in read.aside[0].reason
    assert NOT_UTF8 in read.aside[-1].reason


def test_rows_of_csv_that_are_no_stories(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(b'text,id\none,1\n"two"x,2\nthree\nfour,4\n\xff,5\n\nsix,6\n')
    (file,) = find([str(path)])
    layout = cut(file, 2)
    reader = reader_of([(file, layout)], {})
    read = [reader.read(partition) for partition in partitions_of(file, layout, 0)]
    assert [key for part in read for key in part.ids] == ["1", "4", "6"]
    assert [row.row for part in read for row in part.aside] == [2, 3, 5]


def test_stories_are_those_that_are_read_as_a_whole(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "s.jsonl", rows_of(20))
    (file,) = find([str(path)])
    layout = cut(file, 6)
    reader = reader_of([(file, layout)], {})
    stories = [story for partition in partitions_of(file, layout, 0) for story in reader.read(partition).stories]
    assert stories == texts_of(read_table(path))


def test_another_file_with_other_columns(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", rows_of(3))
    write_jsonl(tmp_path / "b.jsonl", [{"id": "x", "text": "It rained."}])
    files = [(file, cut(file, 4)) for file in find([str(tmp_path)])]
    with pytest.raises(InputError, match=r"b\.jsonl has no column 'prompt'"):
        reader_of(files, {})


def test_a_quotation_mark_that_nobody_closes_takes_one_row(tmp_path: Path) -> None:
    rows = [f"It rained {number}.,{number}" for number in range(1000)]
    rows[5] = '"It rained,5'
    rows[500] = '"two" lines,x'
    (tmp_path / "s.csv").write_text("\n".join(["text,id", *rows]) + "\n")
    (file,) = find([str(tmp_path / "s.csv")])
    layout = cut(file, 64)
    assert layout.rows == 1000
    reader = reader_of([(file, layout)], {})
    read = [reader.read(partition) for partition in partitions_of(file, layout, 0)]
    assert [row.row for part in read for row in part.aside] == [6, 501]
    assert [key for part in read for key in part.ids] == [str(n) for n in range(1000) if n not in (5, 500)]


def test_a_quotation_mark_that_a_later_row_closes(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text('text,id\n"one,1\ntwo,2\n"three",3\nfour,4\n')
    (file,) = find([str(tmp_path / "s.csv")])
    layout = cut(file, 10)
    (partition,) = partitions_of(file, layout, 0)
    read = reader_of([(file, layout)], {}).read(partition)
    assert (read.ids, [row.row for row in read.aside]) == (("2", "3", "4"), [1])


def test_a_line_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("separated", "json_lines"):
        monkeypatch.setattr(f"core.streams.{module}.MOST_BYTES", 1000)
    (tmp_path / "s.csv").write_text("text\n" + "x" * 2000 + "\n")
    (tmp_path / "s.jsonl").write_text(json.dumps({"text": "x" * 2000}) + "\n")
    for file in find([str(tmp_path)]):
        if file.suffix == ".csv":
            with pytest.raises(InputError, match="has a line of more than"):
                cut(file, 10)


def test_long_stories_of_parquet_make_short_partitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.streams.arrow.MOST_BYTES", 100_000)
    rows = [{"text": f"{number} " * 5000} for number in range(40)]
    parquet.write_table(
        pyarrow.Table.from_pylist(rows), tmp_path / "s.parquet", compression="none", use_dictionary=False
    )
    (file,) = find([str(tmp_path / "s.parquet")])
    layout = cut(file, 4096)
    assert max(partition.rows for partition in partitions_of(file, layout, 0)) <= 10
    assert streamed(tmp_path / "s.parquet", 4096)[0] == rows


def test_a_text_of_parquet_that_is_no_utf_8_is_set_aside(tmp_path: Path) -> None:
    texts = pyarrow.array([b"It rained.", b"\xff\xfe", b"It stopped."], pyarrow.binary()).view(pyarrow.string())
    far = pyarrow.array([0, 2**62, 0], pyarrow.timestamp("us"))  # nobody needs it, and Python cannot hold it
    parquet.write_table(pyarrow.table({"text": texts, "moment": far}), tmp_path / "s.parquet")
    (file,) = find([str(tmp_path / "s.parquet")])
    layout = cut(file, 10)
    (partition,) = partitions_of(file, layout, 0)
    read = reader_of([(file, layout)], {}).read(partition)
    assert [story.text for story in read.stories] == ["It rained.", "It stopped."]
    assert [row.row for row in read.aside] == [2]


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "s.jsonl", rows_of(4))
    (file,) = find([str(path)])
    (partition,) = partitions_of(file, cut(file, 10), 0)
    write_jsonl(path, rows_of(5))
    with pytest.raises(InputError, match="has changed since"):
        raw_rows(partition)


def test_files_of_one_name_need_ids(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_jsonl(tmp_path / folder / "p.jsonl", [{"text": "It rained.", "key": folder}])
    files = [(file, cut(file, 4)) for file in find([str(tmp_path)])]
    with pytest.raises(InputError, match="Several files are called p"):
        reader_of(files, {})
    reader_of(files, {"id": "key"})
