"""Figures of preferences: systems by strength, who won against whom, and how often metrics order stories as people."""

import plotly.graph_objects as go

from core.analysis.preferences.metrics import MetricPreferences
from core.analysis.preferences.ranking import Ranking, SystemStrength, WinCell
from core.figures.pressable import press_cells
from core.figures.style import (
    BLUE,
    DECORATION,
    DIVERGING,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    interval_excludes,
    intervals,
    safe,
    titled,
    whiskers,
)
from core.metrics.naming import unique_names

ROW, FRAME = 34, 140
"""In pixels: a row, and what surrounds them."""
CELL, LETTER = 30, 7
"""In pixels: the height of a row of cells; of a column's name, which stands upright, a letter."""
MOST_LABELLED = 20
"""Systems; with more of them the numbers in the cells would run into one another."""
GUESSING = 0.5
MARKS = (("circle", BLUE), ("square", ORANGE), ("diamond", GREEN), ("triangle-up", PURPLE))
"""Of the groups in turn."""


def strengths(ranking: Ranking) -> go.Figure:
    """A dot a system, which it carries, at its log strength with its interval, the strongest on top; each group has its
    mark, and lines part the groups. An open mark has no interval, as only the penalty keeps the strength finite.
    """
    rows = [row for row in reversed(ranking.rows) if row.strength.value is not None]  # plotly draws from the bottom
    names = [safe(row.system) + (f"  <b>{row.group}</b>" if row.group else "") for row in rows]
    figure = go.Figure()
    for group in dict.fromkeys(row.group for row in reversed(rows)):
        mark, colour = MARKS[((group or 1) - 1) % len(MARKS)]
        mine = [(name, row) for name, row in zip(names, rows, strict=True) if row.group == group]
        figure.add_scatter(
            x=[row.strength.value for _, row in mine],
            y=[name for name, _ in mine],
            mode="markers",
            marker={
                "symbol": [f"{mark}-open" if row.extreme else mark for _, row in mine],
                "size": 11,
                "color": colour,
                "line": {"width": 2, "color": colour},
            },
            error_x=whiskers([row.strength for _, row in mine], colour),
            customdata=[[safe(row.system)] for _, row in mine],
            hovertext=[_about(row) for _, row in mine],
            hoverinfo="text",
        )
    for place in range(1, len(rows)):
        if rows[place].group != rows[place - 1].group:
            figure.add_hline(y=place - 0.5, line={"color": GREY, "width": 1, "dash": "dot"}, opacity=1)
    figure.add_vline(x=0, line={"color": GREY, "width": 1}, opacity=1)
    figure.update_layout(
        xaxis={"title": "log strength (mean 0)", "automargin": True, "zeroline": False},
        yaxis={
            "type": "category", "automargin": True, "categoryorder": "array", "categoryarray": names,
        },
        height=FRAME + ROW * max(1, len(rows)),
        margin={"l": 10, "r": 20, "b": 50},
        showlegend=False,
    )  # fmt: skip
    titled(
        figure,
        "Systems by preference",
        intervals(row.strength for row in rows),
        "Bold: the group; no test tells apart the systems of one." if ranking.groups else "",
        "Open: won or lost everything against others; a weak prior keeps it finite." if ranking.penalised else "",
    )
    return figure


def _about(row: SystemStrength) -> str:
    return (
        f"{safe(row.system)}: {row.strength.shown()}, rank {row.rank.shown('g', to='–')}<br>"
        f"won {row.wins:,}, tied {row.ties:,}, lost {row.losses:,} of {row.judgments:,}<br>"
        f"preferred to an average system: {row.chance.shown('.1%')}"
    )


