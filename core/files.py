"""Files that a user names: checked, with one sentence where a path cannot be used. Files are written whole or not at
all.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from core.errors import InputError, StorageError

LARGEST_TEXT = 50 * 2**20
"""Bytes of a text file that is read as a whole."""
PARTIAL = ".part"
"""How the names of files end that are being written: one that is left over belongs to a program that was killed."""


def path_of(name: str, what: str) -> Path:
    """The path that `name` means, `~` included; raises InputError where it means none, or may not be looked at."""
    try:
        path = Path(name).expanduser().resolve()
        path.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"The {what} {name[:200]} cannot be read; check its name and permissions.") from error
    return path


def text_of(name: str, what: str) -> str:
    """The text of a file in UTF-8, of at most 50 MB; raises InputError where it is no such file."""
    path = path_of(name, what)
    try:
        if not path.exists():
            raise InputError(f"There is no {what} {name}.")
        if not path.is_file() or path.stat().st_size > LARGEST_TEXT:
            raise InputError(f"The {what} {name} is not a text file of at most {LARGEST_TEXT // 2**20} MB.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The {what} {name} cannot be read; name a text file in UTF-8.") from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new file beside `path` to write; when the block ends it takes that place, whole and on the disk.

    Where the block or the disk fails, `path` is as it was and nothing is left over. Raises StorageError.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}{PARTIAL}")
    try:
        yield partial
        on_the_disk(partial)
        partial.replace(path)
        on_the_disk(path.parent)
    except OSError as error:
        raise StorageError(unwritable(path, error)) from error
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def making(folder: Path) -> Iterator[Path]:
    """An empty folder beside `folder` to fill with files; when the block ends it is that folder, whole and on the disk.

    Where the block or the disk fails, nothing is left over. Raises StorageError, also where there is such a folder.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=PARTIAL, dir=folder.parent))
        try:
            yield partial
            for path in (*partial.iterdir(), partial):
                on_the_disk(path)
            partial.rename(folder)
            on_the_disk(folder.parent)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise StorageError(unwritable(folder, error)) from error


def on_the_disk(path: Path) -> None:
    """Wait until a file, or a folder's list of files, would survive a power cut. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_room(file: int, size: int) -> None:
    """Take the room of a file at once: a disk that fills while a mapped file is written to would end the process.
    Raises OSError.
    """
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
    else:
        os.ftruncate(file, size)


def no_scratch(error: OSError) -> StorageError:
    """What is raised where a temporary file could not be written."""
    return StorageError(unwritable(Path(tempfile.gettempdir()), error))


def discard(file: IO[bytes]) -> None:
    """Close a temporary file; what is still to be written to it may have no room, and is not wanted any more."""
    with suppress(OSError):
        file.close()


def unwritable(path: Path, error: OSError) -> str:
    """The sentence for a file that could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk that holds {path} is full; free some space and try again."
    return f"{path} cannot be written: {error.strerror or error}."
