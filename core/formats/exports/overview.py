"""A file of judgments as it is, before anybody says what its columns hold: all that a page shows of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.formats.cells import is_number
from core.formats.delimited import separator_in
from core.formats.exports.cell_kinds import lacks_number, vote_of
from core.formats.exports.choice import item_of
from core.formats.exports.decoding import cells_of, names_of, shown_cell
from core.formats.stories.survey import PREVIEWED
from core.formats.tables import alike

FEW = 20
"""Values of a column from which rows can be chosen."""


@dataclass(frozen=True)
class FileOverview:
    """`first`: its first rows; `numbers`: the columns in which some row has a number, as one with ratings has; `votes`:
    those of yes and no, which ratings may be as well. `values`: what stands in the columns that hold few values, each
    as it stands there first. `item`: the column of items that is the story's id, "" where there is none.
    """

    columns: tuple[str, ...]
    rows: int
    first: tuple[dict[str, Any], ...]
    numbers: tuple[str, ...]
    votes: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]
    item: str


def overview(path: Path) -> FileOverview:
    """Look a file through; raises InputError where it cannot be read."""
    columns = names_of(path)
    first: list[dict[str, Any]] = []
    wordy = dict(enumerate(columns))
    spoken = set(wordy)
    values: dict[int, dict[str, str]] = {place: {} for place in range(len(columns))}
    rows, separator = 0, separator_in(path)
    for cells in cells_of(path, columns):
        rows += 1
        if len(first) < PREVIEWED:
            first.append(dict(zip(columns, cells, strict=True)))
        values = {place: seen for place, seen in values.items() if _is_of_few(seen, cells[place])}
        wordy = {place: column for place, column in wordy.items() if not _is_number(cells[place], separator)}
        spoken = {place for place in spoken if lacks_number(cells[place]) or vote_of(cells[place]) is not None}
    numbers = tuple(column for column in columns if column not in wordy.values())
    few = {columns[place]: tuple(seen.values()) for place, seen in values.items() if seen}
    votes = tuple(wordy[place] for place in sorted(spoken & wordy.keys()) if any(few.get(columns[place], ())))
    return FileOverview(tuple(columns), rows, tuple(first), numbers, votes, few, item_of(path, columns))


def _is_of_few(seen: dict[str, str], cell: Any) -> bool:
    """Whether a column still holds few values with this cell, which joins those that were seen."""
    try:
        text = shown_cell(cell, "")
    except InputError:  # no text: rows are not chosen by it
        return False
    seen.setdefault(alike(text), text.strip())
    return len(seen) <= FEW


def _is_number(cell: Any, separator: str) -> bool:
    """Whether the import reads a cell as a number; an empty one says nothing."""
    return not lacks_number(cell) and is_number(cell, separator)
