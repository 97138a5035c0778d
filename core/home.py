"""The folder in which Fabula keeps its data: the database, converted models, checkpoints and logs."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def home() -> Path:
    """`FABULA_HOME`, or `.fabula` beside the program."""
    return Path(os.environ.get("FABULA_HOME") or ROOT / ".fabula").expanduser().resolve()
