"""Figures of Perception Scores: whether a critic is right as often as it is sure (calibration)."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.figures.style import BLUE, DECORATION, GREY, titled
from core.training.perception.scores import ReliabilityBin

HEIGHT = 380


def reliability_plot(bins: Sequence[ReliabilityBin]) -> go.Figure:
    """A point a bin of pairs: x mean confidence c, y the share whose reference the critic puts on top; on the dotted
    line a critic is right as often as it is sure, and .5 is chance.
    """
    figure = go.Figure(
        go.Scatter(
            x=[0, 1], y=[0, 1], mode="lines", line={"color": GREY, "dash": "dot"}, hoverinfo="skip", meta=DECORATION
        )
    )
    figure.add_scatter(
        x=[reliability_bin.confidence for reliability_bin in bins],
        y=[reliability_bin.right for reliability_bin in bins],
        mode="markers",
        marker={"size": 11, "color": BLUE},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [reliability_bin.high - reliability_bin.right for reliability_bin in bins],
            "arrayminus": [reliability_bin.right - reliability_bin.low for reliability_bin in bins],
            "color": BLUE,
        },
        customdata=[reliability_bin.n for reliability_bin in bins],
        hovertemplate="c %{x:.3f}: right %{y:.3f} of %{customdata:,} pairs<extra></extra>",
    )
    figure.update_layout(
        xaxis={"title": "mean confidence c of the pairs", "range": [0, 1.02], "automargin": True},
        yaxis={"title": "share with the reference on top", "range": [0, 1.02], "automargin": True},
        height=HEIGHT,
        margin={"l": 10, "r": 20, "b": 50},
        showlegend=False,
    )
    titled(figure, "Are critics as right as they are sure?", "Bins of equally many pairs. Lines: 95 % intervals.")
    return figure
