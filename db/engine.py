"""The database: one engine a process, transactions, and the sentence a user reads when it cannot be used."""

import math
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import psycopg
from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DisconnectionError,
    InterfaceError,
    OperationalError,
    TimeoutError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import StorageError
from core.home import home, private_home

BUSY_SECONDS = 30
"""How long a writer waits for another before it gives up."""
BUSY = "Many people are saving at this moment; try again."
FULL = "The server has no room left; tell whoever runs it. What was saved before is kept."
LARGEST_LOG = 64 * 2**20
"""Bytes that SQLite's write-ahead log keeps on the disk once what stands in it is in the database: an import of a
million ratings, one transaction, made it 1.6 GB, which a server kept until it ended.
"""
POLL_SECONDS = 0.002
"""How often one process looks whether another has written what it had to, on SQLite."""
KEPT_CONNECTIONS, MOST_CONNECTIONS = 10, 30
"""Of one process with PostgreSQL, which lets a hundred in: two processes and their worker leave some for others. Some
who wait for a study hold one each, and answers are saved meanwhile.
"""
TRUSTED_SECONDS = 1.0
"""How long an idle connection to PostgreSQL is used again without a look whether it still is one."""
_IDLE_SINCE = "idle_since"
_WRITER = threading.Lock()
MOST_KEPT = 4
"""Engines of one process: a server has one, tests one a database."""
_kept: dict[str, Engine] = {}
_keeping = threading.Lock()


def database_url() -> str:
    """`DATABASE_URL`, or a SQLite file in Fabula's home folder."""
    url = os.environ.get("DATABASE_URL")
    if not url:
        return f"sqlite:///{home() / 'fabula.db'}"
    return url.replace("postgresql://", "postgresql+psycopg://", 1)


def address() -> str:
    """The database's address without its password, for messages."""
    return make_url(database_url()).render_as_string(hide_password=True)


def engine() -> Engine:
    """The engine of the configured database; raises StorageError where it cannot be made."""
    url = database_url()
    with _keeping:
        if url not in _kept:
            _kept[url] = _engine(url)
            if len(_kept) > MOST_KEPT:
                _kept.pop(next(iter(_kept))).dispose()  # else its connections would stay open
        return _kept[url]


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StorageError("DATABASE_URL is not a database address; use postgresql://… or sqlite:///FILE.") from None
    if not parsed.drivername.startswith(("sqlite", "postgresql")):
        raise StorageError(f"DATABASE_URL names {parsed.drivername}; Fabula works with PostgreSQL and SQLite.")
    if parsed.drivername.startswith("postgresql"):
        waiting = f"-c lock_timeout={BUSY_SECONDS * 1000}"
        new_engine = create_engine(
            parsed,
            pool_size=KEPT_CONNECTIONS,
            max_overflow=MOST_CONNECTIONS - KEPT_CONNECTIONS,
            connect_args={"options": waiting},
        )
        event.listen(new_engine, "checkin", _on_checkin)
        event.listen(new_engine, "checkout", _on_checkout)
        return new_engine
    private_home()
    return _sqlite(create_engine(parsed, connect_args={"timeout": BUSY_SECONDS}))


def sqlite_file(path: Path) -> Engine:
    """An engine of another SQLite file than the configured database: a backup's."""
    return _sqlite(create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_SECONDS}))


def _sqlite(new_engine: Engine) -> Engine:
    event.listen(new_engine, "connect", _on_sqlite_connect)
    event.listen(new_engine, "begin", _on_sqlite_begin)
    event.listen(new_engine, "invalidate", _on_sqlite_invalidate)
    return new_engine


