"""The zips that imports read."""

import errno
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from core.errors import InputError

LARGEST = 4 * 2**30
"""Bytes that a zip may unpack to: far more than 100,000 ratings, far less than a disk."""


@contextmanager
def opened(path: Path, folder: str) -> Iterator[zipfile.ZipFile]:
    """A zip to unpack into `folder`; raises InputError where it cannot be read, or there is no room."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    # All that reading a zip raises: RuntimeError is a password's, NotImplementedError an unknown compression's.
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):  # the zip is not to blame
            raise InputError(f"There is no room to unpack {path.name} in {folder}; free some space.") from error
        raise InputError(f"{path.name} is damaged, or no zip that can be read; export it again.") from error


@contextmanager
def unpacked(path: Path, pattern: str, wanted: str) -> Iterator[Path]:
    """A folder with the files of the zip that stand beside the first one whose name matches, or below it.

    `pattern`: as `manifest.json` or `*.json`; `wanted`: what to give instead, for the message. Raises InputError where
    the zip holds no such file, cannot be read, or unpacks to more than `LARGEST`.
    """
    with tempfile.TemporaryDirectory(prefix="fabula-import-") as name:
        with opened(path, name) as archive:
            files = [(info, PurePosixPath(info.filename)) for info in archive.infolist() if not info.is_dir()]
            # Among the matching ones the outermost; what macOS adds to a zip is nobody's file.
            matching = [file for _, file in files if file.match(pattern) and "__MACOSX" not in file.parts]
            if not matching:
                raise InputError(f"{path.name} holds no {pattern}; give {wanted}.")
            root = min(matching, key=lambda file: len(str(file))).parent
            left, refusal = LARGEST, f"The zip unpacks to more than {LARGEST // 2**30} GB; no export does."
            for info, inside in files:
                if not inside.is_relative_to(root):
                    continue
                below = inside.relative_to(root)
                if ".." not in below.parts:
                    left = unpack(archive, info, Path(name) / below, left, refusal)
        yield Path(name)


def unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo | str, target: Path, left: int, refusal: str) -> int:
    """Unpack one file; returns how many bytes may still come. What a zip says of its sizes is not believed.

    Raises InputError, with `refusal` for a message, where there are more than `left`.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(info) as packed, target.open("wb") as out:
        while block := packed.read(2**20):
            left -= len(block)
            if left < 0:
                raise InputError(refusal)
            out.write(block)
    return left
