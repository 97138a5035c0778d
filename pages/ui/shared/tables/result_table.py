"""Tables of the Judgments page: figures beside their intervals, each table as a file too."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from core.arrays import Floats
from core.formats.results_csv import ResultRow
from core.statistics.intervals import Estimate
from core.wording import digits, real_minus
from pages.ui.shared.tables.downloads import CHART as CHART
from pages.ui.shared.tables.downloads import interval as interval
from pages.ui.shared.tables.downloads import table_with_downloads


def table(
    name: str,
    rows: Sequence[ResultRow],
    formats: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
    on_row: Callable[[int], None] | None = None,
    on_cell: Callable[[int, str], None] | None = None,
    widths: Mapping[str, int] | None = None,
    people: str = "",
) -> None:
    """Rows under a name that no other table of the page has, as `table_with_downloads` shows them."""
    table_with_downloads(
        rows, name, formats=formats, notes=notes, on_row=on_row, on_cell=on_cell, widths=widths, people=people
    )


def decimals(values: Iterable[Estimate | None]) -> str:
    """How to write all of a column, the ends of its intervals too: its largest number has four digits."""
    known = [abs(value.value) for value in values if value is not None and value.value]
    digits = 3 - math.floor(math.log10(max(known))) if known else 3
    return f"%.{min(9, max(0, digits))}f"


def written(scores: Floats) -> str:
    """How to write all scores of a metric, with as many decimals wherever they are listed: whole ones with none."""
    known = scores[np.isfinite(scores)]
    if (known == np.rint(known)).all():
        return "%.0f"
    return decimals([Estimate(float(np.abs(known).max()))])


def number(value: float | None) -> str:
    """Three decimals, or a dash."""
    return "–" if value is None else real_minus(digits(value, ".3f"))
