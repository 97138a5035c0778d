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
from core.text_files import NOT_UTF8

_LINES_FOR_QUOTES = 20_000
_BUFFER = 2**20
_LONGEST_CELL = 500_000
"""Characters: a story has far fewer, and a quotation mark that nobody closes must not take in the rest of the file."""


class _Lines:
    """Lines of a file as text, and where the next one begins. What is no UTF-8 is kept as lone surrogates."""

    def __init__(self, stream: Any, name: str, *, mark: bool) -> None:
        self._stream = stream
        self._name = name
        self._mark = mark
        self._again: list[bytes] = []
        self._record: list[bytes] = []
        self.position = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line: bytes = self._again.pop() if self._again else self._stream.readline(MOST_BYTES)
        if not line:
            raise StopIteration
        if len(line) == MOST_BYTES:
            raise InputError(f"{self._name} has a line of more than {MOST_BYTES // 2**20} MB: it is no table.")
        self.position += len(line)
        self._record.append(line)
        text = line.decode("utf-8-sig" if self._mark else "utf-8", "surrogateescape")
        self._mark = False
        return text

    def begin(self) -> None:
        """Of a new record."""
        self._record.clear()

    def all_but_first(self) -> None:
        """Read the lines of this record again, but for the first: it was broken, and they may be rows."""
        taken = self._record[1:]
        self.position -= sum(map(len, taken))
        self._again += taken[::-1]


def _records(lines: _Lines, separator: str, *, quoted: bool, width: int | None) -> Iterator[list[str] | str]:
    """Row after row: its cells, [] of an empty line, or what is wrong with it. `width`: how many cells it should have,
    None while that is not known.
    """
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(lines, delimiter=separator, quoting=quoting, strict=True)
    while True:
        lines.begin()
        try:
            row: list[str] | str = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            row = f"this is not a row of a table ({error})."
        if isinstance(row, list) and width is not None and row and len(row) != width:
            row = f"{len(row)} fields, but the first line names {width}; quote a field that holds the separator."
        elif isinstance(row, list) and not _is_text(row):
            row = NOT_UTF8
        if isinstance(row, str):
            lines.all_but_first()
        yield row


def _is_text(row: list[str]) -> bool:
    try:
        "".join(row).encode()
    except UnicodeEncodeError:
        return False
    return True


def cut(file: InputFile, rows: int) -> Layout:
    """Partitions of so many rows. Raises InputError where the first line names no columns, or one twice."""
    with opened(file) as stream:
        head = next((line for line in _lines(stream, file, mark=True) if line.strip()), "")
    separator = TAB if file.suffix == ".tsv" else separator_of(head)
    quoted = separator != TAB or _tabs_are_quoted(file)
    with opened(file) as stream:
        lines = _lines(stream, file, mark=True)
        columns = _columns(file, _records(lines, separator, quoted=quoted, width=None))
        start = begun_at = lines.position
        cuts: list[tuple[int, int]] = []
        number = begun = 0
        for row in _records(lines, separator, quoted=quoted, width=len(columns)):
            if row == []:
                continue
            number += 1
            if number - begun == rows or lines.position - begun_at >= MOST_BYTES:
                cuts.append((number, lines.position))
                begun, begun_at = number, lines.position
        if number > begun:
            cuts.append((number, lines.position))
    return Layout(columns, tuple(cuts), start, separator, quoted)


def _lines(stream: Any, file: InputFile, *, mark: bool) -> _Lines:
    return _Lines(io.BufferedReader(stream, _BUFFER), file.name, mark=mark)


def _tabs_are_quoted(file: InputFile) -> bool:
    with opened(file) as stream:
        return is_quoted(islice(_lines(stream, file, mark=True), _LINES_FOR_QUOTES))


def _columns(file: InputFile, records: Iterator[list[str] | str]) -> tuple[str, ...]:
    columns = next((row for row in records if row), [])
    if isinstance(columns, str):
        raise InputError(f"{file.name}, the first line: {columns}")
    if not columns:
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
    lines = _Lines(io.BytesIO(block), partition.file.name, mark=False)
    numbers, rows, aside = [], [], []
    number = partition.first
    for row in _records(lines, layout.separator, quoted=layout.quoted, width=len(columns)):
        if row == []:
            continue
        number += 1
        if isinstance(row, str):
            aside.append(Aside(number, f"{partition.file.name}, row {number}: {row}"))
        else:
            numbers.append(number)
            rows.append(dict(zip(columns, row, strict=True)))
    return RawRows(tuple(numbers), tuple(rows), tuple(aside))
