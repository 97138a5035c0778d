"""A table as it is, before anybody says what its columns hold: all that a page shows of it."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.formats.cells import is_empty, is_number
from core.formats.columns import guess_columns
from core.formats.scores import IDS, PEOPLE
from core.formats.stories.rows import NamedRows, row_file
from core.formats.stories.survey import PREVIEWED


@dataclass(frozen=True)
class TableOverview:
    """`first`: its first rows; `guessed`: the column of each field, by names and contents; `numbers`: the columns in
    which rows have numbers and else only empty cells; `separator`: what stands between its cells.
    """

    columns: tuple[str, ...]
    rows: int
    first: tuple[dict[str, Any], ...]
    guessed: dict[str, str]
    numbers: tuple[str, ...]
    separator: str

    def scores(self, id_column: str | None, but: Collection[str]) -> list[str]:
        """The columns that may hold metrics' scores: of numbers, `but` for some, the ids and people's own mean."""
        identity = id_column or next((column for column in IDS if column in self.columns), None)
        return [column for column in self.numbers if column not in {identity, PEOPLE, *but}]


def overview(path: Path) -> TableOverview:
    """Look a table through; raises InputError where it cannot be read."""
    file = row_file(path)
    first: list[dict[str, Any]] = []
    numeric, numbered = set(file.columns), set[str]()
    rows = 0
    for row in NamedRows(file, file.columns):
        rows += 1
        if len(first) < PREVIEWED:
            first.append(dict(row))
        if filled := {column for column in numeric if not is_empty(row[column])}:
            numbers = {column for column in filled if is_number(row[column], file.separator)}
            numeric -= filled - numbers
            numbered |= numbers
    guessed = guess_columns(file.columns, NamedRows(file, file.columns))
    scores = tuple(column for column in file.columns if column in numeric & numbered)
    return TableOverview(file.columns, rows, tuple(first), guessed, scores, file.separator)
