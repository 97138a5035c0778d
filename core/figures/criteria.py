"""Figures of several criteria: metrics by criteria, and the criteria with one another."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.criteria.heat_map import HeatMap, Level, mark
from core.analysis.criteria.overview import CriteriaMatrix
from core.figures.correlation import AXES
from core.figures.pressable import press_cells
from core.figures.style import DIVERGING, INK, number, safe, titled
from core.statistics.correlation import Coefficient

ROW = 22
"""Pixels of a metric's row."""
LETTER = 6
"""Pixels along a column's name for each of its letters."""
NARROW = 200
"""Pixels of the columns together on a phone."""
OVER = {
    Level.PROMPT: "Among the stories of a prompt, averaged over prompts.",
    Level.SYSTEM: "Over the systems' means.",
    Level.STORY: "Over all stories.",
}


def metrics_by_criteria(result: HeatMap, names: Sequence[str]) -> go.Figure:
    """A heat map from -1 (orange) over 0 (white) to 1 (blue), a row a metric; a dagger is p < 0.01 by prompt.
    A cell carries its metric and its criterion.

    `names`: of all metrics, in the order of the table.
    """
    rows = [safe(names[number]) for number in result.metrics]
    columns = [safe(name) for name in result.criteria]
    figure = heat(result.values, rows, columns, result.cells)
    labels = [
        [cell_label(row, column, cell) for column, cell in zip(columns, cells, strict=True)]
        for row, cells in zip(rows, result.cells, strict=True)
    ]
    carried = [[(names[number], criterion) for criterion in result.criteria] for number in result.metrics]
    press_cells(figure, rows, columns, carried, labels)
    figure.update_layout(height=120 + ROW * max(4, len(rows)))
    titled(figure, "Metrics by criteria", f"{AXES[result.coefficient]}. {OVER[result.level]}{explained(result.cells)}")
    return with_room(figure, result.criteria)


def explained(cells: Sequence[Sequence[Coefficient]]) -> str:
    """What a dagger is, where any of these cells has one."""
    return " †: p < 0.01 by prompt." if any(mark(cell) for row in cells for cell in row) else ""


def among_criteria(result: CriteriaMatrix) -> go.Figure:
    """The criteria with one another. A cell of two criteria carries both."""
    names = [safe(name) for name in result.criteria]
    figure = heat(result.values, names, names, result.cells)
    labels = [
        [cell_label(row, column, cell) for column, cell in zip(names, cells, strict=True)]
        for row, cells in zip(names, result.cells, strict=True)
    ]
    carried = [[() if first == second else (first, second) for second in result.criteria] for first in result.criteria]
    press_cells(figure, names, names, carried, labels)
    figure.update_layout(height=120 + 2 * ROW * len(names))
    titled(
        figure,
        "How far the criteria say the same",
        f"{AXES[result.coefficient]} of the stories' mean ratings.{explained(result.cells)}",
    )
    return with_room(figure, result.criteria)


def with_room(figure: go.Figure, columns: Sequence[str]) -> go.Figure:
    """Room for the columns' names between the title and the plot, upright too, as they stand on a phone where they do
    not fit side by side.
    """
    longest = LETTER * max(map(len, columns), default=0)
    room = ROW if longest * len(columns) <= NARROW else max(ROW, longest)
    return figure.update_layout(margin_t=figure.layout.margin.t + room, height=figure.layout.height + room)


def heat(
    values: np.ndarray, rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[Coefficient]]
) -> go.Figure:
    """Cells from -1 to 1, each with its number and, where p is small, its mark."""
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(columns),
            y=list(rows),
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            text=[[_cell(cell) for cell in row] for row in cells],
            texttemplate="%{text}",
            textfont={"color": INK, "size": 11},
            # Written here, as Plotly's own formats have a hyphen for a minus.
            customdata=[[_hover(cell) for cell in row] for row in cells],
            hovertemplate="%{y}, %{x}: %{customdata}<extra></extra>",
            showscale=False,  # each cell says its number, and a phone has no room for both
            xgap=1,
            ygap=1,
        )
    )
    figure.update_layout(
        xaxis={"type": "category", "side": "top", "automargin": True, "title": None},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True, "title": None, "dtick": 1},
        xaxis_showgrid=False,
        yaxis_showgrid=False,  # an empty cell is the page's ground
        margin={"l": 10, "r": 10, "b": 10},
    )
    return figure


def cell_label(row: str, column: str, cell: Coefficient) -> str:
    """What is shown of a cell that is pointed at."""
    return f"{row}, {column}: {_cell(cell)}{_interval(cell)}"


def _cell(cell: Coefficient) -> str:
    return "–" if cell.value is None else number(cell.value, ".2f") + mark(cell)


def _hover(cell: Coefficient) -> str:
    return "–" if cell.value is None else number(cell.value, ".4f") + _interval(cell)


def _interval(cell: Coefficient) -> str:
    return "" if cell.low is None or cell.high is None else f" (95 % {number(cell.low)} to {number(cell.high)})"
