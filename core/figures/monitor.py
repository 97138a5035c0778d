"""Figures of the Monitor page."""

from collections.abc import Sequence
from datetime import timedelta

import plotly.graph_objects as go

from core.annotation.monitor.pace import PaceStep
from core.figures.style import BLUE, ORANGE, titled

FEW = 6
"""Counts below which an axis has a tick for each."""


def over_time(steps: Sequence[PaceStep], what: str) -> go.Figure:
    """A bar a step of time: what was handed in, valid below (blue), rejected on top (orange, striped).

    `what`: its plural.
    """
    figure = go.Figure()
    begins = [step.begins for step in steps]
    for name, colour, pattern, counts in (
        ("valid", BLUE, "", [step.valid for step in steps]),
        ("rejected", ORANGE, "/", [step.rejected for step in steps]),
    ):
        figure.add_bar(
            x=begins,
            y=counts,
            name=name,
            marker={"color": colour, "line": {"width": 0}, "pattern": {"shape": pattern}},
            hovertemplate=f"%{{x|%d %b, %H:%M}}: %{{y:,}} {name}<extra></extra>",
        )
    figure.update_layout(
        barmode="stack",
        bargap=0.15,
        xaxis={"title": "time (UTC)", "automargin": True, "type": "date", **_ticks(steps)},
        yaxis={"title": what, "automargin": True, "rangemode": "tozero", "tickformat": ",d", **_whole(steps)},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "traceorder": "normal"},
        height=300,
        margin={"l": 10, "r": 10, "b": 80},
    )
    titled(figure, f"{what.capitalize()} handed in, by {_every(steps)}")
    return figure


def _ticks(steps: Sequence[PaceStep]) -> dict[str, object]:
    """Hours and minutes above the day: of a bar or two Plotly would write seconds, and minutes between them."""
    a_day = timedelta(days=1) / timedelta(milliseconds=1)
    written = [{"dtickrange": [None, a_day - 1], "value": "%H:%M\n%-d %b %Y"}, {"value": "%-d %b\n%Y"}]
    return {
        "tickformatstops": written,
        **({"dtick": a_day / 24} if len(steps) < FEW and _every(steps) == "hour" else {}),
    }


def _whole(steps: Sequence[PaceStep]) -> dict[str, int]:
    """A step of 1 where an axis of few would have ticks between two whole numbers."""
    return {"dtick": 1} if max((step.valid + step.rejected for step in steps), default=0) < FEW else {}


def _every(steps: Sequence[PaceStep]) -> str:
    width = steps[1].begins - steps[0].begins if len(steps) > 1 else timedelta(hours=1)
    return {timedelta(hours=1): "hour", timedelta(hours=6): "quarter of a day"}.get(width, "day")
