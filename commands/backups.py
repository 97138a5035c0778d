"""Commands that back a server up, look a backup through, and put it back."""

from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, console, show
from db.backup import archive

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a zip.")]


def backup(file: BackupFile, json_file: JsonFile = None) -> None:
    """Write everything into one file, while the server goes on: database, checkpoints, secret, the owner's link."""
    made = archive.make(file.expanduser())
    size = file.expanduser().stat().st_size / 2**20
    show(
        archive.as_json(made),
        json_file,
        lambda: console.print(
            f"{file} holds {sum(made.rows.values()):,} rows and {len(made.files)} files, {size:,.1f} MB. Whoever has "
            "it is the owner: keep it as safe as the server.",
            markup=False,
        ),
    )


def verify(file: BackupFile, json_file: JsonFile = None) -> None:
    """Read a backup through: every file is what it was, and its database whole."""
    found = archive.verify(file.expanduser())
    show(
        archive.as_json(found),
        json_file,
        lambda: console.print(
            f"{file} is whole: {sum(found.rows.values()):,} rows, {len(found.files)} files, made {found.made_at}.",
            markup=False,
        ),
    )


def restore(file: BackupFile, json_file: JsonFile = None) -> None:
    """Put a backup into an empty FABULA_HOME, and into an empty database where DATABASE_URL names one."""
    found = archive.restore(file.expanduser())
    show(
        archive.as_json(found),
        json_file,
        lambda: console.print(
            f"Restored what {file} holds, made {found.made_at}: {sum(found.rows.values()):,} rows. The owner's link is "
            "what it was.",
            markup=False,
        ),
    )
