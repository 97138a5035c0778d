"""Tables in a temporary file: what is known of millions of rows, sorted and compared in bounded memory."""

import errno
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from core.errors import StorageError
from core.files import no_scratch

PENDING = 1_000
"""Rows that are stored together."""
CACHE = 32 * 1_024
"""KiB of the tables that stay in memory, and as many again where something is sorted."""


class TemporaryTables:
    """A database of SQLite's that nobody else sees and that goes when it is closed. Raises StorageError where the disk
    of temporary files has no room.
    """

    def __init__(self, *definitions: str) -> None:
        """`definitions`: the tables, as `CREATE TABLE` takes them."""
        # Used by one thread after the other: a page's survey goes on in the thread that imports.
        self._database = sqlite3.connect("", check_same_thread=False)
        self._pending: dict[str, list[Sequence[Any]]] = {}
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{CACHE}", "temp_store = FILE"):
            self._database.execute(f"PRAGMA {pragma}")
        for definition in definitions:
            self._database.execute(f"CREATE TABLE {definition}")

    def __enter__(self) -> "TemporaryTables":
        """Kept until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Forget all."""
        self._database.close()

    def add(self, table: str, row: Sequence[Any]) -> None:
        """Put a row in: integers of 64 bits, texts or bytes, in the order of the table's columns."""
        pending = self._pending.setdefault(table, [])
        pending.append(row)
        if len(pending) == PENDING:
            self._store(table)

    def _store(self, table: str) -> None:
        pending = self._pending.pop(table)
        marks = ", ".join("?" * len(pending[0]))
        try:
            self._database.executemany(f"INSERT INTO {table} VALUES ({marks})", pending)
        except sqlite3.OperationalError as error:
            raise _full(error) from error

    def rows(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """What a statement finds, one after the other."""
        for table in list(self._pending):
            self._store(table)
        try:
            yield from self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise _full(error) from error

    def run(self, statement: str) -> None:
        """Change the tables."""
        for _ in self.rows(statement):
            pass

    def number(self, statement: str) -> int:
        """The one integer that a statement finds; 0 where it is NULL."""
        return int(next(self.rows(statement))[0] or 0)


def _full(error: sqlite3.OperationalError) -> StorageError:
    """SQLite's word for a disk that takes no more; raises what is no such word."""
    name = error.sqlite_errorname
    if name == "SQLITE_FULL":
        return no_scratch(OSError(errno.ENOSPC, "No space left on device"))
    if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")):
        return no_scratch(OSError(errno.EIO, str(error)))
    raise error
