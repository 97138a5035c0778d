"""Commands about checkpoints (trained metrics): list, import, export, delete."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, console, print_table, show
from core.checkpoints.checkpoint import load
from core.errors import InputError
from core.files import path_of
from core.formats.checkpoint_zips import pack, unpacked
from core.people import TERMINAL
from db.training import checkpoints

Name = Annotated[str, typer.Argument(metavar="NAME", help="The checkpoint's name, as `checkpoints list` shows it.")]


def list_checkpoints(json_file: JsonFile = None) -> None:
    """List the trained metrics."""
    loaded_checkpoints = checkpoints.listed(TERMINAL)
    rows = [
        {**checkpoint.card.as_json(), "shipped": checkpoint.shipped, "folder": str(checkpoint.folder)}
        for checkpoint in loaded_checkpoints
    ]

    def table() -> None:
        lines = [
            [
                checkpoint.card.name,
                checkpoint.card.kind,
                checkpoint.card.base,
                f"{sum(data.size for data in checkpoint.card.data):,}",
                "\n".join(f"{figure.what} {figure.value:.4f} (n = {figure.n:,})" for figure in checkpoint.card.figures),
                f"{checkpoint.card.created:%Y-%m-%d}",
            ]
            for checkpoint in loaded_checkpoints
        ]
        print_table("", ["name", "kind", "base", "trained on", "measured", "made"], lines)

    show({"rows": rows}, json_file, table)


def import_checkpoint(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A checkpoint's zip or folder.")],
    name: Annotated[str, typer.Option(help="A name to know it by; its card's, if left out.")] = "",
) -> None:
    """Bring in a trained metric, after every check of its files."""
    given = path_of(path, "checkpoint")
    with nullcontext(given) if given.is_dir() else unpacked(given) as folder:
        kept = checkpoints.add(TERMINAL, load(folder), name)
    console.print(f"{kept.card.name} is in {kept.folder}.", markup=False, soft_wrap=True)


def export_checkpoint(
    name: Name,
    out: Annotated[Path, typer.Option(help="The zip to write.")],
) -> None:
    """Write a trained metric as one zip, to be imported elsewhere."""
    pack(checkpoints.find(name).checkpoint(), out)
    console.print(f"{name} written to {out}.", markup=False)


def delete_checkpoint(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a trained metric with its files; scores that it gave stay."""
    checkpoint = checkpoints.find(name)
    if checkpoint.shipped:
        raise InputError(f"The checkpoint {name} comes with Fabula: it stays as it is.")
    if not yes:
        typer.confirm(f"Delete the checkpoint {name} for good?", abort=True)
    checkpoints.remove(TERMINAL, checkpoint)
    console.print(f"{name} is deleted.", markup=False)
