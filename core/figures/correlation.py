"""Figures of the correlation page: every metric, with the lines to compare it with."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.correlation.limits import NO_LIMITS, Limits
from core.figures.style import BLUE, filled, intervals_and_fill, number, safe, titled, upright, whiskers
from core.metrics.naming import unique_names
from core.scores import ScoreColumn
from core.statistics.correlation import PARTLY, Coefficient, MetricCorrelation

AXES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ-b"}
LINE_LABEL = 18
"""Pixels that the name of a line takes above the plot."""
NEAR_THE_END = 0.8
"""A line from here on is near the right end of the axis, beyond which no coefficient lies."""
LEAST_SPAN = 0.5
"""Of the axis: in a narrower one a metric near 0 would look far from it."""
ROW, FRAME = 32, 140
"""In pixels: a row, and what surrounds them."""


def by_metric(
    correlations: Sequence[MetricCorrelation],
    coefficient: str = "pearson",
    limits: Limits = NO_LIMITS,
    *,
    of: str = "metric",
) -> go.Figure:
    """A dot a metric, which it carries, with its 95 % interval, filled where that leaves out 0; the first one on top.

    A metric with scores of few of the stories says of how many. Lines: one human rater, and what a perfect metric could
    reach. `of`: what they are called in the title.
    """
    defined = [
        (safe(name), correlation, getattr(correlation.correlation, coefficient))
        for name, correlation in zip(metric_names(correlations), correlations, strict=True)
    ]
    defined = [row for row in reversed(defined) if row[2].value is not None]  # plotly draws from the bottom
    most = max((correlation.correlation.n for _, correlation, _ in defined), default=0)
    figure = go.Figure(
        go.Scatter(
            x=[c.value for _, _, c in defined],
            y=[_with_number(name, correlation.correlation.n, most) for name, correlation, _ in defined],
            mode="markers",
            marker={
                "symbol": [filled("circle", c) for _, _, c in defined],
                "size": 11,
                "color": BLUE,
                "line": {"width": 2, "color": BLUE},
            },
            error_x=whiskers([c for _, _, c in defined], BLUE, 2),
            customdata=[[name] for name, _, _ in defined],
            hovertext=[
                f"{name}: {number(c.value, '.4f')}{'*' if c.starred else ''} (n = {correlation.correlation.n})"
                for name, correlation, c in defined
            ],
            hoverinfo="text",
        )
    )
    upright(figure, 0, width=1)
    least, highest = _ends([c for _, _, c in defined], limits)
    figure.update_layout(
        xaxis={
            "autorangeoptions": {"include": least + LEAST_SPAN if highest > -least else highest - LEAST_SPAN},
            "title": f"{AXES[coefficient]} with people",
            "automargin": True,
            "zeroline": False,
            "dtick": _between_ticks(max(LEAST_SPAN, highest - least)),
        },
        yaxis={"automargin": True, "type": "category"},
        height=FRAME + ROW * max(1, len(defined)),
        margin={"l": 10, "r": 20, "b": 50},
        showlegend=False,
    )
    titled(figure, f"Agreement with people, by {of}", intervals_and_fill(c for _, _, c in defined))
    limit_lines(figure, limits)
    return figure


def _ends(drawn: Sequence[Coefficient], limits: Limits) -> tuple[float, float]:
    """The lowest and the highest that is drawn, 0 among them."""
    every = [end for c in drawn for end in (c.value, c.low, c.high)]
    ends = [end for end in (0.0, *every, limits.one_rater, limits.ceiling) if end is not None]
    return min(ends), max(ends)


def _between_ticks(span: float) -> float:
    """So that a narrow figure has several, and a phone's no crowd."""
    return 0.1 if span <= 0.6 else 0.2 if span <= 1.3 else 0.5


def _with_number(name: str, stories: int, most: int) -> str:
    """The name, and of how many stories it is where these are much fewer than the others have."""
    return f"{name} ({stories:,} stories)" if stories < PARTLY * most else name


def limit_lines(figure: go.Figure, limits: Limits) -> None:
    """A dashed line at one human rater, a dotted one at the ceiling, each named above the plot in a row of its own."""
    lines = (("one human rater", limits.one_rater, "dash"), ("ceiling", limits.ceiling, "dot"))
    drawn = [(name, value, dash) for name, value, dash in lines if value is not None]
    for row, (name, value, dash) in enumerate(drawn):
        upright(figure, value, dash=dash, width=2)
        figure.add_annotation(
            x=value,
            y=1,
            yref="paper",
            yanchor="bottom",
            yshift=LINE_LABEL * row,
            xanchor="right" if value > NEAR_THE_END else "center",  # its name would be cut off there
            text=f"{name} {number(value)}",
            showarrow=False,
            font={"size": 12},
        )
    room = LINE_LABEL * len(drawn)
    figure.update_layout(margin_t=figure.layout.margin.t + room, height=figure.layout.height + room)


def metric_names(correlations: Sequence[MetricCorrelation | ScoreColumn]) -> list[str]:
    """What metrics are called, all different, as bars of one name would fall together."""
    return unique_names([(correlation.metric, correlation.signature) for correlation in correlations])
