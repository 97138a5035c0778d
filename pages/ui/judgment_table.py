"""Tables of the Judgments page: figures beside their intervals, each table as a file too."""

from collections.abc import Mapping, Sequence

from core.formats.results import ResultRow
from pages.ui.exports import CHART as CHART
from pages.ui.exports import interval as interval
from pages.ui.exports import table_with_downloads


def table(name: str, rows: Sequence[ResultRow], formats: Mapping[str, str] | None = None) -> None:
    """Rows under a name that no other table of the page has, as `table_with_downloads` shows them."""
    table_with_downloads(rows, name, formats=formats)


def number(value: float | None) -> str:
    """Three decimals, or a dash."""
    return "–" if value is None else f"{value:.3f}"
