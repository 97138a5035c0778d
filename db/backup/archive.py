"""A backup: one file with the database, checkpoints, the secret and the owner's link, and a list of what is in it."""

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from core.checkpoints.store import checkpoints_folder
from core.errors import InputError, StorageError
from core.files import on_the_disk, replacing
from core.home import PRIVATE, RESTORING, home, private_home
from db import array_files
from db.audit import now
from db.backup import snapshot
from db.engine import address
from db.migrate import is_empty
from db.people.secret import secret
from db.version import APP_VERSION

DATABASE, SECRET, OWNER, CONTENTS = "fabula.db", "secret-key", "owner-token", "contents.json"
CHECKPOINTS = "checkpoints/"
INTO = "into"
"""A file in the folder of a restore that is not over: the address of the database that it puts back."""
BLOCK = 2**20


@dataclass(frozen=True)
class Backup:
    """What a backup holds: when it was made (UTC, ISO 8601), by which program, the revision and the rows of its
    database, and the SHA-256 of each file.
    """

    made_at: str
    version: str
    revision: str
    rows: dict[str, int]
    files: dict[str, str]


def make(target: Path) -> Backup:
    """Back everything up into `target`, a new file that only its owner may read, while the server goes on.

    Every answer that was acknowledged before this began is in it. Raises InputError where `target` is there already,
    StorageError where it cannot be written.
    """
    if target.exists():
        raise InputError(f"There is a file {target} already; give the backup another name.")
    previous = os.umask(PRIVATE)
    try:
        with tempfile.TemporaryDirectory(prefix="fabula-backup-") as name, replacing(target) as partial:
            database = Path(name) / DATABASE
            snapshot.take(database)
            backup = _write(partial, database)
    finally:
        os.umask(previous)
    return backup


def _write(target: Path, database: Path) -> Backup:
    files: dict[str, str] = {}
    rows, revision = snapshot.counts(database), snapshot.revision(database)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for inside, path in [(DATABASE, database), *_checkpoints(), *_owner()]:
            archive.write(path, inside)
            files[inside] = _digest(path)
        archive.writestr(SECRET, secret())  # wherever it is kept: without it nobody from a platform is known again
        files[SECRET] = hashlib.sha256(secret()).hexdigest()
        result = Backup(now().isoformat(timespec="seconds"), APP_VERSION, revision, rows, files)
        archive.writestr(CONTENTS, json.dumps(asdict(result), indent=1))
    return result


def _checkpoints() -> Iterator[tuple[str, Path]]:
    folder = checkpoints_folder()
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            yield CHECKPOINTS + path.relative_to(folder).as_posix(), path


def _owner() -> Iterator[tuple[str, Path]]:
    if (home() / OWNER).is_file():
        yield OWNER, home() / OWNER


def verify(path: Path) -> Backup:
    """Read a backup through: every file is what it was, and its database whole. Raises InputError for what is not."""
    with tempfile.TemporaryDirectory(prefix="fabula-verify-") as name:
        backup = _unpack(path, Path(name))
        rows = snapshot.counts(Path(name) / DATABASE)
    if rows != backup.rows:
        lacking = next(table for table in {**rows, **backup.rows} if rows.get(table) != backup.rows.get(table))
        expected, actual = backup.rows.get(lacking, 0), rows.get(lacking, 0)
        raise InputError(f"{path.name} should have {expected:,} rows of {lacking}; it has {actual:,}.")
    return backup


def restore(path: Path) -> Backup:
    """Put a backup into this home folder and this database, both of them empty; what a restore that was interrupted
    has left there goes first. Raises InputError; then nothing of the backup has been put anywhere.
    """
    folder = private_home()
    with _alone(folder), _unpacking(folder) as unpacked:
        backup = _unpack(path, unpacked)
        if snapshot.counts(unpacked / DATABASE) != backup.rows:
            raise InputError(f"{path.name} is not whole; take another backup.")
        given = os.environ.get("FABULA_SECRET")
        if given and given != (unpacked / SECRET).read_text():
            raise InputError("FABULA_SECRET is another secret than the backup's; unset it, or set the one of then.")
        for inside in backup.files:
            if inside != DATABASE:
                target = checkpoints_folder() / inside.removeprefix(CHECKPOINTS) if "/" in inside else folder / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                (unpacked / inside).chmod(0o600)
                on_the_disk(unpacked / inside)
                (unpacked / inside).replace(target)
        array_files.forget_all()
        snapshot.put_back(unpacked / DATABASE)  # last, and in one step: until then a restore is plainly not over
    return backup


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While another restore into this folder goes on, its files are no leftovers."""
    lock = FileLock(folder / f"{RESTORING}.lock", timeout=0)
    try:
        with lock:
            try:
                yield
            finally:
                Path(lock.lock_file).unlink(missing_ok=True)
    except Timeout:
        raise InputError(f"Another restore into {folder} is going on; wait for its end.") from None


@contextmanager
def _unpacking(folder: Path) -> Iterator[Path]:
    """A place within the home folder, empty but for it, to unpack into: from there files are only moved."""
    unpacked = folder / RESTORING
    if unpacked.exists():
        _take_back(folder)
    present = [name for name in (DATABASE, SECRET, OWNER) if (folder / name).exists()]
    if present or any(_checkpoints()):
        raise InputError(
            f"{folder} holds {', '.join(present) or 'checkpoints'} already; name an empty folder in FABULA_HOME."
        )
    snapshot.check_empty()
    unpacked.mkdir(mode=0o700)
    (unpacked / INTO).write_text(address())
    try:
        yield unpacked
    except BaseException:
        _take_back(folder)
        raise
    shutil.rmtree(unpacked)


def _take_back(folder: Path) -> None:
    """Remove what a restore has put into the folder without coming to its end, which is the database."""
    into = folder / RESTORING / INTO
    if into.exists() and into.read_text() != address():
        raise InputError(
            f"A restore into {into.read_text()} was interrupted here. Name that database in DATABASE_URL, or another "
            "folder in FABULA_HOME."
        )
    if is_empty():
        shutil.rmtree(checkpoints_folder(), ignore_errors=True)
        for name in (SECRET, OWNER):
            (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / RESTORING, ignore_errors=True)


def _unpack(path: Path, folder: Path) -> Backup:
    try:
        with zipfile.ZipFile(path) as archive:
            backup = Backup(**json.loads(archive.read(CONTENTS)))
            for inside, digest in backup.files.items():
                target = (folder / inside).resolve()
                if not target.is_relative_to(folder.resolve()):
                    raise InputError(f"{path.name} is no backup of Fabula's.")
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(inside) as packed, target.open("wb") as out:
                    while block := packed.read(BLOCK):
                        out.write(block)
                if _digest(target) != digest:
                    raise InputError(f"{path.name} is damaged: {inside} is not what it was; take another backup.")
    except FileNotFoundError:
        raise InputError(f"There is no backup {path}.") from None
    except OSError as error:
        raise StorageError(f"{path.name} cannot be unpacked in {folder}: {error.strerror}.") from error
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, EOFError, RuntimeError) as error:
        raise InputError(f"{path.name} is damaged, or no backup of Fabula's; take another one.") from error
    return backup


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def as_json(backup: Backup) -> dict[str, Any]:
    """Return the report for `--json`."""
    return asdict(backup)
