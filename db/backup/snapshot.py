"""The database as it stands at one moment, as a SQLite file, whichever database it is; and such a file put back.

Copying a live SQLite file leaves out what stands in its write-ahead log. SQLite's own backup takes that in, and hinders
no writer; PostgreSQL is read in one transaction, which sees one state throughout.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from alembic.migration import MigrationContext
from sqlalchemy import Connection, func, insert, select, text
from sqlalchemy.engine import make_url

from core.errors import InputError, StorageError
from core.files import replacing
from db.engine import database_url, reading, sqlite_file, writing
from db.migrate import is_empty, upgrade
from db.schema import metadata

ROWS_AT_ONCE = 2_000


def take(target: Path) -> None:
    """Write the database's present state to `target`, a new file. Raises StorageError."""
    if database_url().startswith("sqlite"):
        _copy_sqlite(Path(make_url(database_url()).database or ""), target)
        return
    with reading() as source, _writing_to(target) as connection:
        upgrade(connection, _revision(source))
        _copy_rows(source, connection)


def check_empty() -> None:
    """Raise InputError where the configured database holds something already: nothing is ever overwritten."""
    if is_empty():
        return
    if database_url().startswith("sqlite"):
        target = make_url(database_url()).database
        raise InputError(f"There is a database already at {target}; restore into an empty FABULA_HOME.")
    raise InputError("The database that DATABASE_URL names holds something already; restore into an empty one.")


def put_back(file: Path) -> None:
    """Make the configured database, an empty one, what `file` holds, brought to this program's revision; all of it or
    nothing.

    `file` is used up.
    """
    with _writing_to(file) as connection:
        upgrade(connection, "head")
    if database_url().startswith("sqlite"):
        target = Path(make_url(database_url()).database or "")
        with closing(sqlite3.connect(file)) as checked:
            checked.execute("PRAGMA journal_mode = DELETE")  # all of it in the one file that is moved
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(target) as partial:  # it may lie on another disk than the home folder
            shutil.move(file, partial)
            partial.chmod(0o600)
        return
    with writing() as connection:
        upgrade(connection, "head")
        with _writing_to(file) as source:
            _copy_rows(source, connection)
        for table in metadata.sorted_tables:
            if "id" in table.c:
                highest = connection.scalar(select(func.max(table.c.id)))
                if highest is not None:
                    statement = "SELECT setval(pg_get_serial_sequence(:name, 'id'), :highest)"
                    connection.execute(text(statement), {"name": table.name, "highest": highest})


def counts(file: Path) -> dict[str, int]:
    """How many rows each table of such a file has. Raises InputError where the file is damaged."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            if problems != ["ok"]:
                raise InputError(f"The database in the backup is damaged: {problems[0]}")
            if lost := connection.execute("PRAGMA foreign_key_check").fetchall():
                raise InputError(f"The database in the backup is not whole: {len(lost):,} rows name others that lack.")
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            known = sorted(name for name in names if not name.startswith(("sqlite_", "alembic_")))
            return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in known}
    except sqlite3.DatabaseError as error:
        raise InputError(f"The database in the backup cannot be read ({error}).") from error


def revision(file: Path) -> str:
    """The revision of such a file's tables."""
    with sqlite_file(file).connect() as connection:
        return _revision(connection)


def _revision(connection: Connection) -> str:
    result = MigrationContext.configure(connection).get_current_revision()
    if result is None:
        raise StorageError("The database is empty: there is nothing to back up.")
    return result


def _copy_sqlite(source: Path, target: Path) -> None:
    try:
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target)) as copy:
            live.backup(copy)  # all pages in one step: a read transaction, which nobody waits for
    except sqlite3.Error as error:
        raise StorageError(f"The database {source} cannot be copied to {target} ({error}).") from error


@contextmanager
def _writing_to(file: Path) -> Iterator[Connection]:
    engine = sqlite_file(file)
    try:
        with engine.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection
    finally:
        engine.dispose()


def _copy_rows(source: Connection, target: Connection) -> None:
    """Every row of every table, the ones that others name first."""
    for table in metadata.sorted_tables:
        rows = source.execute(select(table).execution_options(yield_per=ROWS_AT_ONCE))
        for part in rows.mappings().partitions(ROWS_AT_ONCE):
            target.execute(insert(table), [dict(row) for row in part])
