"""Tables and figures with their downloads: CSV and LaTeX of a table, PDF, SVG, PNG and data of a figure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from core import wording
from core.analysis.verdict.sentences import listed
from core.figures.data import anything_drawn, figure_rows
from core.formats.latex import latex_table
from core.formats.results_csv import ResultRow, results_csv
from core.people import number_alone
from core.statistics.intervals import Estimate
from pages.ui.components.figure_export import figure_export
from pages.ui.shared.tables.column_notes import INTERVAL, note_of
from pages.ui.shared.tables.row_choice import choose_row, tick_rows
from pages.ui.shared.tables.written import as_written
from pages.ui.shared.text import escaped

CHART = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}
"""Of every chart: its camera saves an SVG as the screen shows it."""
PRESSED, MARKED = "pressed-table", "-marked"
"""Of the session's state: the table that was pressed last; after a table's key, its rows and cells that are marked."""
MOST_BESIDE = 2
"""Figures of a table that each have their interval beside them: of more, all intervals follow behind the figures, which
are then seen together.
"""
LINE, ABOVE_AND_BELOW = 20, 15
"""Pixels of a line of text in a cell, and beside all of them."""
SHOWN_WHOLE = 20
"""Rows of a table that is shown whole."""
UNDEFINED = "Undefined"
MOST_REASONS = 4
"""Reasons that are named below a table."""
LONG = ("Signature", UNDEFINED, "Why", "What it is")
"""Columns of long texts: they stand last, behind all numbers, as wide as they are long."""
HIDDEN = "Signature"
"""The one of them that a table shows only where its menu of columns is asked to. The downloads hold it, and the pages
of analyses have it under *What this rests on*.
"""
LETTER, NARROWEST, WIDEST = 7, 80, 2_000
"""Pixels of a letter in a cell, and of a column of long texts."""


def table_with_downloads(
    rows: Sequence[ResultRow],
    name: str,
    caption: str = "",
    *,
    formats: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
    key: str | None = None,
    data_rows: Sequence[ResultRow] | None = None,
    on_row: Callable[[int], None] | None = None,
    on_cell: Callable[[int, str], None] | None = None,
    widths: Mapping[str, int] | None = None,
    headings: Mapping[str, str] | None = None,
    beside: bool = False,
    people: str = "",
) -> None:
    """Rows under a name that no other table of the page has, and the same as CSV and LaTeX.

    A cell may be a text, a number, None, or an Estimate, which gets a second column for its interval; reasons why
    figures are undefined stand in a last one, and below the table, where they are read without scrolling. `caption`: of
    the LaTeX table, the name where it is empty; plain text. `formats`: how a column's numbers are written, with three
    decimals where it says nothing. `notes`: what a column is, under its heading's question mark, besides those that
    `note_of` knows. `key`: tells tables of one name apart. `data_rows`: what the CSV holds, where the table shows only
    part of it. `on_row`: what happens, before the page is drawn anew, when somebody presses a row; it gets the row's
    number. `on_cell`: likewise of a cell, by its row's number and its column's name. `widths`: of columns, in pixels,
    where their texts need not decide it. `headings`: shorter ones of columns, on the page alone. `beside`: every figure
    has its interval beside it, however many they are. `people`: a column of people, as `called` writes them; the files
    have their numbers and no names.
    """
    given = formats or {}
    shown, config = _table(rows, given, dict(notes or {}), beside=beside)
    for column, width in (widths or {}).items():
        config[column] = config.get(column, st.column_config.Column()) | {"width": width}
    for column, heading in (headings or {}).items():
        config[column] = config.get(column, st.column_config.Column()) | {"label": heading}
    file = _file(key or name)
    pressed = partial(_of_row, on_row) if on_row is not None else on_cell
    if pressed is None:
        cells, config = as_written(shown, config)
        with st.container(key=f"of-people-{file}" if people else None):
            st.dataframe(
                cells, hide_index=True, alt=name, column_config=config, placeholder="–", height=table_height(len(shown))
            )
    else:
        by_cell = on_cell is not None
        pressable_table(shown, f"rows_{file}", pressed, alt=name, column_config=config, by_cell=by_cell)
    if said := undefined_for(shown):
        st.caption(escaped(said))
    _files(name, caption or name, file, rows, rows if data_rows is None else data_rows, people)


def _files(
    name: str,
    caption: str,
    file: str,
    of_latex: Sequence[ResultRow],
    of_csv: Sequence[ResultRow],
    people: str,
) -> None:
    without = "; people by their numbers, without names" if people else ""
    with st.container(horizontal=True, gap="medium"):
        _download(
            f"{name}, as CSV",
            partial(results_csv, _nameless(of_csv, people)),
            f"{file}.csv",
            f"csv_{file}",
            help=f"Unrounded, the ends of intervals in columns of their own{without}",
        )
        _download(
            "as LaTeX",
            partial(latex_table, _nameless(of_latex, people), caption, name),
            f"{file}.tex",
            f"latex_{file}",
            help=f"For the package booktabs, three decimals; signatures in comments{without}",
        )


def _nameless(rows: Sequence[ResultRow], people: str) -> Sequence[ResultRow]:
    return [{**row, people: number_alone(str(row[people]))} for row in rows] if people else rows


def pressable_table(
    rows: Sequence[Mapping[str, object]],
    key: str,
    on_cell: Callable[[int, str], None],
    *,
    alt: str,
    column_config: Mapping[str, Any] | None = None,
    on_ticked: Callable[[Sequence[int]], None] | None = None,
    lines: int = 1,
    by_cell: bool = False,
) -> None:
    """A table whose cells can be pressed; `key`: its own. `on_cell` as above. `on_ticked`: what happens when somebody
    ticks rows, or takes a tick away; it gets the numbers of those that are ticked. Without it there are no boxes.
    `lines`: how many the text of a cell may take. `by_cell`: whether it matters which cell of a row is pressed.
    """
    if on_ticked is None:
        choose_row(rows, key, on_cell, alt=alt, by_cell=by_cell)
    else:
        tick_rows(rows, key, on_ticked, alt=alt)
    cells, config = as_written(rows, column_config)
    with st.container(key=f"pressed-{key}"):
        st.dataframe(
            cells,
            hide_index=True,
            alt=alt,
            column_config=config,
            placeholder="–",
            height=table_height(len(rows)),
            row_height=LINE * lines + ABOVE_AND_BELOW if lines > 1 else None,  # Streamlit wraps where there is room
            key=key,
            on_select=partial(_pressed, key, on_cell)
            if on_ticked is None
            else partial(_pressed_or_ticked, key, on_cell, on_ticked),
            selection_mode="single-cell" if on_ticked is None else ["single-cell", "multi-row"],
        )


def long_column(texts: Iterable[object], help: str | None = None, *, pinned: bool | None = None) -> ColumnConfig:
    """A column of texts, wide enough for the longest, also of those that come while the table stands. `pinned`: it
    stays as others scroll.
    """
    longest = max((len(str(text)) for text in texts if text is not None), default=0)
    width = min(WIDEST, max(NARROWEST, LETTER * (longest + 4)))
    return st.column_config.Column(help=help, width=width, pinned=pinned)


def table_height(rows: int) -> Literal["content", "auto"]:
    """A table of as many rows as fit a window is not cut off; a longer one scrolls."""
    return "content" if rows <= SHOWN_WHOLE else "auto"


def _of_row(on_row: Callable[[int], None], row: int, _column: str) -> None:
    on_row(row)


def _pressed(key: str, on_cell: Callable[[int, str], None]) -> None:
    pressed = st.session_state[key].selection.cells
    if pressed:
        st.session_state[PRESSED] = key
        row, column = pressed[0]
        on_cell(int(row), str(column))


def _pressed_or_ticked(
    key: str, on_cell: Callable[[int, str], None], on_ticked: Callable[[Sequence[int]], None]
) -> None:
    """By what has changed: a cell stays marked where a row is ticked after it."""
    rows, cells = list(st.session_state[key].selection.rows), list(st.session_state[key].selection.cells)
    rows_before, cells_before = st.session_state.get(f"{key}{MARKED}", ([], []))
    st.session_state[f"{key}{MARKED}"] = rows, cells
    if cells and cells != cells_before:
        _pressed(key, on_cell)
    elif rows != rows_before:
        on_ticked([int(row) for row in rows])


def release_row() -> None:
    """Mark the row that was pressed last no longer, so that it can be pressed again: where what it opened is closed."""
    key = st.session_state.pop(PRESSED, None)
    if key in st.session_state:
        st.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": []}}


def chart(
    figure: go.Figure,
    *,
    key: str,
    alt: str,
    name: str = "",
    data_rows: Callable[[], Sequence[ResultRow]] | None = None,
    on_points: Callable[[list[dict[str, Any]]], None] | None = None,
) -> bool:
    """A chart, and the same as PDF, SVG and PNG (black on white, whatever the screen is) with its data as CSV.

    `key`: of the chart, letters, digits and `-` or `_`; no other element of the page has it. `alt`: what it shows, for
    who does not see it. `name`: names the files, as `alt` does where it is empty. `data_rows`: makes what is
    drawn, where the figure itself does not hold it all. `on_points`: what happens, before the page is drawn anew, when
    somebody marks points, one by a click or several by a box or a lasso; it gets them as Plotly tells of them. Where
    the figure shows no number nothing is drawn, and the answer is False.
    """
    if not anything_drawn(figure):
        return False
    if on_points is None:
        st.plotly_chart(figure, config=CHART, key=key, alt=alt)
    else:
        st.plotly_chart(figure, config=CHART, key=key, alt=alt, on_select=partial(_marked, key, on_points))
    file = _file(name or alt)
    with st.popover("Export figure", icon=":material/download:", type="tertiary", key=f"export_{key}"):
        figure_export(key, file)
        _download(
            "Its data as CSV",
            lambda: results_csv(figure_rows(figure) if data_rows is None else data_rows()),
            f"{file}-data.csv",
            f"csv_{key}",
            help="Unrounded, the ends of intervals in columns of their own",
        )
    return True


def _marked(key: str, on_points: Callable[[list[dict[str, Any]]], None]) -> None:
    on_points(list(st.session_state[key].selection.points))


def _download(label: str, content: Callable[[], str], file: str, key: str, help: str) -> None:
    st.download_button(
        label,
        content,
        file_name=file,
        mime="text/csv" if file.endswith(".csv") else "text/x-tex",
        key=key,
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help=help,
    )


def _table(
    rows: Sequence[ResultRow], formats: Mapping[str, str], notes: Mapping[str, str], *, beside: bool
) -> tuple[list[dict[str, object]], dict[str, Any]]:
    """The rows as st.dataframe takes them, and how it writes their columns; the first stays as others scroll."""
    shown = [_shown(row, formats) for row in rows]
    estimated = {column for row in rows for column, cell in row.items() if isinstance(cell, Estimate)}
    if len(estimated) > MOST_BESIDE and not beside:
        shown = [_intervals_last(row, {f"{INTERVAL} of {column}" for column in estimated}) for row in shown]
    reasons = [_reasons(row) for row in rows]
    if any(reasons):
        shown = [row | {UNDEFINED: why} for row, why in zip(shown, reasons, strict=True)]
    shown = [_intervals_last(row, set()) for row in shown]
    config: dict[str, Any] = {}
    before = ""
    for place, column in enumerate(dict.fromkeys(column for row in shown for column in row)):
        note, pinned = note_of(column, notes), True if place == 0 else None
        if column == f"{INTERVAL} of {before}":  # it stands beside what it is of
            config[column] = st.column_config.Column(INTERVAL, help=note)
        elif column == HIDDEN:
            config[column] = None
        elif column in LONG:
            config[column] = long_column((row.get(column) for row in shown), note)
        elif column in formats or any(isinstance(row.get(column), float) for row in shown):
            format_ = formats.get(column, "%.3f")
            config[column] = st.column_config.NumberColumn(format=format_, help=note, pinned=pinned)
        elif note is not None or pinned:
            config[column] = st.column_config.Column(help=note, pinned=pinned)
        before = column
    return shown, config


def _shown(row: ResultRow, formats: Mapping[str, str]) -> dict[str, object]:
    cells: dict[str, object] = {}
    for column, cell in row.items():
        if isinstance(cell, Estimate):
            cells[column] = cell.value
            written = formats.get(column, "%.3f")
            cells[f"{INTERVAL} of {column}"] = interval(
                cell.low, cell.high, written if written.startswith("%") else "%.3f"
            )
        else:
            cells[column] = cell
    return cells


def _intervals_last(row: Mapping[str, object], intervals: set[str]) -> dict[str, object]:
    """The row with these columns behind the others, but for long texts."""
    last = [*(column for column in row if column in intervals), *(column for column in row if column in LONG)]
    return {column: row[column] for column in [*(column for column in row if column not in last), *last]}


def undefined_for(rows: Sequence[ResultRow]) -> str:
    """Why figures of rows are undefined, and of which, where their first cells tell them apart; "" where none is."""
    names = [str(next(iter(row.values()), "")) for row in rows]
    reasons: dict[str, list[str]] = {}
    for row, name in zip(rows, names, strict=True):
        if why := str(row.get(UNDEFINED) or ""):
            reasons.setdefault(why, []).append(name)
    apart = len(set(names)) == len(names)
    said = [f"Undefined for {listed(of)}: {why}." if apart else f"Undefined: {why}." for why, of in reasons.items()]
    return " ".join(said[:MOST_REASONS])


def _reasons(row: ResultRow) -> str:
    """Why figures of a row are undefined; each reason with the columns that it is of, unless it is of all of them."""
    estimates = {column: cell for column, cell in row.items() if isinstance(cell, Estimate)}
    of: dict[str, list[str]] = {}
    for column, cell in estimates.items():
        if cell.undefined:
            of.setdefault(cell.undefined, []).append(f"“{column}”")
    if any(len(columns) == len(estimates) for columns in of.values()):
        return next(iter(of))
    return "; ".join(f"{why} ({listed(columns)})" for why, columns in sorted(of.items()))


def interval(low: float | None, high: float | None, written: str = "%.3f") -> str:
    """Both ends, or a dash; one that is nearly 0 shows its side."""
    if low is None or high is None:
        return "–"
    ends = (wording.not_as_zero(written % (end * wording.HALF_UP), end) for end in (low, high))
    return wording.real_minus(" to ".join(ends))


def _file(name: str) -> str:
    return re.sub(r"\W+", "-", name.lower()).strip("-")
