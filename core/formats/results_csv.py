"""Tables of results as CSV: every figure unrounded, with the ends of its interval in columns of their own."""

import csv
import io
from collections.abc import Mapping, Sequence

from core.formats.cells import cell_of
from core.statistics.intervals import Estimate

ResultRow = Mapping[str, object]
"""Column -> a text, a number, None, or an Estimate."""


class AtMost(float):
    """A number that is only known to be no larger than this: a table says so, a file has the number."""


def results_csv(rows: Sequence[ResultRow]) -> str:
    """The rows under the columns of all of them, in order. An Estimate takes three columns, and a fourth, why it is
    undefined, where any of its column is; a text that a spreadsheet would run as a formula begins with `'`.
    """
    columns = list(dict.fromkeys(column for row in rows for column in row))
    estimated = {c for c in columns if any(isinstance(row.get(c), Estimate) for row in rows)}
    undefined = {c for c in estimated if any(_estimate(row.get(c)).undefined for row in rows)}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    header: list[str] = []
    for column in columns:
        header.append(column)
        if column in estimated:
            header += [f"{column}, low", f"{column}, high"]
        if column in undefined:
            header.append(f"{column}, undefined")
    writer.writerow([cell_of(name) for name in header])
    for row in rows:
        cells: list[object] = []
        for column in columns:
            if column in estimated:
                estimate = _estimate(row.get(column))
                cells += [estimate.value, estimate.low, estimate.high]
                cells += [estimate.undefined] if column in undefined else []
            else:
                cells.append(row.get(column))
        writer.writerow([cell_of(cell) if isinstance(cell, str) else cell for cell in cells])
    return out.getvalue()


def _estimate(cell: object) -> Estimate:
    return cell if isinstance(cell, Estimate) else Estimate(None)
