"""Brings the database to the newest revision; every start and every command does so first."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

from core.errors import StorageError
from db.engine import reading, writing

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


def upgrade(connection: Connection, target: str) -> None:
    """Bring the database of this connection up to `target`, within its transaction."""
    command.upgrade(_config(connection), target)


def migrate(target: str = "head") -> None:
    """Migrate up to `target` (or down to it). Processes that start together wait for each other."""
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
