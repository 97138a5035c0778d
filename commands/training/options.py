"""What commands that train have in common: options, how they work, and where they put what they have made."""

import hashlib
import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.terminal import console, print_table, show
from core.checkpoints.card import check_name
from core.checkpoints.checkpoint import Checkpoint
from core.errors import InputError
from core.files import path_of
from core.home import home
from core.models.catalogue import MINILM, ModelSource, Role, locate
from core.training.engine.recipe import Way

CheckpointName = Annotated[str, typer.Option("--name", help="The checkpoint's name; the folder's, if left out.")]
BaseName = Annotated[str, typer.Option("--base", help="What it stands on: a bundled model, a folder or a hub name.")]
Layers = Annotated[list[int] | None, typer.Option("--layer", help="A layer of the base to read; may be repeated.")]
StoryWords = Annotated[int, typer.Option("--words", help="Stories are cut within so many words; 0 for never.")]
Precision = Annotated[str, typer.Option("--precision", help="Of the base: float32, or bfloat16.")]
Device = Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")]


def recipe_option(step: str) -> Any:
    """`--recipe`; `step`: what a step of the published recipe takes in."""
    text = f"fabula, or paper: as published, over all of a BERT that learns, in steps of {step}."
    return typer.Option("--recipe", help=text)


def steps_option(usual: int) -> Any:
    """`--steps`, `usual` where it is left out."""
    return typer.Option("--steps", help=f"With --recipe paper: how many steps a model; {usual:,} if left out.")


def base_source(name: str, recipe: Way) -> ModelSource:
    """The base that is named, else the usual one: the published recipes need one that learns as a whole."""
    return locate(name or (MINILM if recipe is Way.PAPER else ""), Role.BASE)


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
