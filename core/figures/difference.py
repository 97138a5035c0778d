"""OpenMEVA's Figure 2: differences of a metric against differences of people, in four classes."""

import numpy as np
import plotly.graph_objects as go

from core.analysis.difference import Difference
from core.analysis.windows import pairs_of
from core.figures.correlation import BLUE, GREY, ORANGE, safe

GREEN, PURPLE = "#009E73", "#CC79A7"
CLASSES = (
    ("neither", False, False, GREY, "x-thin", "neither sees a difference"),
    ("metric_only", False, True, GREEN, "square-open", "the metric only"),
    ("human_only", True, False, ORANGE, "triangle-up-open", "people only"),
    ("both", True, True, BLUE, "circle", "both see a difference"),
)
"""Name of the count, whether people and the metric tell the pair apart, colour, shape, words; the last is on top."""
MOST_VECTOR_POINTS = 5000
"""The paper's 80 sets are 3,160 points and stay vectors in an export; more are drawn by WebGL."""


def plane(name: str, one: Difference) -> go.Figure:
    """A point a pair of sets: x the difference of mean ratings, y that of the metric's means, as in the paper.

    Each pair stands once, with the set that people rate higher first; the other half is its mirror image. Classes
    differ in shape as well as in colour. `one` must be defined. Zoom outlasts new data (`uirevision`).
    """
    figure = go.Figure()
    if one.sets is None or one.slope is None or one.r2 is None:
        return figure
    pairs = pairs_of(one.sets)
    draw = go.Scatter if len(pairs.human) <= MOST_VECTOR_POINTS else go.Scattergl
    for count, people, metric, colour, shape, words in CLASSES:
        mine = (pairs.human_apart == people) & (pairs.metric_apart == metric)
        share = getattr(one, count) / one.plan.pairs
        figure.add_trace(
            draw(
                x=pairs.human[mine],
                y=pairs.metric[mine],
                mode="markers",
                name=f"{words} ({share:.1%})",
                marker={"symbol": shape, "color": colour, "size": 6, "opacity": 0.75, "line": _line(shape, colour)},
                hovertemplate="ratings %{x:+.2f}, scores %{y:+.4g}<extra></extra>",
            )
        )
    end = float(pairs.human.max())
    figure.add_scatter(
        x=[0, end],
        y=[0, one.slope * end],
        mode="lines",
        line={"color": PURPLE, "width": 3},
        name="least squares",
        hoverinfo="skip",
    )
    figure.update_layout(
        title={"text": f"Differences of {safe(name)} and of people<br><sup>{_fit(one)}<br>{_sets(one)}</sup>"},
        xaxis={"title": "difference in mean rating", "automargin": True, "rangemode": "tozero"},
        yaxis={"title": f"difference in {safe(name)} (raw score)", "automargin": True, "tickformat": ".3~g"},
        height=560,
        uirevision=name,
        margin={"l": 10, "r": 20, "t": 95, "b": 40},
        legend={"orientation": "h", "y": -0.16, "yref": "paper", "traceorder": "reversed", "itemsizing": "constant"},
    )
    return figure


def _line(shape: str, colour: str) -> dict[str, object]:
    """Open and thin shapes are drawn by their line."""
    return {"width": 1.2 if shape.endswith(("open", "thin")) else 0, "color": colour}


def _fit(one: Difference) -> str:
    spread = f"median {one.r2_median:.2f}, {one.r2_low:.2f} to {one.r2_high:.2f} over ties"
    return f"R² = {one.r2:.2f} ({spread})"


def _sets(one: Difference) -> str:
    unusual = "; an unusual order of ties" if one.unusual else ""
    return f"{one.plan.number} sets of {one.plan.size}, every {one.plan.stride}{unusual}"


def fits(names: list[str], found: list[Difference]) -> go.Figure:
    """R squared of each metric, the median over orders of tied stories (a dot) with their range, the best on top.

    A metric whose line falls is an open square: there R squared speaks against it.
    """
    defined = [(name, one, one.r2_median) for name, one in zip(names, found, strict=True) if one.r2_median is not None]
    defined.sort(key=lambda row: row[2])
    rising = np.array([(one.slope or 0) >= 0 for _, one, _ in defined], dtype=bool)
    figure = go.Figure()
    for rises, words, colour, shape in (
        (True, "rises with ratings", BLUE, "circle"),
        (False, "falls where ratings rise", ORANGE, "square-open"),
    ):
        mine = [row for row, up in zip(defined, rising, strict=True) if up == rises]
        if mine:
            figure.add_scatter(
                x=[r2 for _, _, r2 in mine],
                y=[safe(name) for name, _, _ in mine],
                mode="markers",
                name=words,
                marker={"symbol": shape, "color": colour, "size": 10, "line": {"width": 2, "color": colour}},
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [(one.r2_high or r2) - r2 for _, one, r2 in mine],
                    "arrayminus": [r2 - (one.r2_low or 0.0) for _, one, r2 in mine],
                    "color": GREY,
                },
                hovertext=[f"{safe(name)}: {_fit(one)}; {_sets(one)}" for name, one, _ in mine],
                hoverinfo="text",
            )
    figure.update_layout(
        title={"text": "How far differences of the metric follow people's"},
        xaxis={"title": "R²: median, 95 % range over ties", "range": [-0.02, 1.02], "automargin": True},
        yaxis={
            "type": "category",
            "automargin": True,
            "categoryorder": "array",
            "categoryarray": [safe(name) for name, _, _ in defined],
        },
        height=200 + 30 * max(1, len(defined)),
        margin={"l": 10, "r": 20, "t": 50, "b": 100},
        showlegend=True,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
    )
    return figure
