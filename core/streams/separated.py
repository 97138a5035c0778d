"""CSV and TSV, cut between rows: a quoted cell may hold line ends."""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal

from core.errors import InputError
from core.formats.delimited import TAB, is_quoted, separator_of
from core.streams.inputs import InputFile, opened
from core.streams.partition import MOST_BYTES, Aside, Layout, Partition, RawRows

_LINES_FOR_QUOTES = 20_000
_BUFFER = 2**20
_LONGEST_FIELD = 2**31 - 1


class _Lines:
    """Lines of a file as text, and where the next one begins. What is no UTF-8 is kept as lone surrogates, which no
    story may hold, so that the row is set aside by name.
    """

    def __init__(self, stream: Any, position: int, mark: bool) -> None:
        self._stream = stream
        self._mark = mark
        self.position = position

    def __iter__(self) -> Iterator[str]:
        for line in self._stream:
            self.position += len(line)
            text = line.decode("utf-8-sig" if self._mark else "utf-8", "surrogateescape")
            self._mark = False
            yield text


def cut(file: InputFile, rows: int) -> Layout:
    """Partitions of so many rows. Raises InputError where the first line names no columns, or one twice."""
    with opened(file) as stream:
        head = next((line for line in _Lines(io.BufferedReader(stream, _BUFFER), 0, mark=True) if line.strip()), "")
    separator = TAB if file.suffix == ".tsv" else separator_of(head)
    quoted = separator != TAB or _tabs_are_quoted(file)
    with opened(file) as stream:
        lines = _Lines(io.BufferedReader(stream, _BUFFER), 0, mark=True)
        reader = _reader(lines, separator, quoted=quoted)
        columns = _columns(file, reader)
        start = begun_at = lines.position
        cuts: list[tuple[int, int]] = []
        number = begun = 0
        for row in _rows(reader):
            if row == []:
                continue
            number += 1
            if number - begun == rows or lines.position - begun_at >= MOST_BYTES:
                cuts.append((number, lines.position))
                begun, begun_at = number, lines.position
        if number > begun:
            cuts.append((number, lines.position))
    return Layout(columns, tuple(cuts), start, separator, quoted)


def _tabs_are_quoted(file: InputFile) -> bool:
    with opened(file) as stream:
        return is_quoted(islice(_Lines(io.BufferedReader(stream, _BUFFER), 0, mark=True), _LINES_FOR_QUOTES))


def _reader(lines: _Lines, separator: str, *, quoted: bool) -> Iterator[list[str]]:
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    csv.field_size_limit(_LONGEST_FIELD)  # too long a story is set aside by name
    return csv.reader(iter(lines), delimiter=separator, quoting=quoting, strict=True)


def _rows(reader: Iterator[list[str]]) -> Iterator[list[str] | csv.Error]:
    """The rows, and in the place of one that cannot be read what is wrong with it; [] of an empty line."""
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield error


def _columns(file: InputFile, reader: Iterator[list[str]]) -> tuple[str, ...]:
    columns = next((row for row in _rows(reader) if row), [])
    if isinstance(columns, csv.Error) or not columns:
        raise InputError(f"{file.name}: the first line, which names the columns, is missing.")
    if len(set(columns)) < len(columns):
        raise InputError(f"{file.name}: a column's name stands twice in the first line.")
    return tuple(columns)


def read(partition: Partition) -> RawRows:
    """The rows of a partition."""
    columns, layout = partition.layout.columns, partition.layout
    with opened(partition.file) as stream:
        stream.seek(partition.start)
        block = stream.read(partition.end - partition.start)
    reader = _reader(_Lines(io.BytesIO(block), 0, mark=False), layout.separator, quoted=layout.quoted)
    numbers, rows, aside = [], [], []
    number = partition.first
    for row in _rows(reader):
        if row == []:
            continue
        number += 1
        where = f"{partition.file.name}, row {number}"
        if isinstance(row, csv.Error):
            aside.append(Aside(number, f"{where}: this is not a row of a table ({row})."))
        elif len(row) != len(columns):
            fields = f"{len(row)} fields, but the first line names {len(columns)}"
            aside.append(Aside(number, f"{where}: {fields}; quote a field that holds the separator."))
        else:
            numbers.append(number)
            rows.append(dict(zip(columns, row, strict=True)))
    return RawRows(tuple(numbers), tuple(rows), tuple(aside))
