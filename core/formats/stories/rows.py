"""Tables row by row, as often as is asked, without ever holding one whole: what `core.formats.tables` reads at once."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

from core.errors import InputError
from core.formats import parquet
from core.formats.delimited import TAB, is_quoted, numbered, separator_in, separator_of
from core.formats.tables import PLAIN, STORY_A_LINE, SUFFIXES, read_table
from core.text_files import opened_text, parse_json

LOOKED_UP = 1_000
"""Rows between two looks at how far a file is read."""
Row = Sequence[Any]


class RowFile:
    """A table on the disk. `unit`: what a row is called in messages; `separator`: what stands between its cells, ""
    where it is none of separated values; `share`: how much of it the reading that is under way has read, 0..1.
    """

    def __init__(self, path: Path, columns: tuple[str, ...], unit: str = "row", separator: str = "") -> None:
        self.path = path
        self.columns = columns
        self.unit = unit
        self.separator = separator
        self.share = 0.0

    @property
    def name(self) -> str:
        """The file's own."""
        return self.path.name

    def where(self, number: int) -> str:
        """What the row of this number is called in messages: of CSV and TSV its line, as a spreadsheet counts them."""
        return f"{self.name}, {self.unit} {number}"

    def numbered(self, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
        """Every row's number, and its values in these columns, in order; None where a row of JSON lacks one. Raises
        InputError.
        """
        suffix = self.path.suffix.lower()
        if suffix == ".jsonl":
            names = list(columns)
            for number, entry in enumerate(_objects(self), start=1):
                yield number, [entry.get(name) for name in names]
        elif suffix == ".json":
            for number, entry in enumerate(read_table(self.path).rows, start=1):
                yield number, [entry.get(name) for name in columns]
        elif suffix == ".parquet":
            yield from enumerate(_parquet_rows(self, columns), start=1)
        elif suffix == PLAIN:
            for number, line in _lines(self):
                if line.strip():
                    yield number, [line] * len(columns)
        else:
            yield from _delimited_rows(self, columns)


@dataclass(frozen=True)
class NamedRows:
    """The rows of some of a table's columns by name: gone through anew each time."""

    file: RowFile
    columns: Sequence[str]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for _, row in self.file.numbered(self.columns):
            yield dict(zip(self.columns, row, strict=True))


def row_file(path: Path) -> RowFile:
    """The table of this path; raises InputError for a format that is not known, or columns that cannot be read."""
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        with opened_text(path, "") as stream:
            _, names = next(_records(path, stream), (0, []))
        if not names:
            raise InputError(f"{path.name}: the first line, which names the columns, is missing.")
        if len(set(names)) < len(names):
            raise InputError(f"{path.name}: a column's name stands twice in the first line.")
        return RowFile(path, tuple(names), "line", separator_in(path))
    if suffix == ".jsonl":
        found: dict[str, None] = {}
        for entry in _objects(RowFile(path, (), "line")):
            if not found.keys() >= entry.keys():
                found.update(dict.fromkeys(entry))
        return RowFile(path, tuple(found), "line")
    if suffix == ".json":
        return RowFile(path, read_table(path).columns, "item")
    if suffix == ".parquet":
        return RowFile(path, tuple(parquet.column_names(path)))
    if suffix == PLAIN:
        return RowFile(path, STORY_A_LINE, "line")
    raise InputError(f"{path.name}: files ending in {suffix or 'nothing'} are not known; use {', '.join(SUFFIXES)}.")


def _records(path: Path, stream: Any) -> Iterator[tuple[int, list[str]]]:
    """The lines of separated values that are not empty, with their numbers; the columns' names first."""
    csv.field_size_limit(2**31 - 1)  # too long a story is refused by name
    separator, quoting = _dialect(path)
    records = csv.reader(stream, delimiter=separator, quoting=quoting, strict=True)
    yield from numbered(records, path.name)


def _dialect(path: Path) -> tuple[str, Literal[0, 3]]:
    """The separator and csv's constant for how cells are quoted."""
    if path.suffix.lower() == ".tsv":
        with opened_text(path, "") as stream:
            return TAB, csv.QUOTE_MINIMAL if is_quoted(stream) else csv.QUOTE_NONE
    with opened_text(path, "\n") as stream:
        return separator_of(next((line for line in stream if line.strip()), "")), csv.QUOTE_MINIMAL


def _delimited_rows(file: RowFile, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
    size = max(1, file.path.stat().st_size)
    width = len(file.columns)
    places = [file.columns.index(column) for column in columns]
    pick = itemgetter(*places) if len(places) > 1 else lambda record: [record[place] for place in places]
    with opened_text(file.path, "") as stream:
        records = _records(file.path, stream)
        next(records)
        for number, record in records:
            if len(record) != width:
                raise InputError(
                    f"{file.where(number)}: {len(record)} fields, but the first line names {width}; "
                    "quote a field that holds the separator."
                )
            if number % LOOKED_UP == 0:
                file.share = stream.buffer.tell() / size
            yield number, pick(record)


def _lines(file: RowFile) -> Iterator[tuple[int, str]]:
    """The lines and their numbers; only a line feed ends one, since stories may hold other separators."""
    size = max(1, file.path.stat().st_size) if file.path.is_file() else 1
    with opened_text(file.path, "\n") as stream:
        for number, line in enumerate(stream, start=1):
            if number % LOOKED_UP == 0:
                file.share = stream.buffer.tell() / size
            yield number, line.removesuffix("\n").removesuffix("\r")


def _objects(file: RowFile) -> Iterator[dict[str, Any]]:
    for number, line in _lines(file):
        entry = parse_json(line, file.name, number)
        if not isinstance(entry, dict):
            raise InputError(f"{file.where(number)}: expected an object with named fields.")
        yield entry


def _parquet_rows(file: RowFile, columns: Sequence[str]) -> Iterator[Row]:
    total = max(1, parquet.row_count(file.path))
    for number, row in enumerate(parquet.rows(file.path, columns), start=1):
        if number % LOOKED_UP == 0:
            file.share = number / total
        yield row
