"""Where commands that train work, and where they put what they have made."""

import hashlib
import shutil
from pathlib import Path
from typing import Any

from commands.terminal import console, print_table, show
from core.errors import InputError
from core.files import path_of
from core.home import home
from core.training.card import check_name
from core.training.checkpoint import Checkpoint


def checked_name(name: str, out: Path) -> str:
    """The checkpoint's name: the folder's, if none is given. Raises InputError where there is such a folder."""
    if out.exists():
        raise InputError(f"There is a {out} already; name a new folder.")
    return check_name(name or out.name)


def working_folder(out: Path) -> Path:
    """What is under way: the same for the same folder to be made, so that the same command goes on."""
    return home() / "training" / hashlib.sha256(str(path_of(str(out), "folder")).encode()).hexdigest()[:12]


def put(made: Checkpoint, folder: Path, out: Path, json_file: str | None, **more: Any) -> None:
    """Move the checkpoint to its place, delete what was under way in `folder`, and show its figures."""
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(made.folder, out)
    shutil.rmtree(folder)

    def table() -> None:
        rows = [[one.what, one.value, one.low, one.high, one.n] for one in made.card.figures]
        print_table(made.card.name, ["figure", "value", "low", "high", "n"], rows)
        console.print(f"The checkpoint is in {out}; `checkpoints import` makes it known.", markup=False, soft_wrap=True)

    show({**made.card.as_json(), "folder": str(out), **more}, json_file, table)
