"""Arrays kept in files, so that a server that has started does not read millions of rows again. A cache: it holds
nothing that the database has not, is no part of a backup, and may be deleted at any time.

What stands in a file is what a key was when it was written; whoever reads it gives the key of now, so that a file of
before is as if it were not there. Several processes may read and write at once: files are replaced as a whole.
"""

import hashlib
import io
import logging
import os
import shutil
import tempfile
import zlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.home import home, private_home
from db.version import APP_VERSION

FOLDER = "cache"
MOST_BYTES = 512 * 2**20
"""Of all files together; of more those go first that were not read for longest."""
CHECKED = 4
"""Bytes at the beginning, a checksum of the rest."""
PARTIAL = ".part"
KEY = "key"
Key = tuple[object, ...]
Arrays = Mapping[str, NDArray[Any]]
_log = logging.getLogger("fabula.cache")


def load(study_id: int, what: str, key: Key) -> Arrays | None:
    """The arrays that were kept under this key; None where there are none, or their file is damaged."""
    path, stamp = _path(study_id, what, key), _stamp(key)
    try:
        content = path.read_bytes()
        os.utime(path)  # read now
    except OSError:
        return None  # never written, or gone: the database has it all
    if zlib.crc32(content[CHECKED:]).to_bytes(CHECKED, "big") != content[:CHECKED]:
        _log.warning("The file %s of the cache is damaged; it is made anew.", path.name)
        return None
    with np.load(io.BytesIO(content[CHECKED:]), allow_pickle=False) as arrays:
        found = {name: arrays[name] for name in arrays.files}
    return found if found.pop(KEY).tobytes() == stamp else None


def keep(study_id: int, what: str, key: Key, arrays: Arrays) -> None:
    """Keep arrays in place of those of the same study and name. A disk that does not take them is said in the log."""
    path, content = _path(study_id, what, key), io.BytesIO()
    np.savez(content, allow_pickle=False, **{**arrays, KEY: np.frombuffer(_stamp(key), dtype=np.uint8)})
    packed = content.getvalue()
    try:
        folder = private_home() / FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        descriptor, partial = tempfile.mkstemp(suffix=PARTIAL, dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(zlib.crc32(packed).to_bytes(CHECKED, "big"))
                file.write(packed)
            Path(partial).replace(path)
        finally:
            Path(partial).unlink(missing_ok=True)
        _remove(other for other in folder.glob(f"{_prefix(study_id, what)}*") if other != path)
        _make_room(folder)
    except OSError as error:
        _log.warning("%s could not be kept in the cache: %s", path.name, error.strerror)


def forget(study_ids: Collection[int]) -> None:
    """Delete what is kept of these studies."""
    for study_id in study_ids:
        _remove((home() / FOLDER).glob(f"{study_id}-*"))


def forget_all() -> None:
    """Delete all files: the database is another one from now on."""
    shutil.rmtree(home() / FOLDER, ignore_errors=True)


def _stamp(key: Key) -> bytes:
    """The key in full; what an earlier version has counted may have been counted otherwise."""
    return repr((APP_VERSION, *key)).encode()


def _prefix(study_id: int, what: str) -> str:
    return f"{study_id}-{what}-"


def _path(study_id: int, what: str, key: Key) -> Path:
    return home() / FOLDER / f"{_prefix(study_id, what)}{hashlib.sha256(_stamp(key)).hexdigest()[:24]}.npz"


def _make_room(folder: Path) -> None:
    """Delete the files that were not read for longest until the rest is small enough."""
    sizes = []
    for path in folder.iterdir():
        try:
            about = path.stat()
        except FileNotFoundError:  # another process has just replaced it
            continue
        sizes.append((about.st_mtime, about.st_size, path))
    total = sum(size for _, size, _ in sizes)
    for _, size, path in sorted(sizes):
        if total <= MOST_BYTES:
            return
        _remove([path])
        total -= size


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
