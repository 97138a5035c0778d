"""Files that a user names: a path, or one sentence on why it is none."""

from pathlib import Path

from core.errors import InputError

LARGEST_TEXT = 50 * 2**20
"""Bytes of a text file that is read as a whole."""


def path_of(name: str, what: str) -> Path:
    """The path that `name` means, `~` included; raises InputError where it means none, or may not be looked at."""
    try:
        path = Path(name).expanduser().resolve()
        path.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"The {what} {name[:200]} cannot be read; check its name and permissions.") from error
    return path


def text_of(name: str, what: str) -> str:
    """The text of a file in UTF-8, of at most 50 MB; raises InputError where it is no such file."""
    path = path_of(name, what)
    try:
        if not path.exists():
            raise InputError(f"There is no {what} {name}.")
        if not path.is_file() or path.stat().st_size > LARGEST_TEXT:
            raise InputError(f"The {what} {name} is not a text file of at most {LARGEST_TEXT // 2**20} MB.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The {what} {name} cannot be read; name a text file in UTF-8.") from error
