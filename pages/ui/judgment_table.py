"""Tables of the Judgments page: figures beside their intervals, each table as a CSV file too."""

import re
from collections.abc import Mapping, Sequence

import streamlit as st

from core.annotation.draws import Estimate
from core.formats.results import ResultRow, results_csv

CHART = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}
"""Of every chart: its camera saves an SVG."""


def table(name: str, rows: Sequence[ResultRow], formats: Mapping[str, str] | None = None) -> None:
    """Rows under a name that no other table of the page has.

    A cell may be a text, a number, None, or an Estimate, which gets a second column for its interval; reasons why
    figures are undefined stand in a last one. `formats`: how a column's numbers are written, with three decimals
    where it says nothing.
    """
    given = dict(formats or {})
    shown = [_shown(row, given) for row in rows]
    reasons = [_reasons(row) for row in rows]
    if any(reasons):
        shown = [row | {"Undefined": why} for row, why in zip(shown, reasons, strict=True)]
    config = {
        column: st.column_config.NumberColumn(format=given.get(column, "%.3f"))
        for column in dict.fromkeys(column for row in shown for column in row)
        if column in given or any(isinstance(row.get(column), float) for row in shown)
    }
    st.dataframe(shown, hide_index=True, alt=name, column_config=config)
    file = re.sub(r"\W+", "-", name.lower())
    st.download_button(
        f"{name}, as CSV",
        results_csv(rows),
        file_name=f"{file}.csv",
        mime="text/csv",
        key=f"csv_{file}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help="Unrounded, the ends of intervals in columns of their own",
    )


def _shown(row: ResultRow, formats: Mapping[str, str]) -> dict[str, object]:
    cells: dict[str, object] = {}
    for column, cell in row.items():
        if isinstance(cell, Estimate):
            cells[column] = cell.value
            significant = formats.get(column, "").endswith("g")  # ranks, and scores of any size
            cells[f"95 % of {column}"] = interval(cell.low, cell.high, formats[column] if significant else "%.3f")
        else:
            cells[column] = cell
    return cells


def _reasons(row: ResultRow) -> str:
    found = {cell.undefined for cell in row.values() if isinstance(cell, Estimate) and cell.undefined}
    return "; ".join(sorted(found))


def interval(low: float | None, high: float | None, written: str = "%.3f") -> str:
    """Both ends, or a dash."""
    return "–" if low is None or high is None else f"{written % low} to {written % high}"


def number(value: float | None) -> str:
    """Three decimals, or a dash."""
    return "–" if value is None else f"{value:.3f}"
