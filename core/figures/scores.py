"""Figures of the score page: metrics against one another, two signatures of a metric, one metric's distribution."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.between import MetricMatrix
from core.figures.correlation import AXES, BLUE, GREY, MOST_VECTOR_POINTS, ORANGE, safe
from core.scores import ScoreColumn

DIVERGING = [[0.0, ORANGE], [0.5, "#FFFFFF"], [1.0, BLUE]]
MOST_LABELLED = 16
"""Metrics; with more of them the numbers in the cells would run into one another."""


def matrix(found: MetricMatrix, names: Sequence[str]) -> go.Figure:
    """A heat map from -1 (orange) over 0 (white) to 1 (blue); the hover gives the count of stories."""
    labels = [safe(name) for name in names]
    text = np.where(np.isnan(found.values), "–", np.char.mod("%.2f", found.values))
    figure = go.Figure(
        go.Heatmap(
            z=found.values,
            x=labels,
            y=labels,
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            text=text if len(labels) <= MOST_LABELLED else None,
            texttemplate="%{text}" if len(labels) <= MOST_LABELLED else None,
            textfont={"color": "#111111"},
            customdata=found.counts,
            hovertemplate="%{y} and %{x}: %{z:.4f} (n = %{customdata})<extra></extra>",
            colorbar={"thickness": 8, "xpad": 4},
            xgap=1,
            ygap=1,
        )
    )
    figure.update_layout(
        title={"text": f"Agreement between metrics ({AXES[found.coefficient]})"},
        xaxis={"type": "category", "tickangle": -45, "automargin": True, "title": None},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True, "title": None},
        height=max(320, 180 + 26 * len(labels)),
        margin={"l": 10, "r": 10, "t": 50, "b": 10},
    )
    return figure


def against(first: ScoreColumn, second: ScoreColumn, names: tuple[str, str]) -> go.Figure:
    """Each story's score under two signatures; the line is where both agree."""
    both = np.isfinite(first.values) & np.isfinite(second.values)
    x, y = first.values[both], second.values[both]
    points = go.Scatter if len(x) <= MOST_VECTOR_POINTS else go.Scattergl
    figure = go.Figure(
        points(x=x, y=y, mode="markers", marker={"color": BLUE, "size": 6, "opacity": 0.6}, name="stories")
    )
    if len(x):
        ends = [min(x.min(), y.min()), max(x.max(), y.max())]
        figure.add_trace(
            go.Scatter(x=ends, y=ends, mode="lines", line={"color": GREY, "dash": "dash"}, name="equal scores")
        )
    figure.update_layout(
        title={"text": "Two sets of scores"},
        xaxis={"title": safe(names[0]), "automargin": True},
        yaxis={"title": safe(names[1]), "automargin": True},
        height=420,
        margin={"l": 10, "r": 10, "t": 50, "b": 10},
        legend={"orientation": "h", "y": -0.25},
    )
    return figure


def distribution(column: ScoreColumn, name: str) -> go.Figure:
    """A histogram of one metric's scores."""
    values = column.values[np.isfinite(column.values)]
    figure = go.Figure(go.Histogram(x=values, nbinsx=40, marker_color=BLUE))
    figure.update_layout(
        title={"text": f"Distribution of {safe(name)}"},
        xaxis={"title": f"{safe(name)} (higher is better)", "automargin": True},
        yaxis={"title": "stories", "automargin": True},
        height=320,
        bargap=0.03,
        margin={"l": 10, "r": 10, "t": 50, "b": 10},
    )
    return figure
