"""Backups: made while people save, looked through, put back elsewhere, on either database; and damaged ones."""

import errno
import json
import os
import shutil
import signal
import stat
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import create_engine, func, select

from core.checkpoints.store import checkpoints_folder
from core.errors import InputError, StorageError
from core.people import TERMINAL, Person, Role
from core.recruitment import Recruitment
from db.annotation import assignments, panel_submission, recruitment, slots
from db.backup import archive, snapshot
from db.engine import engine, reading
from db.migrate import migrate, newest, revision
from db.people import owner, people
from db.people.secret import secret
from db.ratings import ratings
from db.schema import metadata, rating_value
from db.studies import studies
from tests.db import pairs
from tests.db.annotation.assignments import rate
from tests.db.conftest import make_annotator, make_study
from tests.db.crowd import Worker
from tests.terminal import fabula


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with reading() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }


def lived() -> None:
    """A server with people, panels in every state, a crowd, a log, and what training has left in its folder."""
    study = make_study("Tales «😀»", prompts=2, wanted=2)
    for name in ("Ann", "Bob"):
        annotator = make_annotator(study, name)
        panel = assignments.turn(annotator, claim=True).panel
        assert panel is not None
        rate(annotator, panel)
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    recruitment.admit(study.id, "prolific", "5f" * 12, "61" * 12)
    people.invite(TERMINAL, Role.RESEARCHER, name="Rae", runs=[study.id])
    owner.owner_link("http://localhost:1")
    folder = checkpoints_folder() / "abc"
    folder.mkdir(parents=True)
    (folder / "weights.safetensors").write_bytes(bytes(range(256)) * 100)
    studies.close_study(TERMINAL, study.id)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Any]:
    """What goes to another machine: an empty home, and a database of the kind that is asked for."""
    made: list[str] = []

    def move(kind: str) -> Path:
        engine().dispose()
        monkeypatch.setenv("FABULA_HOME", str(tmp_path / "elsewhere"))
        monkeypatch.delenv("DATABASE_URL", raising=False)
        if kind == "postgresql":
            server = request.getfixturevalue("postgres_server").replace("postgresql://", "postgresql+psycopg://", 1)
            with create_engine(server, isolation_level="AUTOCOMMIT").connect() as connection:
                connection.execute(sqlalchemy.text("DROP DATABASE IF EXISTS restored WITH (FORCE)"))
                connection.execute(sqlalchemy.text("CREATE DATABASE restored"))
            url = sqlalchemy.make_url(server).set(database="restored")
            made.append(server)
            monkeypatch.setenv("DATABASE_URL", url.render_as_string(hide_password=False))
        return tmp_path / "elsewhere"

    yield move
    engine().dispose()
    for server in made:
        with create_engine(server, isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(sqlalchemy.text("DROP DATABASE restored WITH (FORCE)"))


@pytest.mark.both_databases
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_everything_comes_back(database: str, elsewhere: Any, tmp_path: Path, target: str) -> None:
    lived()
    before, key, token = everything(), secret(), owner.owner_link("http://localhost:1")
    file = tmp_path / "backup.zip"
    made = archive.make(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert made.rows["rating"] == len(before["rating"]) > 0
    assert archive.verify(file) == made
    home = elsewhere(target)
    assert archive.restore(file) == made
    assert revision() == newest()
    assert everything() == before
    assert not [path for path in home.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
    assert secret() == key
    assert owner.owner_link("http://localhost:1") == token
    assert (checkpoints_folder() / "abc" / "weights.safetensors").read_bytes() == bytes(range(256)) * 100
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    (study,) = studies.summaries(TERMINAL)  # and it goes on: numbers are given on from where they were
    person = make_annotator(study.study, "Cleo")
    assert person.id == max(row[0] for row in before["person"]) + 1
    with pytest.raises(sqlalchemy.exc.DatabaseError), engine().begin() as connection:
        connection.execute(sqlalchemy.text("DELETE FROM event"))  # the log takes no change here either


@pytest.mark.both_databases
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_study_of_pairs_comes_back_and_goes_on(database: str, elsewhere: Any, tmp_path: Path, target: str) -> None:
    study = pairs.opened(wanted=1)
    pairs.hand_in(study, "Ann")
    bob = make_annotator(study, "Bob")
    held = assignments.turn(bob, claim=True).panel
    before = everything()
    archive.make(tmp_path / "backup.zip")
    elsewhere(target)
    archive.restore(tmp_path / "backup.zip")
    assert everything() == before
    assert held is not None
    pairs.answer(bob, held)
    panel_submission.submit(bob, held.token)
    assert slots.progress(study.id).valid == 2
    studies.close_study(TERMINAL, study.id)
    studies.open_study(TERMINAL, study.id)  # panels that nobody began are made anew, under numbers of their own
    pairs.hand_in(study, "Cleo")
    assert slots.progress(study.id).valid == 3


class Saver(threading.Thread):
    """Somebody who saves one answer after the other; `acknowledged` holds what they were told is saved."""

    def __init__(self, annotator: Person, stop: threading.Event) -> None:
        super().__init__()
        self._annotator = annotator
        self._stop_now = stop
        panel = assignments.turn(annotator, claim=True).panel
        assert panel is not None
        self._tokens = [story.token for story in panel.stories]
        self.acknowledged: list[tuple[int, int]] = []

    def run(self) -> None:
        number = 0
        while not self._stop_now.is_set():
            number += 1
            place = number % len(self._tokens)
            ratings.save_value(self._annotator, self._tokens[place], 1 + number % 5)
            self.acknowledged.append((place, 1 + number % 5))


@pytest.mark.both_databases
@pytest.mark.slow
def test_a_backup_under_load_has_every_answer_acknowledged_before_it(
    database: str, elsewhere: Any, tmp_path: Path
) -> None:
    """The drill: people save in this process, the command runs in another, and the backup is restored elsewhere."""
    study = make_study(prompts=4, wanted=4)
    stop = threading.Event()
    savers = [Saver(make_annotator(study, f"saver {number}"), stop) for number in range(4)]
    for saver in savers:
        saver.start()
    try:
        while min(len(saver.acknowledged) for saver in savers) < 20:
            stop.wait(0.02)
        before = [len(saver.acknowledged) for saver in savers]
        done = run("backup", str(tmp_path / "live.zip"))
        assert done.returncode == 0, done.stderr
    finally:
        stop.set()
        for saver in savers:
            saver.join()
    after = [len(saver.acknowledged) for saver in savers]
    assert all(late > early for late, early in zip(after, before, strict=True))  # nobody had to wait for it
    elsewhere(database)
    assert run("restore", str(tmp_path / "live.zip")).returncode == 0
    with reading() as connection:
        events = sqlalchemy.text("SELECT person_id, detail FROM event WHERE kind = 'answer saved' ORDER BY id")
        logged: dict[int, int] = {}
        for person_id, _ in connection.execute(events):
            logged[person_id] = logged.get(person_id, 0) + 1
        stored = len(connection.execute(select(rating_value.c.rating_id)).all())
    for saver, early, late in zip(savers, before, after, strict=True):
        assert early <= logged[saver._annotator.id or 0] <= late
    assert stored == 4 * 7


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return fabula(*words, home=Path(os.environ["FABULA_HOME"]))


def test_a_plain_copy_of_a_live_file_is_what_a_backup_is_not(database: str, tmp_path: Path) -> None:
    """Why there is a command for it: the newest answers stand in a second file."""
    study = make_study()
    annotator = make_annotator(study)
    panel = assignments.turn(annotator, claim=True).panel
    assert panel is not None
    ratings.save_value(annotator, panel.stories[0].token, 4)
    source = Path(engine().url.database or "")
    shutil.copy(source, tmp_path / "copied.db")
    archive.make(tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip") as packed:
        packed.extract("fabula.db", tmp_path)
    answers = sqlalchemy.text("SELECT count(*) FROM rating_value")
    found = {}
    for name in ("copied.db", "fabula.db"):
        with create_engine(f"sqlite:///{tmp_path / name}").connect() as connection:
            try:
                found[name] = connection.scalar(answers)
            except sqlalchemy.exc.DatabaseError:
                found[name] = None
    assert found["fabula.db"] == 1
    assert found["copied.db"] != 1


@pytest.fixture
def backup(database: str, tmp_path: Path) -> Path:
    lived()
    archive.make(tmp_path / "good.zip")
    return tmp_path / "good.zip"


def rewritten(backup: Path, name: str, content: bytes | None) -> Path:
    """The backup with another content of one file, or without it."""
    target = backup.with_name("bad.zip")
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(target, "w") as new:
        for inside in old.namelist():
            if inside != name:
                new.writestr(inside, old.read(inside))
            elif content is not None:
                new.writestr(inside, content)
    return target


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("fabula.db", b"not a database", "fabula.db is not what it was"),
        ("secret-key", b"x" * 40, "secret-key is not what it was"),
        ("fabula.db", None, "damaged, or no backup"),
        ("contents.json", None, "damaged, or no backup"),
        ("contents.json", b"[1]", "damaged, or no backup"),
        ("contents.json", b'{"made_at": 1}', "damaged, or no backup"),
    ],
)
def test_a_damaged_backup_is_refused_and_nothing_is_put_anywhere(
    backup: Path, elsewhere: Any, name: str, content: bytes | None, says: str
) -> None:
    bad = rewritten(backup, name, content)
    home = elsewhere("sqlite")
    for look in (archive.verify, archive.restore):
        with pytest.raises(InputError, match=says):
            look(bad)
    assert not home.exists() or not list(home.iterdir())


def test_a_backup_that_leads_out_of_its_folder_is_refused(backup: Path, elsewhere: Any, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup) as packed:
        contents = json.loads(packed.read("contents.json"))
    contents["files"]["../outside"] = "0" * 64
    bad = rewritten(backup, "contents.json", json.dumps(contents).encode())
    elsewhere("sqlite")
    with pytest.raises(InputError, match="no backup of Fabula's"):
        archive.restore(bad)
    assert not (tmp_path / "outside").exists()


def test_a_backup_that_lacks_rows_is_refused(backup: Path, elsewhere: Any) -> None:
    with zipfile.ZipFile(backup) as packed:
        contents = json.loads(packed.read("contents.json"))
    contents["rows"]["rating"] += 1
    bad = rewritten(backup, "contents.json", json.dumps(contents).encode())
    with pytest.raises(InputError, match="rows of rating"):
        archive.verify(bad)
    elsewhere("sqlite")
    with pytest.raises(InputError, match="not whole"):
        archive.restore(bad)


def test_cut_off_or_missing(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.zip").write_bytes(backup.read_bytes()[:-500])
    with pytest.raises(InputError, match="damaged, or no backup"):
        archive.verify(tmp_path / "cut.zip")
    with pytest.raises(InputError, match="There is no backup"):
        archive.verify(tmp_path / "none.zip")


def test_nothing_is_overwritten(backup: Path, elsewhere: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="already; give the backup another name"):
        archive.make(backup)
    with pytest.raises(InputError, match=r"holds fabula\.db, secret-key, owner-token already"):
        archive.restore(backup)
    elsewhere("sqlite")
    monkeypatch.setenv("FABULA_SECRET", "another secret, of more than 32 characters")
    with pytest.raises(InputError, match="another secret"):
        archive.restore(backup)


def killed_while_it_restores(_mouth: Connection, backup: Path, moment: str) -> None:
    """What a process does that is killed there."""

    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    real, moved = Path.replace, snapshot.put_back
    if moment == "unpacking":
        archive._digest = die  # type: ignore[assignment]
    elif moment == "the first file is moved":
        Path.replace = lambda *given: (real(*given), die())[0]  # type: ignore[method-assign,func-returns-value]
    elif moment == "the rows are written":
        shutil.move = func.max = die  # type: ignore[assignment]
    else:
        snapshot.put_back = lambda file: (moved(file), die())[0]  # type: ignore[func-returns-value]
    archive.restore(backup)


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
@pytest.mark.parametrize(
    "moment", ["unpacking", "the first file is moved", "the rows are written", "all but the end is done"]
)
def test_a_restore_that_is_killed_is_begun_anew_or_was_over(
    backup: Path, elsewhere: Any, target: str, moment: str
) -> None:
    before, key = everything(), secret()
    home = elsewhere(target)
    worker = Worker(killed_while_it_restores, backup, moment)
    assert worker.hear() is None
    assert worker.end() == -signal.SIGKILL
    if moment == "all but the end is done":
        with pytest.raises(InputError, match="already"):
            archive.restore(backup)
    else:
        with pytest.raises(StorageError, match=r"did not come to its end; run cli\.py restore"):
            migrate()  # a server that started here would hide that something lacks
        archive.restore(backup)
    assert everything() == before
    assert secret() == key
    assert (checkpoints_folder() / "abc" / "weights.safetensors").read_bytes() == bytes(range(256)) * 100
    assert not list(home.glob("restoring*"))


@pytest.mark.slow
def test_what_an_interrupted_restore_has_left_is_not_taken_for_anothers(
    backup: Path, elsewhere: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = elsewhere("postgresql")
    worker = Worker(killed_while_it_restores, backup, "all but the end is done")
    assert worker.hear() is None
    assert worker.end() == -signal.SIGKILL
    (home / "secret-key").write_text(key := "the key of a server that works")
    with monkeypatch.context() as patch:
        patch.delenv("DATABASE_URL")  # by mistake: an empty SQLite file in the same folder
        with pytest.raises(InputError, match=r"was interrupted here\. Name that database in DATABASE_URL"):
            archive.restore(backup)
    assert (home / "secret-key").read_text() == key
    migrate()  # as the server does, which finds all of it in the database
    assert not (home / "restoring").exists()


def test_a_restore_that_fails_leaves_the_folder_empty(
    backup: Path, elsewhere: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    home = elsewhere("sqlite")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "move", full)
        with pytest.raises(StorageError, match="is full; free some space"):
            archive.restore(backup)
    assert not [path for path in home.rglob("*") if path.is_file()]
    archive.restore(backup)


def test_two_restores_do_not_mix(backup: Path, elsewhere: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere("sqlite")
    put_back = snapshot.put_back

    def meanwhile(file: Path) -> None:
        with ThreadPoolExecutor(1) as another, pytest.raises(InputError, match="Another restore"):
            another.submit(archive.restore, backup).result()
        put_back(file)

    monkeypatch.setattr(snapshot, "put_back", meanwhile)
    archive.restore(backup)
    assert everything()["rating"]


def test_a_database_that_is_not_empty_is_left_alone(
    backup: Path, elsewhere: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    elsewhere("postgresql")
    migrate()
    with pytest.raises(InputError, match="holds something already"):
        archive.restore(backup)


@pytest.mark.slow
def test_the_commands(backup: Path, elsewhere: Any) -> None:
    assert "which is whole" in " ".join(run("verify", str(backup)).stdout.split())
    again = run("backup", str(backup))
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    elsewhere("sqlite")
    done = run("restore", str(backup), "--json", "-")
    assert json.loads(done.stdout)["rows"]["person"] > 0
    assert "Tales" in run("studies", "--json", "-").stdout
