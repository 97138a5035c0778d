"""Rows straight from the driver: with an object of SQLAlchemy's for each, a hundred thousand take several times as
long.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Select, true

from core.arrays import Floats, Ints, ascending, blocks

BLOCK = 10_000


class Places:
    """Where each row stands, by its id in the database. `part`: these are only some of those that belong together."""

    def __init__(self, ids: Sequence[int] | NDArray[np.int64], *, part: bool = False) -> None:
        self.part = part
        self.ids = np.asarray(ids, dtype=np.int64)
        pairs = blocks(len(self.ids) - 1)
        in_order = all((self.ids[1:][block] > self.ids[:-1][block]).all() for block in pairs)  # as an import gives them
        self._order = None if in_order else ascending(self.ids)
        self.number, self.last = len(ids), int(self.ids.max(initial=0))

    def near(self, column: ColumnElement[int]) -> ColumnElement[bool]:
        """Of a query: the rows whose ids in this column may be among these; all, unless these are a part."""
        return column.between(int(self.ids.min(initial=self.last)), self.last) if self.part else true()

    def of(self, wanted: NDArray[np.int64]) -> Ints:
        """The place of each of these ids, -1 for a row that is not there."""
        if not self.number:
            return np.full(len(wanted), -1)
        result = np.minimum(np.searchsorted(self.ids, wanted, sorter=self._order), self.number - 1)
        if self._order is not None:
            result = self._order[result]
        return np.where(self.ids[result] == wanted, result, -1)


def rows_of(connection: Connection, query: Select[Any]) -> list[tuple[Any, ...]]:
    """The rows as the driver gives them: without what SQLAlchemy's types make of times and JSON."""
    record = connection.execute(query)
    rows: Any = record.cursor
    result = list(rows)
    record.close()
    return result


def blocks_of(connection: Connection, query: Select[Any]) -> Iterator[list[tuple[Any, ...]]]:
    """The same, some thousand at a time: a million rows of names take 500 MB, and what is made of them a fifth."""
    record = connection.execute(query)
    rows: Any = record.cursor
    while block := rows.fetchmany(BLOCK):
        yield block
    record.close()


def number_blocks(connection: Connection, query: Select[Any]) -> Iterator[list[Floats]]:
    """`numbers_of`, some thousand rows at a time."""
    for block in blocks_of(connection, query):
        width = len(block[0])
        flat = np.fromiter(chain.from_iterable(block), dtype=np.float64, count=width * len(block))
        yield [flat[column::width] for column in range(width)]


def numbers_of(connection: Connection, query: Select[Any]) -> list[Floats]:
    """The columns of rows that are numbers alone."""
    record = connection.execute(query)
    rows: Any = record.cursor
    flat = np.fromiter(chain.from_iterable(rows), dtype=np.float64)  # an id fits in a double
    number = len(record.keys())
    record.close()
    return [flat[column::number] for column in range(number)]
