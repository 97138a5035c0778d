"""A full disk: one sentence, nothing by halves, and as before once there is room again.

The real one is a small one in memory, which only root can mount; without it the limit is SQLite's own.
"""

import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event, select, text
from sqlalchemy.engine import make_url

from core.errors import StorageError
from core.people import Person
from db.engine import _explain, address, database_url, engine, reading
from db.migrate import migrate
from db.ratings import ratings
from db.schema import event as event_table
from db.schema import rating_value
from tests.db.annotation.assignments import begin
from tests.db.conftest import make_annotator, make_study


def test_sqlite_without_room_says_so_and_writes_nothing_by_halves(home: Path) -> None:
    migrate()
    study = make_study()
    person = make_annotator(study)
    token = begin(person).stories[0].token
    limit = [0]

    def restrict(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {limit[0] or 2**30}")

    event.listen(engine(), "connect", restrict)
    try:
        limit[0] = 1  # which is to say: as large as it is now
        engine().dispose()
        failed = _save_until_full(person, token)
        limit[0] = 0
        engine().dispose()
        _save_again(person, token, failed)
    finally:
        event.remove(engine(), "connect", restrict)
        engine().dispose()


@pytest.mark.both_databases
def test_a_full_disk_is_said_and_nothing_is_half_written(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with _on_small_disk(database) as (disk, name, value):
        monkeypatch.setenv(name, value)
        try:
            migrate()
            study = make_study()
            person = make_annotator(study)
            token = begin(person).stories[0].token
            with pytest.raises(OSError, match="No space left"):
                _write_without_end(disk / "filler")
            failed = _save_until_full(person, token)
            (disk / "filler").unlink()
            _save_again(person, token, failed)
        finally:
            engine().dispose()


def test_a_start_on_a_full_disk_is_one_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with _on_small_disk("sqlite") as (disk, name, value):
        monkeypatch.setenv(name, value)
        try:
            migrate()
            engine().dispose()
            with pytest.raises(OSError, match="No space left"):
                _write_without_end(disk / "filler")
            with pytest.raises(StorageError, match=r"The disk that holds .* is full or fails; free some space"):
                make_study()
            (disk / "filler").unlink()
            make_study()
        finally:
            engine().dispose()


def _write_without_end(file: Path) -> None:
    with file.open("wb", buffering=0) as stream:
        while stream.write(b"x" * 4096):
            pass


@contextmanager
def _on_small_disk(database: str) -> Iterator[tuple[Path, str, str]]:
    """A small disk, and the setting, with its value, that moves the database there."""
    owner = os.getuid()
    if database == "postgresql":
        with reading() as connection:
            owner = Path(str(connection.scalar(text("SHOW data_directory")))).stat().st_uid
    with tempfile.TemporaryDirectory(prefix="fabula-disk-") as folder:
        Path(folder).chmod(0o755)  # the server runs under a name of its own
        disk = Path(folder) / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size=24m,mode=700,uid={owner}", "tmpfs", str(disk)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("a small disk can be mounted by root only")
        try:
            if database == "sqlite":
                yield disk, "FABULA_HOME", str(disk)
            else:
                with _database_in(disk, owner) as address:
                    yield disk, "DATABASE_URL", address
        finally:
            subprocess.run(["umount", str(disk)], check=True)


@contextmanager
def _database_in(disk: Path, owner: int) -> Iterator[str]:
    """Address of a database of PostgreSQL whose tables lie on that disk."""
    place = disk / "tablespace"
    place.mkdir()
    os.chown(place, owner, -1)
    address = make_url(database_url()).set(database="small_disk").render_as_string(hide_password=False)
    server = engine().execution_options(isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE TABLESPACE small_disk LOCATION '{place}'"))
        connection.execute(text("CREATE DATABASE small_disk TABLESPACE small_disk"))
    try:
        yield address
    finally:
        with server.connect() as connection:
            connection.execute(text("DROP DATABASE small_disk WITH (FORCE)"))
            connection.execute(text("DROP TABLESPACE small_disk"))


def _save_until_full(person: Person, token: str) -> int:
    """Save answers until there is no room; what is stored is then the last one acknowledged. Returns the next one."""
    saved, sentence = None, ""
    for number in range(100_000):
        value = 1 + number % 5
        try:
            ratings.save_value(person, token, value)
        except StorageError as error:
            sentence = str(error)
            break
        saved = (number, value)
    assert sentence == f"The disk that holds {address()} is full; free some space and try again."
    logged = _saves()
    assert len(logged) == (0 if saved is None else saved[0] + 1)
    assert logged[-1:] == ([] if saved is None else [saved[1]])
    assert _stored() == logged[-1:]
    return value


def _save_again(person: Person, token: str, value: int) -> None:
    before = len(_saves())
    assert ratings.save_value(person, token, value).overall == value
    assert _stored() == [value]
    assert len(_saves()) == before + 1


def _saves() -> list[int]:
    """The answers that the log knows, oldest first."""
    query = select(event_table.c.detail).where(event_table.c.kind == "answer saved").order_by(event_table.c.id)
    with reading() as connection:
        return [detail["overall"] for detail in connection.scalars(query)]


def _stored() -> list[float | None]:
    with reading() as connection:
        return list(connection.scalars(select(rating_value.c.value)))


@pytest.mark.parametrize(
    "message",
    [
        "database or disk is full",
        'could not extend file "base/16384/16430": No space left on device\nHINT:  Check free disk space.',
        'could not extend file "base/5/2": wrote only 4096 of 8192 bytes at block 3\nHINT:  Check free disk space.',
        'could not write to file "pg_wal/xlogtemp.29": No space left on device',
    ],
)
def test_every_wording_of_a_full_disk_is_one_sentence(home: Path, message: str) -> None:
    assert _explain(message) == f"The disk that holds {address()} is full; free some space and try again."
