"""Parts of files that are read, scored and stored as one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.streams.inputs import InputFile

MOST_BYTES = 64 * 2**20
"""Of a partition, unless a single row has more: long stories must not take the memory that short ones do not."""


@dataclass(frozen=True)
class Layout:
    """How a file is to be read: its columns (of JSON lines those of the first rows), and where its partitions end.

    `cuts`: after each partition the rows so far, and where in the file the next one begins, in bytes (in rows, where
    the format counts these). `start`: where the first one begins. `separator`, `quoted`: of separated values.
    """

    columns: tuple[str, ...]
    cuts: tuple[tuple[int, int], ...]
    start: int = 0
    separator: str = ""
    quoted: bool = True

    @property
    def rows(self) -> int:
        """How many there are; lines, of JSON lines."""
        return self.cuts[-1][0] if self.cuts else 0


@dataclass(frozen=True)
class Partition:
    """Rows `first` to `first + rows` (numbered from 0) of a file, which lie between `start` and `end`; `number` counts
    the partitions of a run.
    """

    number: int
    file: InputFile
    layout: Layout
    first: int
    rows: int
    start: int
    end: int


@dataclass(frozen=True)
class Aside:
    """A row that could not be read: its number in the file, from 1, and why."""

    row: int
    reason: str


@dataclass(frozen=True)
class RawRows:
    """The rows of a partition as their file has them, their numbers in it (from 1), and those that are none."""

    numbers: tuple[int, ...]
    rows: tuple[Mapping[str, Any], ...]
    aside: tuple[Aside, ...] = ()


def partitions_of(file: InputFile, layout: Layout, number: int) -> list[Partition]:
    """A file's partitions, numbered from `number` on."""
    result: list[Partition] = []
    first, start = 0, layout.start
    bare = Layout(layout.columns, (), layout.start, layout.separator, layout.quoted)  # what a worker needs of it
    for after, end in layout.cuts:
        result.append(Partition(number + len(result), file, bare, first, after - first, start, end))
        first, start = after, end
    return result
