"""Where Fabula keeps trained metrics: a folder each in `FABULA_HOME/checkpoints`, named by its weights' hash."""

import re
import shutil
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from core.checkpoints.card import CheckpointCard
from core.checkpoints.checkpoint import CARD, WEIGHTS, Checkpoint, load
from core.errors import InputError, ModelMissing, StorageError
from core.files import making, path_of
from core.home import ROOT, home

SHIPPED = ROOT / "data" / "checkpoints"
"""Of those that come with the program."""
_PLACE = re.compile("[0-9a-f]{12}")


@dataclass(frozen=True)
class Kept:
    """A trained metric that Fabula has. `id`: of its row, None for one that comes with the program; `place`: its
    folder's name; `created_at`: since when it is here, in UTC.
    """

    id: int | None
    card: CheckpointCard
    place: str
    created_at: datetime

    @property
    def shipped(self) -> bool:
        """Whether it comes with the program."""
        return self.id is None

    @property
    def folder(self) -> Path:
        """Where its two files are."""
        return (SHIPPED if self.shipped else checkpoints_folder()) / self.place

    def checkpoint(self) -> Checkpoint:
        """Its files after every check, under the card as it is by now. Raises ModelMissing and InputError."""
        try:
            return Checkpoint(load(self.folder).folder, self.card)
        except ModelMissing as error:
            what = f"The files of the checkpoint {self.card.name!r} are not in {self.folder}"
            raise ModelMissing(f"{what}: delete it, and import it again.") from error


def shipped() -> tuple[str, ...]:
    """Names of the checkpoints that come with the program."""
    return tuple(sorted(folder.name for folder in SHIPPED.iterdir()))


def shipped_checkpoint(name: str) -> Kept:
    """The one of this name among them."""
    card = load(SHIPPED / name).card
    return Kept(None, card, name, card.created)


@cache
def shipped_by_weights() -> dict[str, Kept]:
    """The same by how the hash of their weights begins, as signatures have it."""
    return {kept.card.weights[:12]: kept for kept in map(shipped_checkpoint, shipped())}


def find(what: str) -> Checkpoint:
    """The checkpoint that comes with Fabula under this name, stands at this place, or lies in this folder.

    A name that somebody gave is the database's business: see `db.training.checkpoints.find`. Raises ModelMissing, and
    InputError where the files are not what they should be.
    """
    if what in shipped():
        return load(SHIPPED / what)
    if _PLACE.fullmatch(what):
        return load(checkpoints_folder() / what)
    if (folder := path_of(what, "checkpoint")).is_dir():
        return load(folder)
    raise ModelMissing(
        f"There is no checkpoint {what!r}: name one that comes with Fabula ({', '.join(shipped())}), one that "
        f"`checkpoints list` shows, or its folder."
    )


def checkpoints_folder() -> Path:
    """The folder of folders."""
    return home() / "checkpoints"


def keep(checkpoint: Checkpoint) -> str:
    """Copy a checkpoint to its place, unless it is there already; returns the place. Raises StorageError."""
    place = checkpoint.card.weights[:12]
    target = checkpoints_folder() / place
    try:
        load(target)
    except (ModelMissing, InputError):  # nothing, or damaged
        shutil.rmtree(target, ignore_errors=True)
        with making(target) as partial:
            for name in (WEIGHTS, CARD):
                shutil.copyfile(checkpoint.folder / name, partial / name)
    return place


def forget(place: str) -> None:
    """Delete the files at a place. Raises StorageError."""
    try:
        shutil.rmtree(checkpoints_folder() / place)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(
            f"{checkpoints_folder() / place} cannot be deleted: {error.strerror}; delete it by hand."
        ) from error
