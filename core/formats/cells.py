"""Cells of tables: numbers in English and in European writing, and texts that a spreadsheet would run as formulas,
which are made harmless and read back.
"""

import re
from collections.abc import Iterable
from math import isfinite

from core.errors import InputError
from core.wording import so_many

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet may run (OWASP, "CSV injection"; the last four are full-width signs)."""
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
"""What is a thousand or one and a bit: 1,000."""


def number_of(value: object, separator: str = "") -> float:
    """The finite number that a cell holds, or ValueError. `separator`: what stands between the file's cells, "" where
    it is no file of separated values.

    Where that is no comma, a comma is the decimal sign; in a file with commas only where it can be nothing else, since
    1,000 is written for a thousand there.
    """
    text = str(value).strip()
    written = text
    if separator and "," in text and _DECIMAL_COMMA.fullmatch(text):
        if separator == "," and _THOUSANDS.fullmatch(text):
            plain, point = text.replace(",", ""), text.replace(",", ".")
            raise ValueError(f"{text[:40]!r} may be {plain} or {point}: write it without the comma.")
        written = text.replace(",", ".")
    try:
        if isinstance(value, bool) or "_" in text:  # Python reads 1_000 as a number, nobody's file means it
            raise ValueError
        number = float(written)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a number.") from None
    if not isfinite(number):
        raise ValueError(f"{text[:40]} is not a finite number.")
    return number


def parse_number(value: object, where: str, separator: str = "") -> float:
    """The same, or InputError that says where the cell is."""
    try:
        return number_of(value, separator)
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None


def is_number(value: object, separator: str = "") -> bool:
    """Whether a cell holds a finite number."""
    try:
        number_of(value, separator)
    except ValueError:
        return False
    return True


def is_empty(value: object) -> bool:
    """Whether a cell holds nothing: no text, or the NaN that tables of numbers write for it."""
    return value is None or value != value or not str(value).strip()


class DecimalCommas:
    """How many of the cells that were read as numbers have a decimal comma, and the first of them."""

    def __init__(self, separator: str) -> None:
        self.separator = separator
        self.number, self.first = 0, ""

    def read(self, value: object) -> float:
        """`number_of` a cell."""
        number = number_of(value, self.separator)
        if self.separator and isinstance(value, str) and "," in value:
            self.number += 1
            self.first = self.first or value.strip()
        return number

    def parse(self, value: object, where: str) -> float:
        """`parse_number` of a cell."""
        try:
            return self.read(value)
        except ValueError as error:
            raise InputError(f"{where}: {error}") from None

    def forget(self) -> None:
        """Begin anew, as the file is read again."""
        self.number, self.first = 0, ""

    @property
    def notices(self) -> tuple[str, ...]:
        """What the preview of an import says of them."""
        if not self.number:
            return ()
        point = self.first.replace(",", ".")
        return (f"Decimal commas were read in {so_many(self.number, 'number')}: {self.first[:20]} as {point[:20]}.",)


def others_refused(cells: Iterable[object], separator: str = "") -> str:
    """How many of a file's cells hold no number where one is refused, as a sentence behind that; "" of one alone. Empty
    cells are no such.
    """
    refused = sum(not is_number(cell, separator) for cell in cells if not is_empty(cell))
    return f" {refused:,} cells are not numbers." if refused > 1 else ""


def cell_of(text: str) -> str:
    """`text` as a cell: with `'` before it where it would run, or where it is such a cell already.

    The second makes `text_of` exact: `'=1` becomes `''=1`, while `'tis` stays as it is.
    """
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text


def text_of(cell: str) -> str:
    """The text that `cell_of` wrote; cells of other programs that hide a formula so are read alike."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA) else cell
