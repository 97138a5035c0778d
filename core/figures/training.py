"""Figures of trainings: losses and held-out accuracy, step by step."""

import re
from collections.abc import Mapping

import plotly.graph_objects as go

from core.figures.style import BLUE, DECORATION, GREEN, GREY, ORANGE, PURPLE, SKY, YELLOW, safe, titled
from core.training.engine.curve import Curve

LOOKS = (
    (BLUE, "solid", "circle"),
    (ORANGE, "dash", "diamond"),
    (GREEN, "dot", "square"),
    (PURPLE, "dashdot", "triangle-up"),
    (YELLOW, "longdash", "cross"),
    (SKY, "longdashdot", "star"),
)
"""Of the runs in their order: colour, line and sign."""
CHANCE = 0.5
FEW_STEPS = 8
"""With so many, each has its tick."""
EVALUATED = {"auc": "AUC", "nll": "loss"}
"""Figures of held-out stories that tell the best weights, and what they are called."""

RANKED = "ranked"
TWO_SHARES = (
    "AUC takes every better text with every worse one; *pairs ranked right* takes each with its own worse one alone. "
    "Both say how often the better one scores higher: 0.5 is guessing."
)
CHOSEN = (
    "The weights that were kept are those that did best on these same held-out stories, so that their figures are "
    "optimistic: on other stories expect less."
)


def figure_name(what: str) -> str:
    """A figure of a checkpoint's card as people read it: AUC in capitals, and what a share of ranked pairs is of."""
    return re.sub(rf"\b{RANKED}\b", "pairs ranked right", re.sub(r"\bauc\b", EVALUATED["auc"], what))


def losses(curves: Mapping[str, Curve]) -> go.Figure:
    """One line per run, by its name; of a single run with two tasks also the loss of its first."""
    figure = go.Figure()
    for number, (name, curve) in enumerate(curves.items()):
        _line(figure, number, name, curve.steps, curve.losses["loss"])
    if len(curves) == 1:
        (curve,) = curves.values()
        if "classification" in curve.losses:
            _line(figure, 1, "classification alone", curve.steps, curve.losses["classification"])
    _laid_out(figure, "loss", max((curve.planned for curve in curves.values()), default=1))
    titled(figure, "Loss while training", "Means over equally many steps.")
    return figure


def held_out(curves: Mapping[str, Curve], figure_name: str = "auc", called: str = "AUC") -> go.Figure:
    """One line per run, with a sign an evaluation; the ring marks the weights that were kept. `called`: the figure."""
    figure = go.Figure()
    for number, (name, curve) in enumerate(curves.items()):
        points = [(step, figures[figure_name]) for step, figures in curve.evaluations if figure_name in figures]
        _line(figure, number, name, [step for step, _ in points], [value for _, value in points], signs=True)
        kept = [(step, value) for step, value in points if step == curve.best]
        figure.add_scatter(
            x=[step for step, _ in kept],
            y=[value for _, value in kept],
            mode="markers",
            marker={"symbol": "circle-open", "size": 17, "color": LOOKS[number % len(LOOKS)][0], "line": {"width": 2}},
            showlegend=False,
            hoverinfo="skip",
            meta=DECORATION,
        )
    if figure_name == "auc":
        figure.add_hline(CHANCE, line={"color": GREY, "width": 1, "dash": "dot"})
    _laid_out(figure, f"{called} of held-out stories", max((curve.planned for curve in curves.values()), default=1))
    titled(
        figure,
        "Held-out stories while training",
        "Ring: the weights that were kept." + (" Dotted: chance." if figure_name == "auc" else ""),
    )
    return figure


def _line(
    figure: go.Figure,
    number: int,
    name: str,
    steps: "list[int] | tuple[int, ...]",
    values: "list[float | None] | tuple[float, ...]",
    *,
    signs: bool = False,
) -> None:
    colour, dash, symbol = LOOKS[number % len(LOOKS)]
    figure.add_scatter(
        x=list(steps),
        y=list(values),
        name=safe(name),
        mode="lines+markers" if signs or len(steps) == 1 else "lines",
        line={"color": colour, "dash": dash, "width": 2},
        marker={"symbol": symbol, "size": 8, "color": colour},
        hovertemplate="step %{x:,}: %{y:.3f}<extra>" + safe(name) + "</extra>",
    )


def _laid_out(figure: go.Figure, axis: str, planned: int) -> None:
    figure.update_layout(
        xaxis={
            "title": "step",
            "range": [0, planned * 1.03],
            "automargin": True,
            "tickformat": ",d",
            "dtick": 1 if planned <= FEW_STEPS else None,  # else a step stands at several ticks
        },
        yaxis={"title": axis, "automargin": True, "tickformat": ".2f"},
        height=340,
        margin={"l": 10, "r": 10, "b": 80},
        showlegend=True,
        legend={"orientation": "h", "yref": "container", "y": 0.01, "yanchor": "bottom", "x": 0},
    )
