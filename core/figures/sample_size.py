"""Figures of "how many more?": what thinning out the data shows, and what is extrapolated from it."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.correlation.sample_size import Extrapolation, SampleSizeStep
from core.analysis.planning.systems import SeenCurve
from core.figures.style import BLUE, DECORATION, GREY, GROUPS, ORANGE, number, titled

WIDTH = "Width of the 95 % interval of r"
HEADROOM = 1.12
LINES = tuple(zip(GROUPS, ("solid", "dash", "dot", "dashdot", "longdash"), strict=False))
"""Colour and dash of the designs' curves, the one with the fewest ratings first."""


def more_ratings(more: Extrapolation, metric: str) -> go.Figure:
    """The interval's width against ratings a story."""
    figure = _curve(more.by_ratings, more.by_ratings[-1], _top(more))
    return _named(figure, f"More ratings a story · {metric}", "Ratings a story")


def more_stories(more: Extrapolation, metric: str) -> go.Figure:
    """The interval's width against the number of stories."""
    figure = _curve(more.by_stories, more.now, _top(more))
    return _named(figure, f"More stories · {metric}", "Stories")


def _top(more: Extrapolation) -> float:
    """One scale for both figures, or the steeper would look like the flatter."""
    return HEADROOM * max((step.width for step in (*more.by_ratings, *more.by_stories)), default=1.0)


def _curve(steps: Sequence[SampleSizeStep], now: SampleSizeStep, top: float) -> go.Figure:
    seen = [step for step in steps if not step.extrapolated]
    later = [step for step in steps if step.extrapolated]
    figure = go.Figure()
    figure.add_trace(_trace(seen, "found by thinning out", BLUE, "solid", "circle"))
    if later:
        figure.add_trace(_trace([*seen[-1:], *later], "extrapolated", ORANGE, "dash", "diamond-open"))
    figure.update_yaxes(range=[0, top], title=WIDTH, automargin=True)
    return figure


def _trace(steps: Sequence[SampleSizeStep], name: str, colour: str, dash: str, symbol: str) -> go.Scatter:
    return go.Scatter(
        x=[step.size for step in steps],
        y=[step.width for step in steps],
        mode="lines+markers",
        name=name,
        line={"color": colour, "dash": dash, "width": 2.5},
        marker={"color": colour, "symbol": symbol, "size": 9},
        hovertext=[f"{step.size:,}: {step.width:.4f} wide, r = {number(step.r, '.4f')}" for step in steps],
        hoverinfo="text",
    )


def _named(figure: go.Figure, title: str, axis: str) -> go.Figure:
    figure.update_layout(
        xaxis={"title": axis, "rangemode": "tozero", "automargin": True, "tickformat": ",d"},
        height=380,
        margin={"l": 10, "r": 20, "b": 80},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "xanchor": "left", "x": 0},
    )
    titled(figure, title)
    return figure


def seen_by_prompts(curves: Sequence[SeenCurve], difference: float, power: float) -> go.Figure:
    """A curve per number of ratings a story, of the least difference between two systems that is seen; the level line
    is the one that is asked for.
    """
    figure = go.Figure(
        [
            go.Scatter(
                x=curve.prompts,
                y=curve.seen,
                mode="lines",
                name=f"{curve.ratings} {'rating' if curve.ratings == 1 else 'ratings'} a story",
                line={"color": colour, "dash": dash, "width": 2.5},
                hovertemplate="%{x:,} prompts: %{y:.3f}<extra>%{fullData.name}</extra>",
            )
            for curve, (colour, dash) in zip(curves, LINES, strict=True)
        ]
    )
    ends = [curves[0].prompts[0], curves[0].prompts[-1]]
    level = {"color": GREY, "width": 1.5, "dash": "dash"}
    figure.add_scatter(x=ends, y=[difference] * 2, mode="lines", line=level, name="asked for", meta=DECORATION)
    figure.update_yaxes(rangemode="tozero", title="Least difference seen", automargin=True)
    figure.update_xaxes(type="log")
    _named(figure, f"What a design sees with power {power:g}", "Prompts, on a logarithmic scale")
    return figure.update_xaxes(rangemode="normal", dtick="D2")
