"""One head, up and down on both databases, and tables that are what the schema says."""

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from core.errors import StorageError
from core.home import ROOT
from db.engine import engine, reading, writing
from db.migrate import _config, migrate, newest, revision
from db.schema import metadata


def test_there_is_one_head() -> None:
    assert len(ScriptDirectory.from_config(_config()).get_heads()) == 1


def test_a_migrated_database_is_the_schema(database: str) -> None:
    assert revision() == newest()
    with reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_down_and_up_again(database: str) -> None:
    migrate("base")
    assert revision() is None
    assert set(inspect(engine()).get_table_names()) <= {"alembic_version"}
    migrate()
    assert revision() == newest()


def test_migrating_twice_changes_nothing(database: str) -> None:
    migrate()
    assert revision() == newest()


def test_a_database_of_a_newer_program_is_refused(database: str) -> None:
    with writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match="newer Fabula"):
        migrate()


def test_processes_that_start_together_migrate_once(home: Path) -> None:
    code = "from db.migrate import migrate, revision; migrate(); print(revision())"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    ends = [process.communicate(timeout=60) for process in started]
    assert [process.returncode for process in started] == [0] * 4, ends
    assert {out.strip() for out, _ in ends} == {newest()}


def test_sqlite_keeps_foreign_keys_and_write_ahead_log(home: Path) -> None:
    migrate()
    with reading() as connection:
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
    engine().dispose()


def test_an_unusable_address_is_one_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address, words in (("mysql://x/y", "PostgreSQL and SQLite"), ("nonsense", "not a database address")):
        monkeypatch.setenv("DATABASE_URL", address)
        with pytest.raises(StorageError, match=words):
            engine()
    blocked = home / "file"
    blocked.write_text("")
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("FABULA_HOME", str(blocked / "inside"))
    with pytest.raises(StorageError, match="FABULA_HOME"):
        engine()


def test_a_file_that_is_no_database_is_one_sentence(home: Path) -> None:
    (home / "fabula.db").write_bytes(b"not a database at all, just text" * 50)
    with pytest.raises(StorageError, match="no database"):
        migrate()
    engine().dispose()
