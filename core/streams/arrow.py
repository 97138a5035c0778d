"""Parquet, cut at rows; a partition that follows the last one read goes on where that ended."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.errors import InputError
from core.streams.inputs import InputFile, opened
from core.streams.partition import Layout, Partition, RawRows

_BYTES_A_BATCH = 16 * 2**20


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
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{file.name} is not a Parquet file that can be read: it is damaged, or was cut short."
            ) from error


def cut(file: InputFile, rows: int) -> Layout:
    """Partitions of so many rows, by what the file says of itself. Raises InputError for a damaged one."""
    with _read(file) as contents:
        names = tuple(map(str, contents.schema_arrow.names))
        number = int(contents.metadata.num_rows)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{file.name} has the column {twice[:60]!r} twice; rename one.")
    ends = [*range(rows, number, rows), number] if number else []
    return Layout(names, tuple((end, end) for end in ends))


class _Reading:
    """A file that is open, and the rows that come next: the second of two partitions side by side is not looked for
    from the beginning of its row group.
    """

    def __init__(self, file: InputFile, start: int) -> None:
        self.file = file
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
        mean = max(1, file.size // max(1, contents.metadata.num_rows))
        size = max(1, min(4096, _BYTES_A_BATCH // (4 * mean)))  # texts are about a quarter as long once compressed
        self._batches = contents.iter_batches(batch_size=size, row_groups=groups)
        self._left: list[Any] = []
        self._take(skip)

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

        try:
            table = pyarrow.Table.from_batches(self._take(number))
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError, StopIteration) as error:
            raise InputError(f"{self.file.name} cannot be read to its end: it is damaged.") from error
        self.next += number
        return table

    def close(self) -> None:
        """Let go of the file."""
        self._open.__exit__(None, None, None)


_here = threading.local()


def table_of(partition: Partition) -> Any:
    """The rows of a partition as a pyarrow Table."""
    reading: _Reading | None = getattr(_here, "reading", None)
    if reading is None or reading.file != partition.file or reading.next != partition.start:
        if reading is not None:
            reading.close()
        _here.reading = None
        reading = _Reading(partition.file, partition.start)
    _here.reading = None  # one that fails is not gone on with
    table = reading.rows(partition.rows)
    _here.reading = reading
    return table


def read(partition: Partition) -> RawRows:
    """The rows of a partition."""
    table = table_of(partition)
    columns = partition.layout.columns
    values = zip(*(table.column(number).to_pylist() for number in range(len(columns))), strict=True)
    rows = tuple(dict(zip(columns, row, strict=True)) for row in values)
    return RawRows(tuple(range(partition.first + 1, partition.first + partition.rows + 1)), rows)
