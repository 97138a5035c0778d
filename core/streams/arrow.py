"""Parquet, cut at rows; a partition that follows the last one read goes on where that ended."""

import atexit
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from core.errors import InputError
from core.streams.inputs import InputFile, is_the_network, opened, reaching
from core.streams.partition import MOST_BYTES, Aside, Layout, Partition, RawRows

_ROWS_A_BATCH = 512


@contextmanager
def _read(file: InputFile) -> Iterator[Any]:
    """The file's contents; raises InputError where it is damaged, also within the block."""
    import pyarrow
    from pyarrow import parquet

    with opened(file) as stream:
        try:
            with parquet.ParquetFile(stream) as contents:
                yield contents
        # A damaged file raises whatever its damage leads to: text that is none, numbers of no row, unknown types.
        except (pyarrow.ArrowException, UnicodeDecodeError, NotImplementedError, OverflowError, ValueError) as error:
            raise InputError(
                f"{file.name} is not a Parquet file that can be read: it is damaged, or was cut short."
            ) from error


def schema_of(file: InputFile) -> Any:
    """The columns and what they hold (a pyarrow Schema without metadata)."""
    with _read(file) as contents:
        return contents.schema_arrow.remove_metadata()


def cut(file: InputFile, rows: int) -> Layout:
    """Partitions of so many rows, fewer where they are long, by what the file says of itself. Raises InputError for a
    damaged one.
    """
    with _read(file) as contents:
        names = tuple(map(str, contents.schema_arrow.names))
        groups = [contents.metadata.row_group(number) for number in range(contents.num_row_groups)]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{file.name} has the column {twice[:60]!r} twice; rename one.")
    number = sum(group.num_rows for group in groups)
    longest = max((group.total_byte_size / group.num_rows for group in groups if group.num_rows), default=1.0)
    at_once = max(1, min(rows, int(MOST_BYTES / max(longest, 1.0))))
    ends = [*range(at_once, number, at_once), number] if number else []
    return Layout(names, tuple((end, end) for end in ends))


class _Reading:
    """Some columns of a file that is open, and the rows that come next: the second of two partitions side by side is
    not looked for from the beginning of its row group.
    """

    def __init__(self, file: InputFile, columns: Sequence[str], start: int) -> None:
        self.file = file
        self.columns = columns
        self.next = start
        self._open = _read(file)
        contents = self._open.__enter__()
        groups: list[int] = []
        skip = before = 0
        for group in range(contents.num_row_groups):
            number = contents.metadata.row_group(group).num_rows
            if before + number > start:
                if not groups:
                    skip = start - before
                groups.append(group)
            before += number
        self._batches = contents.iter_batches(batch_size=_ROWS_A_BATCH, row_groups=groups, columns=list(columns))
        self._left: list[Any] = []
        self._skip = skip

    def _take(self, number: int) -> list[Any]:
        taken = []
        while number:
            batch = self._left.pop() if self._left else next(self._batches)
            part = batch.slice(0, number)
            if len(part) < len(batch):
                self._left.append(batch.slice(len(part)))
            taken.append(part)
            number -= len(part)
        return taken

    def rows(self, number: int) -> Any:
        """The next so many rows, as a table."""
        import pyarrow

        with _told(self.file):
            self._take(self._skip)
            self._skip = 0
            table = pyarrow.Table.from_batches(self._take(number))
        self.next += number
        return table

    def close(self) -> None:
        """Let go of the file."""
        self._open.__exit__(None, None, None)


@contextmanager
def _told(file: InputFile) -> Iterator[None]:
    """Whatever goes wrong while rows are read as one sentence."""
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError, StopIteration) as error:
        if isinstance(error, OSError) and is_the_network(error):
            with reaching(file.address):
                raise
        raise InputError(f"{file.name} cannot be read to its end: it is damaged.") from error


_here = threading.local()


@atexit.register
def _let_go() -> None:
    """Close the file that this thread read from last; at the interpreter's end before what closing it takes is gone."""
    reading: _Reading | None = getattr(_here, "reading", None)
    _here.reading = None
    if reading is not None:
        reading.close()


def table_of(partition: Partition, columns: Sequence[str] | None = None) -> Any:
    """The rows of a partition as a pyarrow Table; only these columns, unless None."""
    wanted = partition.layout.columns if columns is None else tuple(dict.fromkeys(columns))
    reading: _Reading | None = getattr(_here, "reading", None)
    place = partition.file, wanted, partition.start
    if reading is None or (reading.file, reading.columns, reading.next) != place:
        _let_go()
        reading = _Reading(*place)
    _here.reading = None  # one that fails is not gone on with
    try:
        table = reading.rows(partition.rows)
    except InputError:
        reading.close()
        raise
    _here.reading = reading
    return table


def read(partition: Partition, columns: Sequence[str] | None = None) -> RawRows:
    """The rows of a partition; only these columns, unless None."""
    table = table_of(partition, columns)
    names = table.column_names
    first = partition.first + 1
    try:
        values = [table.column(name).to_pylist() for name in names]
    except (UnicodeDecodeError, OverflowError, ValueError):  # a cell that is none: row by row, to see whose it is
        return _one_by_one(partition, table)
    rows = tuple(dict(zip(names, row, strict=True)) for row in zip(*values, strict=True))
    return RawRows(tuple(range(first, first + partition.rows)), rows)


def _one_by_one(partition: Partition, table: Any) -> RawRows:
    numbers, rows, aside = [], [], []
    for number, place in enumerate(range(table.num_rows), start=partition.first + 1):
        try:
            rows.append({name: table.column(name)[place].as_py() for name in table.column_names})
            numbers.append(number)
        except (UnicodeDecodeError, OverflowError, ValueError) as error:
            aside.append(Aside(number, f"{partition.file.name}, row {number}: a value cannot be read ({error})."))
    return RawRows(tuple(numbers), tuple(rows), tuple(aside))
