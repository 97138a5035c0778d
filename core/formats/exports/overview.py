"""A file of judgments as it is, before anybody says what its columns hold: all that a page shows of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.formats.exports.decoding import DECODERS, cells_of, names_of
from core.formats.stories.survey import PREVIEWED


@dataclass(frozen=True)
class FileOverview:
    """`first`: its first rows; `numbers`: the columns in which some row has a number, as one with ratings has."""

    columns: tuple[str, ...]
    rows: int
    first: tuple[dict[str, Any], ...]
    numbers: tuple[str, ...]


def overview(path: Path) -> FileOverview:
    """Look a file through; raises InputError where it cannot be read."""
    columns = names_of(path)
    first: list[dict[str, Any]] = []
    wordy = dict(enumerate(columns))
    rows = 0
    for cells in cells_of(path, columns):
        rows += 1
        if len(first) < PREVIEWED:
            first.append(dict(zip(columns, cells, strict=True)))
        wordy = {place: column for place, column in wordy.items() if not _is_rating(cells[place])}
    numbers = tuple(column for column in columns if column not in wordy.values())
    return FileOverview(tuple(columns), rows, tuple(first), numbers)


def _is_rating(cell: Any) -> bool:
    """Whether the import reads a cell as a number; an empty one says nothing."""
    try:
        return DECODERS["number"](cell) is not None
    except ValueError:
        return False
