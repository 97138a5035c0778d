"""A table of a paper as data, in the shape in which it was printed."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedTable:
    """`rows`: label -> cells, one a column, as printed: stars and commas kept, minus signs as "-", "" where nothing is.

    `paper`: as "UNION (2020)"; `number`: as "Table 5"; `caption`: what it shows, in our words; `note`: what a reader
    must know of the transcription. A table of worked examples alone has no rows: there is nothing in it to compare.
    """

    paper: str
    number: str
    caption: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    note: str = ""

    @property
    def name(self) -> str:
        """As "UNION (2020) Table 5"."""
        return f"{self.paper} {self.number}"

    def cell(self, row: str, column: str) -> str:
        """What stands there; raises KeyError or ValueError for a row or a column that is not there."""
        return self.rows[row][self.columns.index(column)]


def grid(text: str) -> dict[str, tuple[str, ...]]:
    """Rows from lines of `label | cell cell …`; a dot stands for an empty cell."""
    rows = {}
    for line in text.strip().splitlines():
        label, _, cells = line.partition("|")
        rows[label.strip()] = tuple("" if cell == "." else cell for cell in cells.split())
    return rows
