"""Figures of a set of negatives: how often what was done, beside what the mix expects."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.figures.style import BLUE, GREY, ORANGE, safe, titled, whiskers
from core.perturb.negatives.sets import TechniqueShare
from core.statistics.intervals import Estimate

ROW, FRAME = 46, 140
"""In pixels: a row, and what surrounds them."""


def shares(result: Sequence[TechniqueShare], title: str, axis: str) -> go.Figure:
    """A bar a share with its 95 % interval, the first on top, and a diamond where the mix expects it."""
    names = [safe(one.name) for one in result]
    observed = [Estimate(one.share, one.low, one.high) for one in result]
    figure = go.Figure(
        go.Bar(
            x=[one.share for one in result],
            y=names,
            orientation="h",
            name="these negatives",
            marker={"color": BLUE},
            width=0.5,
            error_x=whiskers(observed, GREY, 2),
            hovertext=[_text(one) for one in result],
            hoverinfo="text",
        )
    )
    figure.add_scatter(
        x=[one.expected for one in result],
        y=names,
        mode="markers",
        name="expected",
        marker={"symbol": "diamond", "size": 12, "color": ORANGE, "line": {"color": "#FFFFFF", "width": 1}},
        hovertext=[f"{safe(one.name)}: expected {one.expected:.1%}" for one in result],
        hoverinfo="text",
    )
    most = max([one.high or 0.0 for one in result] + [one.expected for one in result], default=1.0)
    figure.update_layout(
        xaxis={"title": axis, "tickformat": ".0%", "range": [0, min(1.0, most * 1.1)], "automargin": True},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True},
        height=FRAME + ROW * max(1, len(result)),
        margin={"l": 10, "r": 20, "b": 80},
        legend={"orientation": "h", "yref": "container", "y": 0.01, "yanchor": "bottom", "x": 0},
    )
    titled(figure, title, "Lines: 95 % intervals of the shares.")
    return figure


def _text(one: TechniqueShare) -> str:
    if one.share is None:
        return f"{safe(one.name)}: no story"
    return f"{safe(one.name)}: {one.stories:,} stories, {Estimate(one.share, one.low, one.high).text('.1%')}"
