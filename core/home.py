"""The folder in which Fabula keeps its data: the database, converted models, checkpoints and logs."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from core.errors import StorageError

ROOT = Path(__file__).resolve().parent.parent


PRIVATE = 0o077
"""The rights that nobody but its user has in the home folder: it holds answers, links and the server's secret."""

RESTORING = "restoring"
"""The folder in the home folder that a backup is unpacked into. It is there for as long as its restore is not over."""


def home() -> Path:
    """`FABULA_HOME`, or `.fabula` beside the program."""
    return Path(os.environ.get("FABULA_HOME") or ROOT / ".fabula").expanduser().resolve()


def own_metrics() -> Path:
    """Where metrics of one's own are offered from: each a Python file, put there by who can reach the server's disk.
    Made when a server starts.
    """
    return home() / "metrics"


def private_home() -> Path:
    """The home folder, made where it is missing, and mended where others may look into it.

    Raises StorageError where that cannot be: it is another user's, or no folder.
    """
    folder = home()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in (folder, *folder.iterdir()):
            mode = path.stat().st_mode
            if mode & PRIVATE and not path.is_symlink():
                path.chmod(stat.S_IMODE(mode) & ~PRIVATE)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be made yours alone: {error.strerror}; give it to the user that Fabula runs "
            "as, or set FABULA_HOME."
        ) from error
    return folder


def readable_by_others() -> Iterator[str]:
    """The home folder (as ".") and what lies in it that others than its user may read or change; nothing where the
    folder itself lets nobody in.
    """
    folder = home()
    if folder.is_dir() and folder.stat().st_mode & PRIVATE:
        for path in (folder, *sorted(folder.iterdir())):
            if path.lstat().st_mode & PRIVATE and not path.is_symlink():
                yield str(path.relative_to(folder))
