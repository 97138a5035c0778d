"""How a file of separated values is written: its separator, and whether its cells are quoted."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.errors import InputError
from core.text_files import opened_text

TAB = "\t"


def separator_of(head: str) -> str:
    """Comma or semicolon, by the first line: spreadsheets write the latter where a comma is the decimal sign."""
    return ";" if ";" in head and "," not in head else ","


def separator_in(path: Path) -> str:
    """What stands between the cells of a file, "" where it is none of separated values."""
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".tsv"):
        return ""
    if suffix == ".tsv":
        return TAB
    with opened_text(path, "\n") as stream:
        return separator_of(next((line for line in stream if line.strip()), ""))


def numbered(records: Iterator[list[str]], name: str) -> Iterator[tuple[int, list[str]]]:
    """The records of csv's reader that are not empty, with their lines as a spreadsheet counts them: from 1, empty ones
    too, and a cell with line breaks as part of one. Raises InputError, naming the file, for what is no table.
    """
    line = 0
    try:
        for line, record in enumerate(records, start=1):
            if record:
                yield line, record
    except csv.Error as error:
        raise InputError(f"{name}, line {line + 1}: this is not a table ({error}).") from None


def is_quoted(lines: Iterable[str]) -> bool:
    """Whether tab-separated text (with its line ends) has cells in quotation marks, as spreadsheets and pandas do.

    Corpora have a quotation mark stand for itself. So the text must read whole with quotation, and some cell must only
    make sense so: it holds a doubled quotation mark, a tab or a line break.
    """
    csv.field_size_limit(2**31 - 1)  # what is too long is refused by name, elsewhere
    record_lines: list[str] = []

    def kept() -> Iterator[str]:
        for line in lines:
            record_lines.append(line)
            yield line

    width, evidence = 0, False
    try:
        for record in csv.reader(kept(), delimiter=TAB, strict=True):
            width = width or len(record)
            if record and len(record) != width:
                return False
            raw = record_lines[0].rstrip("\r\n").split(TAB)
            broken = any("\n" in cell or "\r" in cell for cell in record)  # wherever `lines` are parted
            evidence = evidence or broken or (bool(record) and raw != record and _doubled(raw, record))
            record_lines.clear()
    except csv.Error:
        return False
    return evidence


def _doubled(raw: list[str], record: list[str]) -> bool:
    """Whether one line's cells differ from what stands there by more than quotation marks around them."""
    return len(raw) != len(record) or any('"' in cell and cell != text for text, cell in zip(raw, record, strict=True))