def _on_sqlite_connect(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # BEGIN is ours to say: see _on_sqlite_begin
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute(f"PRAGMA journal_size_limit = {LARGEST_LOG}")
    cursor.execute("PRAGMA synchronous = FULL")  # a committed answer survives a power cut
    cursor.close()


def _on_sqlite_begin(connection: Connection) -> None:
    # A transaction that reads and then writes must hold the write lock from the start, or it may fail in the middle.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _on_sqlite_invalidate(connection: sqlite3.Connection | None, _record: object, _error: object) -> None:
    """Ctrl-C in a statement has SQLAlchemy drop the connection. Closed alone, SQLite would keep its transaction, and
    with it everybody else out, for as long as the error's traceback holds the statement.
    """
    if connection is not None:
        connection.rollback()


def _on_checkin(_connection: object, record: ConnectionPoolEntry) -> None:
    record.info[_IDLE_SINCE] = time.monotonic()


def _on_checkout(connection: Any, record: ConnectionPoolEntry, _proxy: object) -> None:
    """Try a connection that has lain idle: the server may have been started anew. To try each time would take a crowd a
    tenth longer.
    """
    if time.monotonic() - record.info.get(_IDLE_SINCE, math.inf) > TRUSTED_SECONDS:
        try:
            connection.execute("SELECT 1")
            connection.rollback()
        except psycopg.Error as error:
            raise DisconnectionError from error  # the pool makes another one


@contextmanager
def reading() -> Iterator[Connection]:
    """A transaction that only reads, one state of the data throughout, whatever is written meanwhile."""
    with _translated(), engine().connect() as connection:
        if connection.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            yield connection


@contextmanager
def writing() -> Iterator[Connection]:
    """A transaction that may write; commits at the end, or rolls everything back on an error.

    Never one inside another: on SQLite the inner one would wait for the outer one.
    """
    with (
        _translated(),
        _one_writer(),
        engine().connect().execution_options(writes=True) as connection,
        connection.begin(),
    ):
        yield connection


@contextmanager
def _one_writer() -> Iterator[None]:
    """On SQLite writers queue here, the threads of a process first, then the processes of this machine.

    SQLite's own waiting is polling at ever longer intervals, where one starves while others come and go.
    """
    lock = _lock_of(database_url())
    if lock is None:
        yield
        return
    if not _WRITER.acquire(timeout=BUSY_SECONDS):
        raise busy()
    try:
        with lock:
            yield
    except Timeout as error:
        raise busy() from error
    finally:
        _WRITER.release()


@lru_cache(maxsize=4)
def _lock_of(url: str) -> FileLock | None:
    """Which file says who of this machine's processes writes; None where the database sees to that."""
    parsed = make_url(url)
    if parsed.drivername.startswith("postgresql"):
        return None
    name = f"{parsed.database}.lock"
    return FileLock(name, timeout=BUSY_SECONDS, poll_interval=POLL_SECONDS, thread_local=False)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (InterfaceError, TimeoutError) as error:
        raise StorageError(f"The database {address()} gives no connection; try again in a moment.") from error
    except DatabaseError as error:
        # Its subclasses speak of statements and data, save the operational ones: those speak of the database.
        if type(error) not in (DatabaseError, OperationalError):
            raise
        raise _explained(str(error.orig).strip()) from error


def busy() -> StorageError:
    """The error for a wait that has been too long."""
    return StorageError(f"The database {address()} was busy for {BUSY_SECONDS} seconds; try again.", BUSY)


def _explained(problem: str) -> StorageError:
    """The error for what the database says."""
    if "locked" in problem or "lock timeout" in problem:
        return busy()
    if any(words in problem for words in ("full", "No space left", "Check free disk space", "disk I/O error")):
        return StorageError(_explain(problem), FULL)
    return StorageError(_explain(problem))


def _explain(problem: str) -> str:
    where = address()
    if "unable to open" in problem or "readonly" in problem:
        return f"The database {where} cannot be opened for writing; check the folder's permissions or set FABULA_HOME."
    if any(words in problem for words in ("full", "No space left", "Check free disk space")):
        return f"The disk that holds {where} is full; free some space and try again."
    if "disk I/O error" in problem:  # what SQLite says on a full disk where it has not begun yet
        return f"The disk that holds {where} is full or fails; free some space and try again."
    if "malformed" in problem or "not a database" in problem:
        return f"The file {where} is damaged or no database; put a backup in its place."
    return f"The database {where} cannot be used: {problem.splitlines()[0] if problem else 'no connection'}."


def upsert(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], keys: Sequence[str], update: Sequence[str]
) -> None:
    """Insert the rows; where `keys` are there already, set the columns of `update` instead (none: keep the old row)."""
    if rows:
        statement = _upsert(connection.dialect.name, table, tuple(keys), tuple(update))
        connection.execute(statement, rows[0] if len(rows) == 1 else list(rows))


def upserted_id(
    connection: Connection, table: Table, row: Mapping[str, Any], keys: Sequence[str], update: Sequence[str]
) -> int:
    """The same of one row, with something to `update`; returns the id that it has."""
    statement = _upsert(connection.dialect.name, table, tuple(keys), tuple(update), returns_id=True)
    return int(connection.execute(statement, row).scalar_one())


@lru_cache(maxsize=100)
def _upsert(
    dialect: str, table: Table, keys: tuple[str, ...], update: tuple[str, ...], *, returns_id: bool = False
) -> Any:
    """The statement, which takes longer to put together than to run."""
    statement = sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
    if not update:
        return statement.on_conflict_do_nothing(index_elements=keys)
    updating = statement.on_conflict_do_update(
        index_elements=keys, set_={name: statement.excluded[name] for name in update}
    )
    return updating.returning(table.c.id) if returns_id else updating
