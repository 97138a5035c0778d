"""The column of a file of figures that says why a page claims nothing of some of them."""

from collections.abc import Sequence

from core.formats.results_csv import ResultRow

NO_CLAIM = "No claim"
"""What it is called: it says why there is no star, no p or no interval on the page."""


def with_no_claim(rows: Sequence[ResultRow], reasons: Sequence[str]) -> list[ResultRow]:
    """Rows of a file that has every number, and in words why nothing may be claimed of some; where there are such."""
    if not any(reasons):
        return list(rows)
    return [{**row, NO_CLAIM: reason} for row, reason in zip(rows, reasons, strict=True)]
