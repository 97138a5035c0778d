"""Heat maps whose cells can be pressed: Plotly tells a page of points that are pressed, never of cells."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.figures.style import DECORATION, INK, safe

SIZE = 30
"""Pixels: the frame around a cell that was pressed."""


def press_cells(
    figure: go.Figure,
    rows: Sequence[object],
    columns: Sequence[object],
    carried: Sequence[Sequence[Sequence[str]]],
    labels: Sequence[Sequence[str]],
) -> None:
    """Lay an unseen point on the middle of every cell of a heat map; it is framed once it is pressed, where cells carry
    something.

    `rows`, `columns`: the places of the cells on the axes. `carried`: by row and column, what a page is told of a
    press, in plain text. `labels`: likewise what is shown of a cell that is pointed at, which Plotly reads as HTML; a
    cell without one is empty and gets no point.
    """
    places = [(row, column) for row in range(len(rows)) for column in range(len(columns)) if labels[row][column]]
    figure.update_traces(hoverinfo="skip", hovertemplate=None, selector={"type": "heatmap"})
    pressable = any(parts for row in carried for parts in row)
    figure.add_scatter(
        x=[columns[column] for _, column in places],
        y=[rows[row] for row, _ in places],
        mode="markers",
        marker={"symbol": "square-open", "size": SIZE, "color": INK, "opacity": 0, "line": {"width": 2}},
        selected={"marker": {"opacity": 1 if pressable else 0}},
        unselected={"marker": {"opacity": 0}},
        customdata=[[safe(part) for part in carried[row][column]] for row, column in places],
        hovertext=[labels[row][column] for row, column in places],
        hoverinfo="text",
        showlegend=False,
        meta=DECORATION,
    )
    figure.update_layout(hoverdistance=-1)  # however wide a cell is, its point is the nearest
