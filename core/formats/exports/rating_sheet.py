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


def rating_sheet(rows: Iterable[ExportedRating], scheme: Scheme) -> Iterator[bytes]:
    """The rows as the bytes of a CSV file, a block at a time, with the mark by which spreadsheets know UTF-8.

    Whose rating it is of what, the criteria of the scheme in the order in which they are asked, the points deducted by
    error type (empty where nothing was), how many raters a rating is the mean of, and the reason given.
    """
    types = [error_type.name for error_type in scheme.error_types]
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(map(cell_of, (*_TEXTS, *scheme.names, *types, "raters", "comment")))
    for block in blocks(rows, BLOCK):
        for row in block:
            values = [_cell(row.overall if name == OVERALL else row.criteria.get(name)) for name in scheme.names]
            points = [row.deductions.get(name) for name in types]
            about = [cell_of(getattr(row, name)) for name in _TEXTS]
            writer.writerow([*about, *values, *points, row.raters, cell_of(row.comment)])
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()
    yield out.getvalue().encode()  # the names, where there were no rows


def _cell(value: float | None) -> float | None:
    """A whole number without the decimal that no answer has."""
    return int(value) if value is not None and value.is_integer() else value
