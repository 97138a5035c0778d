"""Brings the database to the newest revision; every start and every command does so first."""

import shutil
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import make_url

from core.errors import StorageError
from core.home import RESTORING, home
from db.engine import database_url, reading, writing

ADVISORY_LOCK = 7_203_514


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def newest() -> str:
    """The newest revision this program knows."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def revision() -> str | None:
    """The database's revision; None where it is empty."""
    with reading() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def is_empty() -> bool:
    """Whether the configured database holds nothing yet. A SQLite file that is not there stays away."""
    if database_url().startswith("sqlite"):
        return not Path(make_url(database_url()).database or "").exists()
    with reading() as connection:
        return not inspect(connection).get_table_names()


def upgrade(connection: Connection, target: str) -> None:
    """Bring the database of this connection up to `target`, within its transaction."""
    command.upgrade(_config(connection), target)


def migrate(target: str = "head") -> None:
    """Migrate up to `target` (or down to it). Processes that start together wait for each other.

    Raises StorageError where a restore has been interrupted: an empty database in its place would hide that.
    """
    if (home() / RESTORING).exists():
        if is_empty():
            raise StorageError(f"A restore into {home()} did not come to its end; run cli.py restore FILE again.")
        shutil.rmtree(home() / RESTORING)  # it had: the database is put back last
    if target == "head" and revision() == newest():
        return
    with writing() as connection:  # on SQLite this is the only writer
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        current = MigrationContext.configure(connection).get_current_revision()
        try:
            if target != "head" and current is not None:
                command.downgrade(_config(connection), target)
            else:
                upgrade(connection, target)
        except CommandError as error:
            raise StorageError(
                f"The database was made by a newer Fabula (revision {current}); update this one."
            ) from error
