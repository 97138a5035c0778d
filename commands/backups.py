"""Commands that back a server up, look a backup through, and put it back."""

from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, console, show
from db.backup import archive

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a zip.")]


def backup(file: BackupFile, json_file: JsonFile = None) -> None:
    """Write everything into one file, while the server goes on: database, checkpoints, secret, the owner's link."""
    contents = archive.make(file.expanduser())
    size = file.expanduser().stat().st_size / 2**20
    _say(contents, json_file, f"{file}, {size:,.1f} MB. Whoever has it is the owner: keep it as safe as the server.")


def verify(file: BackupFile, json_file: JsonFile = None) -> None:
    """Read a backup through: every file is what it was, and its database whole."""
    _say(archive.verify(file.expanduser()), json_file, f"{file}, which is whole.")


def restore(file: BackupFile, json_file: JsonFile = None) -> None:
    """Put a backup into an empty FABULA_HOME, and into an empty database where DATABASE_URL names one."""
    _say(archive.restore(file.expanduser()), json_file, f"{file}, restored here. The owner's link is what it was.")


def _say(contents: archive.Backup, json_file: str | None, sentence: str) -> None:
    """What a backup holds, in numbers, before a sentence about it."""
    numbers = f"{sum(contents.rows.values()):,} rows and {len(contents.files)} files of {contents.made_at} in "
    show(archive.as_json(contents), json_file, lambda: console.print(numbers + sentence, markup=False))
