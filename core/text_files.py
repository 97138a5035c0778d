"""Reading text files, and the limits that every format keeps."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from core.errors import InputError
from core.stories import LONGEST_STORY

NOT_UTF8 = 'this is not UTF-8 text; save the file as UTF-8: in Excel, Save as, "CSV UTF-8 (Comma delimited)".'
"""Excel is named, since what it saves as plain CSV is in the encoding of its country."""
LONGEST_KEY = 200
"""Characters of an id or a system's name: both stand in indexes, which take no essays."""


def read_text(path: Path) -> str:
    """The file as UTF-8 (a byte order mark is dropped); InputError if it cannot be read, is empty or is no text."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {path}.") from None
    except OSError as error:
        raise InputError(f"The file {path} cannot be read: {error.strerror}.") from error
    if not raw.strip():
        raise InputError(f"The file {path.name} is empty.")
    if raw.startswith(b"PK\x03\x04"):
        raise InputError(f"{path.name} is an Excel file or another archive, not text; save it as CSV.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(f"{path.name}, line {line}: {NOT_UTF8}") from None


@contextmanager
def opened_text(path: Path, newline: str) -> Iterator[TextIO]:
    """The same file to be read bit by bit, with `newline` as in `open`; what is no text is told when it is reached."""
    try:
        with path.open("rb") as stream:
            beginning = stream.read(4)
            if not beginning.strip() and not any(piece.strip() for piece in iter(lambda: stream.read(2**20), b"")):
                raise InputError(f"The file {path.name} is empty.")
            if beginning == b"PK\x03\x04":
                raise InputError(f"{path.name} is an Excel file or another archive, not text; save it as CSV.")
        with path.open(encoding="utf-8-sig", newline=newline) as text:
            yield text
    except FileNotFoundError:
        raise InputError(f"There is no file {path}.") from None
    except OSError as error:
        raise InputError(f"The file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise not_utf8(path) from None


def not_utf8(path: Path) -> InputError:
    """The error that names the first line that is no text: a decoder reads ahead of it in blocks."""
    read = 0
    with path.open("rb") as stream:
        for line in stream:
            read += 1
            try:
                line.decode()
            except UnicodeDecodeError:
                break
    return InputError(f"{path.name}, line {read}: {NOT_UTF8}")


def read_lines(path: Path) -> list[str]:
    """The file's lines; only a line feed ends one, since stories may hold other separators."""
    return [line.removesuffix("\r") for line in read_text(path).removesuffix("\n").split("\n")]


def check_text(text: str, where: str) -> str:
    """Return `text`, or raise InputError where no database and no page could take it."""
    if "\0" in text:
        raise InputError(f"{where}: the text holds a NUL byte; remove it.")
    if len(text) > LONGEST_STORY:
        raise InputError(
            f"{where}: the text has {len(text):,} characters and the most is {LONGEST_STORY:,}; "
            "check that the file has one story per row."
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{where}: the text holds half of a character (a lone surrogate); repair it.") from None
    return text


def check_key(key: str, where: str) -> str:
    """Return an id or a system's name, or raise InputError where it is too long or no text a database takes."""
    if len(key) > LONGEST_KEY:
        raise InputError(f"{where}: an id or name has at most {LONGEST_KEY} characters, this one {len(key):,}.")
    return check_text(key, where)


def parse_json(text: str, name: str, line: int | None = None, **hooks: Any) -> Any:
    """The value of a JSON text, or InputError naming file and line (`line` where the text is one line of a file)."""
    try:
        return json.loads(text, **hooks)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}, line {line or error.lineno}: this is not JSON ({error.msg}).") from None
    except (ValueError, RecursionError):
        where = f"{name}, line {line}" if line else name
        raise InputError(f"{where}: this JSON is nested too deeply or holds a number that is too long.") from None


def empty_notice(texts: list[str]) -> tuple[str, ...]:
    """A sentence for the importer when stories are empty: they are data, but metrics leave them undefined."""
    return empty_sentence(sum(not text.strip() for text in texts))


def empty_sentence(number: int) -> tuple[str, ...]:
    """The same for so many empty stories."""
    if not number:
        return ()
    return (f"{number} {'story is' if number == 1 else 'stories are'} empty: metrics leave such stories undefined.",)
