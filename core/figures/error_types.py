"""Figures of error types. Plotly reads labels as HTML, so every untrusted name is escaped."""

import textwrap
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.judgments.error_types import Deductions, Errors
from core.figures.judgments import lay_out
from core.figures.pressable import press_cells
from core.figures.style import BLUE, DIVERGING, INK, RISING, safe
from core.figures.style import number as written

LINE, LINES = 12, 3
"""Characters of a column's name a line, and lines."""
RATING = "overall rating"


def error_shares(shares: Mapping[str, float]) -> go.Figure:
    """One bar per error type, which it carries: the share of the faulted stories that somebody gave it, the commonest
    on top.
    """
    order = sorted(shares, key=lambda name: shares[name])
    figure = go.Figure(
        go.Bar(
            x=[shares[name] for name in order],
            y=[safe(name) for name in order],
            orientation="h",
            customdata=[[safe(name)] for name in order],
            marker_color=BLUE,
            hovertemplate="%{y}: %{x:.2%}<extra></extra>",
        )
    )
    lay_out(figure, "Error types", len(order))
    axis = {"title": "share of the faulted stories", "tickformat": ".0%", "range": [0, 1], "automargin": True}
    figure.update_layout(xaxis=axis)
    return figure


def errors_by_system(errors: Errors, order: Sequence[str]) -> go.Figure:
    """A cell per system (in `order`, from the bottom) and type, both of which it carries: the share of the system's
    ratings that give the type.
    """
    types = list(errors.with_rating)
    cells = [[errors.by_system[group][name].share.value or 0.0 for name in types] for group in order]
    labels = [
        [f"{safe(group)}: {value:.1%} of the ratings give {safe(name)}" for name, value in zip(types, row, strict=True)]
        for group, row in zip(order, cells, strict=True)
    ]
    figure = _heat(cells, labels, RISING, (0.0, max(max(row) for row in cells) or 1.0), ".0%")
    press_cells(
        figure, range(len(order)), range(len(types)), [[(group, name) for name in types] for group in order], labels
    )
    lay_out(figure, "Who makes which error", len(order) + 1)
    figure.update_layout(xaxis=_columns(types), yaxis=_rows(order))
    return figure


def correlations(errors: Errors) -> go.Figure:
    """Pearson's r of the error types with the overall rating and with one another, each pair once. A cell carries
    its error types.
    """
    types = list(errors.with_rating)
    cells: list[list[float | None]] = []
    for number, name in enumerate(types):
        others = [errors.between[earlier][name].value for earlier in types[:number]]
        cells.append([errors.with_rating[name].share.value, *others, *[None] * (len(types) - 1 - number)])
    columns = [RATING, *types[:-1]]
    labels = [
        [
            f"{safe(name)} and {safe(other)}: r = {written(value, '+.3f')}" if value is not None else ""
            for other, value in pairs
        ]
        for name, pairs in (
            (name, list(zip(columns, row, strict=True))) for name, row in zip(types, cells, strict=True)
        )
    ]
    figure = _heat(cells[::-1], labels[::-1], DIVERGING, (-1.0, 1.0), "+.2f")
    carried = [[(name,), *((name, other) for other in types[:-1])] for name in types]
    press_cells(figure, range(len(types)), range(len(columns)), carried[::-1], labels[::-1])
    lay_out(figure, "Correlations of errors", len(types) + 1)
    figure.update_layout(xaxis=_columns(columns), yaxis=_rows(types[::-1]))
    return figure


def implied_and_given(deductions: Deductions, steps: Sequence[int]) -> go.Figure:
    """How many ratings of each step stand beside deductions that imply each step; the two agree on the diagonal. A
    cell that holds ratings carries both.

    `steps`: of the scale, lowest first.
    """
    cells = [[deductions.table.get(due, {}).get(got) for due in steps] for got in steps]
    labels = [
        [f"implied {due}, given {got}: {number or 0:,} ratings" for due, number in zip(steps, row, strict=True)]
        for got, row in zip(steps, cells, strict=True)
    ]
    most = max(number or 0 for row in cells for number in row)
    figure = _heat(cells, labels, RISING, (0.0, float(most)), ",")
    carried = [
        [(str(due), str(got)) if deductions.table.get(due, {}).get(got) else () for due in steps] for got in steps
    ]
    press_cells(figure, range(len(steps)), range(len(steps)), carried, labels)
    lay_out(figure, "Implied and given ratings", len(steps) + 1)
    names = [str(step) for step in steps]
    figure.update_layout(
        xaxis=_columns(names) | {"title": "rating that the deductions imply"},
        yaxis=_rows(names) | {"title": "rating given"},
    )
    return figure


def _heat(
    cells: Sequence[Sequence[float | None]],
    sequences: Sequence[Sequence[str]],
    scale: Sequence[tuple[float, str]],
    ends: tuple[float, float],
    cell: str,
) -> go.Figure:
    return go.Figure(
        go.Heatmap(
            z=cells,
            zmin=ends[0],
            zmax=ends[1],
            colorscale=scale,
            showscale=False,
            text=[["" if value is None else written(value, cell) for value in row] for row in cells],
            texttemplate="%{text}",
            textfont={"color": INK},
            hovertext=sequences,
            hoverinfo="text",
            hoverongaps=False,
            xgap=2,
            ygap=2,
        )
    )


def _columns(names: Sequence[str]) -> dict[str, object]:
    """An axis of names, in a few short lines each: places are numbers, so that a name is never read as one."""
    lines = [
        "<br>".join(safe(line) for line in textwrap.wrap(name, LINE, max_lines=LINES, placeholder="…"))
        for name in names
    ]
    return {"tickvals": list(range(len(names))), "ticktext": lines, "automargin": True, "showgrid": False}


def _rows(names: Sequence[str]) -> dict[str, object]:
    ticks = [safe(textwrap.shorten(name, LINE * LINES, placeholder="…")) for name in names]
    return {
        "tickvals": list(range(len(names))),
        "ticktext": ticks,
        "type": "linear",
        "automargin": True,
        "showgrid": False,
    }
