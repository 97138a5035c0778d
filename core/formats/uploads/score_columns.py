"""Which columns of a table may be imported as a metric's scores, the likeliest first, and why others may not."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from core.errors import InputError
from core.formats.cells import is_empty, is_number, number_of, parse_number
from core.formats.columns import called_like_machine
from core.formats.exports.choice import called_ratings
from core.formats.exports.criterion_columns import numbered_criteria
from core.formats.scores import numeric_columns, other_columns, place_of, rows_with_score
from core.formats.tables import Table


@dataclass(frozen=True)
class OfferedScores:
    """`columns`: those that may be a metric's, by how many rows have a number in each; those that a name says to be of
    a judge or a metric first, and `people`'s ratings last. `refused`: a sentence a column that would be one of them but
    for a cell.
    """

    columns: dict[str, int]
    people: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def usual(self) -> list[str]:
        """The columns to import where nobody chooses: all but people's ratings."""
        return [column for column in self.columns if column not in self.people]


def offered_scores(table: Table, id_column: str | None = None) -> OfferedScores:
    """What a table offers."""
    numeric = numeric_columns(table, id_column)
    machines = [column for column in numeric if called_like_machine(column)]
    several = (columns for columns in numbered_criteria(numeric).values() if _whole_numbers(table, columns))
    rated = {*chain.from_iterable(several), *called_ratings(numeric)}.difference(machines)
    others = [column for column in numeric if column not in rated and column not in machines]
    people = [column for column in numeric if column in rated]
    scored = {column: rows_with_score(table, column) for column in (*machines, *others, *people)}
    left = [column for column in other_columns(table, id_column) if column not in scored]
    refused = (_refused(table, column) for column in left)
    return OfferedScores(scored, tuple(people), tuple(sentence for sentence in refused if sentence))


def _whole_numbers(table: Table, columns: Sequence[str]) -> bool:
    """Whether columns hold whole numbers, as people's ratings are."""
    cells = (row.get(column) for row in table.rows for column in columns)
    return all(number_of(cell, table.separator).is_integer() for cell in cells if not is_empty(cell))


def _refused(table: Table, column: str) -> str:
    """Why a column is none of scores, of which most cells are numbers: the first that is not; "" for any other."""
    cells = {row: cell for row in range(len(table.rows)) if not is_empty(cell := table.rows[row].get(column))}
    wrong = [row for row, cell in cells.items() if not is_number(cell, table.separator)]
    if not wrong or 2 * len(wrong) >= len(cells):
        return ""
    try:
        parse_number(cells[wrong[0]], place_of(table, wrong[0], column), table.separator)
    except InputError as error:
        return str(error)
    return ""
