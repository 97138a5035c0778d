"""OpenMEVA's test sets as one file: a zip of a corpus's folder (see `autos`)."""

import io
import re
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from core.errors import InputError
from core.formats.autos import FOLDERS, read_autos
from core.formats.autos_out import autos_files
from core.formats.zips import opened
from core.perturb.sets import Case

LARGEST = 2**30
"""Bytes that a zip may unpack to: the paper's larger corpus takes a third of it."""
MOST_FILES = 1_000
"""Files that a zip may hold; both corpora of the paper have fewer than a hundred."""
LONGEST_NAME = 60


def corpus_of(name: str) -> str:
    """What a corpus is called in files, of a test set's name."""
    return re.sub(r"[\W_]+", "-", name)[:LONGEST_NAME].strip("-").lower() or "stories"


def pack_autos(cases: Sequence[Case], corpus: str) -> bytes:
    """The folder as a zip; the same cases give the same bytes. Raises InputError for what the format cannot hold."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in autos_files(cases, corpus).items():
            entry = zipfile.ZipInfo(f"{corpus}/{name}")  # of 1980
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return made.getvalue()


def read_packed_autos(path: Path) -> tuple[Case, ...]:
    """The tests of the one corpus in a zip.

    Raises InputError where the zip is damaged, unpacks to far more than tests do, holds tests of no corpus or of
    several, or a file of them is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="fabula-tests-") as name:
        folder = Path(name) / corpus_of(path.stem)
        folder.mkdir()
        with opened(path, name) as archive:
            _unpack_all(path, archive, folder)
        corpora = sorted({found.parent for place in FOLDERS for found in folder.rglob(place) if found.is_dir()})
        if not corpora:
            raise InputError(
                f"{path.name} holds no test of OpenMEVA's: zip a corpus's folder, the one with {' or '.join(FOLDERS)}."
            )
        if len(corpora) > 1:
            names = ", ".join(one.name[:LONGEST_NAME] for one in corpora)
            raise InputError(f"{path.name} holds tests of several corpora ({names}): give one at a time.")
        try:
            return read_autos(corpora[0])
        except InputError as error:  # a file is where it stands in the zip
            raise InputError(str(error).replace(f"{name}/", "")) from error


def _unpack_all(path: Path, archive: zipfile.ZipFile, folder: Path) -> None:
    """The texts alone, none of them outside the folder; what a zip says of its sizes is not believed."""
    files = [(info, PurePosixPath(info.filename.replace("\\", "/"))) for info in archive.infolist()]
    files = [(info, inside) for info, inside in files if inside.suffix == ".txt" and "__MACOSX" not in inside.parts]
    if len(files) > MOST_FILES:
        raise InputError(f"{path.name} holds {len(files):,} texts; a test set of OpenMEVA's has far fewer.")
    left = LARGEST
    for info, inside in files:
        if info.is_dir() or inside.is_absolute() or ".." in inside.parts:
            continue
        target = folder / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as packed, target.open("wb") as out:
            while block := packed.read(2**20):
                left -= len(block)
                if left < 0:
                    raise InputError(f"{path.name} unpacks to more than {LARGEST // 2**20:,} MB; no test set does.")
                out.write(block)
