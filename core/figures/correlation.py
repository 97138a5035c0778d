"""Figures of the correlation page. Plotly reads titles and hovers as HTML, so every untrusted text is escaped."""

import html
import textwrap
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.correlation import Coefficient, Correlation, MetricCorrelation
from core.analysis.limits import NO_LIMITS, Limits
from core.scores import ScoreColumn, ScoreTable

BLUE, ORANGE, GREY = "#2E86C9", "#D55E00", "#888888"
"""After Okabe and Ito's palette, the blue lightened: told apart by colour-blind readers, on white and on black."""
AXES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ-b"}
LINE_LABEL = 18
"""Pixels that the name of a line takes above the plot."""
HOVER_CHARACTERS = 320
MOST_VECTOR_POINTS = 3000
"""Above this the points are drawn by WebGL: quick, but pixels in an exported SVG."""


def safe(text: str) -> str:
    """`text` for a label or a hover: no tag and no entity in it takes effect."""
    return html.escape(text).replace("$", "&#36;")


def bars(found: Sequence[MetricCorrelation], coefficient: str = "pearson", limits: Limits = NO_LIMITS) -> go.Figure:
    """A bar a metric with its 95 % bootstrap interval, best on top; starred ones are blue, the others grey.

    Lines: one human rater, and what a perfect metric could reach.
    """
    defined = [(one, getattr(one.correlation, coefficient)) for one in found]
    defined = [(one, c) for one, c in defined if c.value is not None]
    defined.sort(key=lambda pair: pair[1].value)
    numbered = dict(zip(map(id, found), metric_names(found), strict=True))
    names = [safe(numbered[id(one)]) for one, _ in defined]
    values = [c.value for _, c in defined]
    figure = go.Figure(
        go.Bar(
            x=values,
            y=names,
            orientation="h",
            marker_color=[BLUE if c.starred else GREY for _, c in defined],
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [_reach(c, c.high) for _, c in defined],
                "arrayminus": [_reach(c, c.low) for _, c in defined],
                "color": ORANGE,
            },
            hovertext=[
                f"{name}: {c.value:.4f}{'*' if c.starred else ''} (n = {one.correlation.n})"
                for name, (one, c) in zip(names, defined, strict=True)
            ],
            hoverinfo="text",
        )
    )
    figure.update_layout(
        title={"text": "Agreement with people, by metric"},
        xaxis_title=AXES[coefficient],
        yaxis={"automargin": True, "type": "category"},
        xaxis={"automargin": True, "zeroline": True},
        height=160 + 34 * max(1, len(defined)),
        margin={"l": 10, "r": 20, "t": 50, "b": 50},
        showlegend=False,
    )
    limit_lines(figure, limits)
    return figure


def limit_lines(figure: go.Figure, limits: Limits) -> None:
    """A dashed line at one human rater, a dotted one at the ceiling, each named above the plot in a row of its own."""
    lines = (("one human rater", limits.one_rater, "dash"), ("ceiling", limits.ceiling, "dot"))
    drawn = [(name, value, dash) for name, value, dash in lines if value is not None]
    for row, (name, value, dash) in enumerate(drawn):
        figure.add_vline(x=value, line={"color": GREY, "dash": dash, "width": 2})
        figure.add_annotation(
            x=value,
            y=1,
            yref="paper",
            yanchor="bottom",
            yshift=LINE_LABEL * row,
            xanchor="right" if value > 0.5 else "left",
            text=f"{name} {value:.3f}",
            showarrow=False,
            font={"size": 12},
        )
    room = LINE_LABEL * len(drawn)
    figure.update_layout(margin_t=figure.layout.margin.t + room, height=figure.layout.height + room)


def _reach(c: Coefficient, end: float | None) -> float:
    return 0.0 if end is None or c.value is None else abs(end - c.value)


def metric_names(found: Sequence[MetricCorrelation | ScoreColumn]) -> list[str]:
    """Metric names; a second signature of one metric is numbered, as bars of one name would fall together."""
    names: list[str] = []
    for one in found:
        name, number = one.metric, 2
        while name in names:
            name, number = f"{one.metric} ({number})", number + 1
        names.append(name)
    return names


def scatter(
    table: ScoreTable, column: ScoreColumn, correlation: Correlation, coefficient: str = "pearson"
) -> go.Figure:
    """Each story's score against its mean rating, with the least-squares line; hover shows the story.

    Zoom and selection outlast new data (`uirevision`).
    """
    keep = np.isfinite(column.values) & np.isfinite(table.human)
    x, y = column.values[keep], table.human[keep]
    points = go.Scatter if len(x) <= MOST_VECTOR_POINTS else go.Scattergl
    figure = go.Figure(
        points(
            x=x,
            y=y,
            mode="markers",
            marker={"color": BLUE, "size": 7, "opacity": 0.65},
            hovertext=[_hover(table, column, int(i)) for i in np.flatnonzero(keep)],
            hoverinfo="text",
            name="stories",
        )
    )
    if len(x) >= 2 and np.ptp(x) > 0:
        slope, intercept = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        figure.add_trace(
            go.Scatter(
                x=ends,
                y=slope * ends + intercept,
                mode="lines",
                line={"color": ORANGE, "width": 3},
                hoverinfo="skip",
                name="least squares",
            )
        )
    value = getattr(correlation, coefficient).value
    symbol = AXES[coefficient].split()[-1].removesuffix("-b")
    figure.update_layout(
        title={
            "text": f"{safe(column.metric)} against people" + (f", {symbol} = {value:.3f}" if value is not None else "")
        },
        xaxis_title=f"{safe(column.metric)} (raw score)",
        yaxis_title="Mean rating",
        height=480,
        uirevision=f"{column.metric} {column.signature}",
        margin={"l": 10, "r": 20, "t": 50, "b": 50},
        showlegend=False,
    )
    return figure


def _hover(table: ScoreTable, column: ScoreColumn, index: int) -> str:
    text = table.texts[index]
    short = text if len(text) <= HOVER_CHARACTERS else text[:HOVER_CHARACTERS] + " …"
    lines = [safe(line) for line in textwrap.wrap(short, 60)]
    head = safe(f"{table.keys[index]} · {table.systems[index]}" if table.systems[index] else table.keys[index])
    numbers = f"score {column.values[index]:.4g}, mean rating {table.human[index]:.2f}"
    return "<br>".join([f"<b>{head}</b>", numbers, *lines])
