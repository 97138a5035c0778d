"""Reading text files, and the limits every format keeps."""

from pathlib import Path

from core.errors import InputError
from core.stories import LONGEST_STORY


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
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(f"{path.name}, line {line}: this is not UTF-8 text; save the file as UTF-8.") from None


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
            "check that the file has one story a row."
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{where}: the text holds half of a character (a lone surrogate); repair it.") from None
    return text


def parse_number(value: object, where: str) -> float:
    """A finite number, or InputError."""
    try:
        number = float(str(value).strip())
    except ValueError:
        raise InputError(f"{where}: {str(value)[:40]!r} is not a number.") from None
    if number - number != 0:
        raise InputError(f"{where}: {str(value).strip()} is not a finite number.")
    return number


def empty_notice(texts: list[str]) -> tuple[str, ...]:
    """A sentence for the importer when stories are empty: they are data, but metrics leave them undefined."""
    number = sum(not text.strip() for text in texts)
    if not number:
        return ()
    return (f"{number} {'story is' if number == 1 else 'stories are'} empty: metrics leave such stories undefined.",)
