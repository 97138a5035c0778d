"""Figures of a trial: judges by criteria, and people's ratings beside a judge's."""

import numpy as np
import plotly.graph_objects as go

from core.analysis.judges.heat_map import JudgeMap
from core.analysis.judges.trial import Confusion
from core.figures.correlation import AXES
from core.figures.criteria import OVER, ROW, cell_label, explained, heat, with_room
from core.figures.pressable import press_cells
from core.figures.style import INK, RISING, safe, titled

CELL, FRAME = 40, 130
FEWEST_ROWS = 4
"""Of cells, whose height the words beside them need."""
"""In pixels: a row of cells, what surrounds them."""


def judges_by_criteria(result: JudgeMap) -> go.Figure:
    """A heat map from -1 (orange) over 0 (white) to 1 (blue), a row a judge; a dagger is p < 0.01 by prompt.
    A cell of a criterion that the judge rates carries both.
    """
    rows, columns = [safe(name) for name in result.judges], [safe(name) for name in result.criteria]
    figure = heat(result.values, rows, columns, result.cells)
    labels = [
        [cell_label(row, column, cell) for column, cell in zip(columns, cells, strict=True)]
        for row, cells in zip(rows, result.cells, strict=True)
    ]
    carried = [
        [(judge, criterion) if result.rates(judge, criterion) else () for criterion in result.criteria]
        for judge in result.judges
    ]
    press_cells(figure, rows, columns, carried, labels)
    figure.update_layout(height=120 + ROW * max(4, len(rows)))
    titled(figure, "Judges by criteria", f"{AXES[result.coefficient]}. {OVER[result.level]}{explained(result.cells)}")
    return with_room(figure, result.criteria)


def confusion(result: Confusion, judge: str, target: str) -> go.Figure:
    """Stories by people's mean, rounded, and the judge's rating; each cell says how many, its colour how large a part
    of its row that is, and carries both steps.
    """
    steps = [str(step) for step in result.steps]
    rows = result.counts.sum(1, keepdims=True)
    shares = result.counts / np.maximum(rows, 1)
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=steps,
            y=steps,
            zmin=0,
            zmax=1,
            colorscale=RISING,
            text=result.counts,
            texttemplate="%{text}",
            textfont={"color": INK},
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    labels = [
        [
            f"people {person}, the judge {given}: {result.counts[row, column]:,} stories, "
            f"{shares[row, column]:.1%} of the row"
            for column, given in enumerate(steps)
        ]
        for row, person in enumerate(steps)
    ]
    press_cells(figure, steps, steps, [[(person, given) for given in steps] for person in steps], labels)
    figure.update_layout(
        xaxis={"type": "category", "title": f"rating by {safe(judge)}", "automargin": True},
        yaxis={"type": "category", "title": "people's mean, rounded", "automargin": True},
        height=FRAME + CELL * max(FEWEST_ROWS, len(steps)),
        margin={"l": 10, "r": 10, "b": 50},
    )
    titled(figure, f"{target[:1].upper()}{target[1:]}: people and {judge}", "Colour: the part of people's row.")
    return figure
