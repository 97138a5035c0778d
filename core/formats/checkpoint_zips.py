"""A checkpoint as one file: a zip of its weights and its card, and nothing else."""

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.checkpoints.card import LARGEST as LARGEST_CARD
from core.checkpoints.checkpoint import CARD, WEIGHTS, Checkpoint
from core.errors import InputError
from core.files import replacing
from core.formats.zips import opened, unpack

LARGEST = 16 * 2**30
"""Bytes of the weights of a model of four billion parameters in float32."""
MOST_TIMES = 50
"""So many times the zip's own size: trained weights can hardly be packed at all."""


def pack(checkpoint: Checkpoint, out: Path) -> None:
    """Write the zip, whole or not at all; the same checkpoint gives the same bytes. Raises StorageError."""
    with replacing(out) as partial, zipfile.ZipFile(partial, "w") as archive:
        archive.writestr(_entry(CARD), checkpoint.card.as_text())
        weights = (checkpoint.folder / WEIGHTS).open("rb")
        with weights, archive.open(_entry(WEIGHTS), "w", force_zip64=True) as entry:
            shutil.copyfileobj(weights, entry, 2**20)


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)  # not packed smaller, and of 1980
    info.external_attr = 0o644 << 16
    return info


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """A folder with the two files, for as long as the block lasts; what is in them is for `load` to check.

    Raises InputError where the zip holds anything else, is damaged, or unpacks to far more than it is.
    """
    if not path.is_file():
        raise InputError(f"There is no checkpoint {path}; name its zip or its folder.")
    with tempfile.TemporaryDirectory(prefix="fabula-checkpoint-") as name:
        with opened(path, name) as archive:
            _check_names(path, [info.filename for info in archive.infolist()])
            left = min(LARGEST, MOST_TIMES * path.stat().st_size)
            for member, most in ((CARD, min(left, LARGEST_CARD)), (WEIGHTS, left)):
                refusal = f"{member} unpacks to far more than a checkpoint has; get it from whoever made it again."
                unpack(archive, member, Path(name) / member, most, refusal)
        yield Path(name)


def _check_names(path: Path, names: list[str]) -> None:
    for name in (WEIGHTS, CARD):
        if names.count(name) != 1:
            raise InputError(f"{path.name} is no checkpoint: it has no {name}, or several; export it again.")
    for name in names:
        if name not in (WEIGHTS, CARD):
            raise InputError(
                f"{path.name} holds {name[:60]!r}: a checkpoint is {WEIGHTS} and {CARD}, and nothing else."
            )
