"""Figures of a set of negatives: how often each technique was used, and how often the mix expects it."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.figures.style import BLUE, GREY, ORANGE, safe, titled, whiskers
from core.perturb.negatives.sets import TechniqueShare
from core.statistics.intervals import Estimate

ROW, FRAME = 46, 140
"""In pixels: a row, and what surrounds them."""


def shares(result: Sequence[TechniqueShare], title: str, axis: str) -> go.Figure:
    """A bar a share with its 95 % interval, the first on top, and a diamond where the mix expects it."""
    names = [safe(share.name) for share in result]
    observed = [Estimate(share.share, share.low, share.high) for share in result]
    figure = go.Figure(
        go.Bar(
            x=[share.share for share in result],
            y=names,
            orientation="h",
            name="these negatives",
            marker={"color": BLUE},
            width=0.5,
            error_x=whiskers(observed, GREY, 2),
            hovertext=[_text(share) for share in result],
            hoverinfo="text",
        )
    )
    figure.add_scatter(
        x=[share.expected for share in result],
        y=names,
        mode="markers",
        name="expected",
        marker={"symbol": "diamond", "size": 12, "color": ORANGE, "line": {"color": "#FFFFFF", "width": 1}},
        hovertext=[f"{safe(share.name)}: expected {share.expected:.1%}" for share in result],
        hoverinfo="text",
    )
    most = max([share.high or 0.0 for share in result] + [share.expected for share in result], default=1.0)
    figure.update_layout(
        xaxis={"title": axis, "tickformat": ".0%", "range": [0, min(1.0, most * 1.1)], "automargin": True},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True},
        height=FRAME + ROW * max(1, len(result)),
        margin={"l": 10, "r": 20, "b": 80},
        legend={"orientation": "h", "yref": "container", "y": 0.01, "yanchor": "bottom", "x": 0},
    )
    titled(figure, title, "Lines: 95 % intervals of the shares.")
    return figure


def _text(share: TechniqueShare) -> str:
    if share.share is None:
        return f"{safe(share.name)}: no story"
    return f"{safe(share.name)}: {share.stories:,} stories, {Estimate(share.share, share.low, share.high).shown('.1%')}"