def win_table(ranking: Ranking) -> go.Figure:
    """A heat map of shares won, 0 (orange) over a half (white) to 1 (blue): the row's system against the column's. A
    cell of systems that were compared carries both, one of the diagonal its system.
    """
    systems = [row.system for row in ranking.rows]
    names = [safe(system) for system in systems]
    labelled = len(names) <= MOST_LABELLED
    figure = go.Figure(
        go.Heatmap(
            z=[[cell.share.value for cell in row] for row in ranking.table],
            x=names,
            y=names,
            zmin=0,
            zmax=1,
            colorscale=DIVERGING,
            text=[[_per_cent(cell) for cell in row] for row in ranking.table] if labelled else None,
            texttemplate="%{text}" if labelled else None,
            textfont={"color": INK, "size": 11},
            hoverongaps=False,
            showscale=False,  # each cell says its number, and a phone has no room for both
            xgap=1,
            ygap=1,
        )
    )
    carried = [
        [
            tuple(dict.fromkeys((row, column))) if cell.judgments else ()
            for column, cell in zip(systems, cells, strict=True)
        ]
        for row, cells in zip(systems, ranking.table, strict=True)
    ]
    labels = [
        [
            f"{row} against {column}: {_details(cell)}" if cell.judgments else ""
            for column, cell in zip(names, cells, strict=True)
        ]
        for row, cells in zip(names, ranking.table, strict=True)
    ]
    press_cells(figure, names, names, carried, labels)
    room = LETTER * max(map(len, names), default=0)
    figure.update_layout(
        xaxis={"type": "category", "side": "top", "automargin": True, "title": None, "tickangle": -90},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True, "title": None, "dtick": 1},
        xaxis_showgrid=False,
        yaxis_showgrid=False,  # an empty cell is the page's ground
        margin={"l": 10, "r": 10, "b": 10},
        height=FRAME + CELL * max(1, len(names)),
    )
    titled(
        figure,
        "Who won against whom",
        "Per cent of the judgments in which the row's system won against the column's; ties count half.",
    )
    return figure.update_layout(margin_t=figure.layout.margin.t + room, height=figure.layout.height + room)


def _per_cent(cell: WinCell) -> str:
    return "" if cell.share.value is None else f"{100 * cell.share.value:.0f}"


def _details(cell: WinCell) -> str:
    return f"{cell.share.shown('.1%')}, n = {cell.judgments:,}"


def metric_accuracies(result: MetricPreferences) -> go.Figure:
    """A dot a metric at the share of judged pairs that it orders as people did, with its interval, the best on top.

    The dashed line at a half is what guessing gets; a dot is filled where its interval leaves that out.
    """
    names = unique_names([(row.metric, row.signature) for row in result.rows])
    found = [
        (name, row)
        for name, row in reversed(list(zip(names, result.rows, strict=True)))
        if row.accuracy.value is not None
    ]
    figure = go.Figure(
        go.Scatter(
            x=[row.accuracy.value for _, row in found],
            y=[safe(name) for name, _ in found],
            customdata=[[name] for name, _ in found],
            mode="markers",
            marker={
                "symbol": [
                    "circle" if interval_excludes(row.accuracy, GUESSING) else "circle-open" for _, row in found
                ],
                "size": 11,
                "color": BLUE,
                "line": {"width": 2, "color": BLUE},
            },
            error_x=whiskers([row.accuracy for _, row in found], BLUE, 2),
            hovertext=[
                f"{safe(name)}: {row.accuracy.shown('.1%')}<br>{row.n:,} judged pairs, {row.tied:,} tied by the metric"
                for name, row in found
            ],
            hoverinfo="text",
        )
    )
    figure.add_scatter(
        x=[GUESSING], y=[None], mode="markers", hoverinfo="skip", meta=DECORATION
    )  # a half is always seen
    figure.add_vline(x=GUESSING, line={"color": GREY, "width": 1.5, "dash": "dash"}, opacity=1)
    figure.update_layout(
        xaxis={
            "title": "share of judged pairs ordered as people did", "automargin": True, "zeroline": False,
            "tickformat": ".0%",
        },
        yaxis={"type": "category", "automargin": True},
        height=FRAME + ROW * max(1, len(found)),
        margin={"l": 10, "r": 20, "b": 50},
        showlegend=False,
    )  # fmt: skip
    titled(
        figure,
        "Metrics against preferences",
        intervals(row.accuracy for _, row in found),
        "Dashed: guessing; filled: it is outside. Pairs that people called equal are left out.",
    )
    return figure
