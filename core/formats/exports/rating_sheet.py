"""The ratings that count as one sheet, for R, pandas or a spreadsheet: a row a rating, a column a criterion."""

import csv
import io
from collections.abc import Iterable, Iterator

from core.annotation.criterion import OVERALL
from core.annotation.scheme import Scheme
from core.formats.cells import cell_of
from core.formats.exports.encoding import BLOCK, blocks
from core.formats.exports.rows import ExportedRating

SHEET = "sheet"
"""The name of the format."""
_TEXTS = ("prompt_id", "prompt", "story_id", "source", "system", "story", "annotator")
READ_IN_R = 'read.csv("ratings.csv", fileEncoding = "UTF-8-BOM")'
"""Told of the mark by which spreadsheets know UTF-8, R leaves it out of the first column's name."""


def rating_sheet(rows: Iterable[ExportedRating], scheme: Scheme, *, imports_asked: bool) -> Iterator[bytes]:
    """The rows as the bytes of a CSV file, a block at a time, with the mark by which spreadsheets know UTF-8; see
    `column_meanings`. `imports_asked`: whether people whose ratings were imported could name error types.
    """
    types = [error_type.name for error_type in scheme.error_types]
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(map(cell_of, (*_TEXTS, *map(_called, (*scheme.names, *types)), "raters", "comment")))
    for block in blocks(rows, BLOCK):
        for row in block:
            values = [_cell(row.overall if name == OVERALL else row.criteria.get(name)) for name in scheme.names]
            errors = _errors(row, scheme, asked=imports_asked or row.state != "imported")
            about = [cell_of(getattr(row, name)) for name in _TEXTS]
            writer.writerow([*about, *values, *errors, row.raters, cell_of(row.comment)])
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()
    yield out.getvalue().encode()  # the names, where there were no rows


def column_meanings(scheme: Scheme) -> dict[str, str]:
    """What each column of this scheme's sheet is, those of a kind together."""
    deducting = [_called(error_type.name) for error_type in scheme.error_types if error_type.points]
    named = [_called(error_type.name) for error_type in scheme.error_types if not error_type.points]
    of_imports = "empty of imported ratings where no import has error types"
    meanings = {
        "prompt_id, prompt": "the prompt's id, and its text",
        "story_id, source, system, story": "the story's id, who wrote it (system, human or negative), its system's "
        "name, and its text",
        "annotator": "who rated it, by a pseudonym that is the same in every export of this study",
        ", ".join(map(_called, scheme.names)): "the rating, empty where none was given",
        ", ".join(deducting): f"points deducted for this error type: 0 where none were, {of_imports}",
        ", ".join(named): f"1 where this error type was named and 0 where it was not, {of_imports}",
        "raters": "1, a single person's rating; of an imported mean, of how many people's ratings it is the mean",
        "comment": "the reason in the annotator's own words, where the form asks for one",
    }
    return {columns: meaning for columns, meaning in meanings.items() if columns}


def _called(name: str) -> str:
    """A criterion or an error type as a column is called: a name with blanks has to be put between marks in R."""
    return "_".join(name.split())


def _errors(row: ExportedRating, scheme: Scheme, *, asked: bool) -> list[int | None]:
    """What the rating says of each error type; nothing where nobody was `asked`."""
    if not asked:
        return [None] * len(scheme.error_types)
    return [
        row.deductions.get(one.name, 0) if one.points else int(one.name in row.deductions) for one in scheme.error_types
    ]


def _cell(value: float | None) -> float | None:
    """A whole number without the decimal that no answer has."""
    return int(value) if value is not None and value.is_integer() else value
