"""JSON lines, cut at line ends."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from core.errors import InputError
from core.formats.plain_json import plain
from core.streams.inputs import InputFile, opened
from core.streams.partition import MOST_BYTES, Aside, Layout, Partition, RawRows
from core.text_files import NOT_UTF8, parse_json

_AT_ONCE = 8 * 2**20
_ROWS_FOR_COLUMNS = 1000
_MARK = b"\xef\xbb\xbf"
_LINE_FEED = 10


def cut(file: InputFile, rows: int) -> Layout:
    """Partitions of so many lines. Raises InputError for a file without a row, or whose first one is none."""
    cuts = line_cuts(file, rows)
    return Layout(_columns(file), cuts)


def line_cuts(file: InputFile, rows: int) -> tuple[tuple[int, int], ...]:
    """Where a file's partitions of so many lines end, as `Layout.cuts` has it."""
    cuts: list[tuple[int, int]] = []
    lines = position = begun_at = begun_line = line_begun = 0
    ended = True
    with opened(file) as stream:
        while block := stream.read(_AT_ONCE):
            for end in (np.flatnonzero(np.frombuffer(block, np.uint8) == _LINE_FEED) + position + 1).tolist():
                lines += 1
                line_begun = end
                if lines - begun_line == rows or end - begun_at >= MOST_BYTES:
                    cuts.append((lines, end))
                    begun_line, begun_at = lines, end
            position += len(block)
            if position - line_begun > MOST_BYTES:
                raise InputError(f"{file.name} has a line of more than {MOST_BYTES // 2**20} MB: it is no such file.")
            ended = block.endswith(b"\n")
    if not ended:
        lines += 1
    if lines > begun_line:
        cuts.append((lines, position))
    return tuple(cuts)


def _columns(file: InputFile) -> tuple[str, ...]:
    """The fields of the first rows."""
    with opened(file) as stream:
        head = stream.read(_AT_ONCE)
    lines = head.removeprefix(_MARK).split(b"\n")[: _ROWS_FOR_COLUMNS + 1]
    whole = [line for line in (lines[:-1] if len(lines) > 1 else lines) if line.strip()]
    columns: dict[str, None] = {}
    for number, line in enumerate(whole, start=1):
        try:
            columns.update(dict.fromkeys(_row(line, file.name, number)))
        except InputError:
            if number == len(whole) and not columns:
                raise  # none of them is a row: it is no such file
    if not columns:
        raise InputError(f"The file {file.name} is empty.")
    return tuple(columns)


def decoded(line: bytes, name: str, number: int) -> str:
    """A line as text; raises InputError where it is none."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise InputError(f"{name}, line {number}: {NOT_UTF8}") from None


def _row(line: bytes, name: str, number: int) -> dict[str, Any]:
    value = parse_json(decoded(line, name, number), name, number)
    if not isinstance(value, dict):
        raise InputError(f"{name}, line {number}: expected an object with named fields.")
    return value


def lines_of(partition: Partition) -> Iterator[tuple[int, bytes]]:
    """The lines of a partition that are not empty, with their numbers in the file."""
    with opened(partition.file) as stream:
        stream.seek(partition.start)
        block = stream.read(partition.end - partition.start)
    if partition.start == 0:
        block = block.removeprefix(_MARK)
    for number, line in enumerate(block.removesuffix(b"\n").split(b"\n"), start=partition.first + 1):
        if line.strip():
            yield number, line


def read(partition: Partition) -> RawRows:
    """The rows of a partition."""
    numbers, rows, aside = [], [], []
    for number, line in lines_of(partition):
        try:
            rows.append(_row(line, partition.file.name, number))
            numbers.append(number)
        except InputError as error:
            aside.append(Aside(number, str(error)))
    return RawRows(tuple(numbers), tuple(rows), tuple(aside))


def line_of(row: Mapping[str, Any]) -> str:
    """A row as a line: what JSON has no word for (dates, sums) as text, what is no number as null."""
    values = plain(row)
    line = json.dumps(values, ensure_ascii=False, default=str)
    try:
        line.encode()
    except UnicodeEncodeError:  # half of a character, which an escape can hold
        line = json.dumps(values, default=str)
    return line + "\n"
