"""Figures of the metric report. Plotly reads labels as HTML, so every untrusted name is escaped."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.verdict.subsets import SubsetResult
from core.figures.correlation import limit_lines, metric_names
from core.figures.style import BLUE, GREY, filled, intervals_and_fill, safe, titled, upright, whiskers
from core.report.metric import MetricReport
from core.statistics.intervals import Estimate

ROW, FRAME = 30, 150
"""In pixels: a row of dots, and what surrounds them."""


MINE, OTHER, ALL = (BLUE, "square"), (GREY, "circle"), (GREY, "diamond")
"""Colour and shape of a dot."""


def ranked(report: MetricReport) -> go.Figure:
    """Every metric of the study at its Pearson's r with its 95 % interval by prompt, best on top, this one a
    blue square; one human rater and the ceiling are lines. A dot carries its metric.
    """
    rows = [
        (
            name,
            f"<b>{safe(name)}</b>" if correlation is report.correlation else safe(name),
            Estimate(r.value, r.low, r.high),
            MINE if correlation is report.correlation else OTHER,
            correlation.correlation.n,
        )
        for name, correlation in zip(metric_names(report.among), report.among, strict=True)
        if (r := correlation.correlation.pearson).value is not None
    ]
    figure = _dots(rows, "Every metric's agreement with people", "Blue square: this metric.")
    limit_lines(figure, report.limits)
    return figure


def by_part(parts: Sequence[SubsetResult], whole: SubsetResult, title: str) -> go.Figure:
    """Pearson's r on each part of the stories and, last, on all of them, with 95 % intervals by prompt. A dot carries
    its part, "" for all stories.
    """
    rows = [(part.name, safe(part.name), part.r, MINE, part.n) for part in parts if part.r.value is not None]
    rows.sort(key=lambda row: -(row[2].value or 0.0))
    return _dots([*rows, ("", f"<b>{safe(whole.name)}</b>", whole.r, ALL, whole.n)], title)


def _dots(rows: Sequence[tuple[str, str, Estimate, tuple[str, str], int]], title: str, note: str = "") -> go.Figure:
    """One dot per row: what it carries, label, estimate, colour and shape, stories; the first on top. `note`: of what
    the colours mean.
    """
    figure = go.Figure()
    for look in dict.fromkeys(row[3] for row in rows):
        mine = [(place, row) for place, row in enumerate(rows) if row[3] == look]
        colour, symbol = look
        estimates = [row[2] for _, row in mine]
        figure.add_scatter(
            x=[estimate.value for estimate in estimates],
            y=[place for place, _ in mine],
            mode="markers",
            marker={
                "color": colour,
                "symbol": [filled(symbol, estimate) for estimate in estimates],
                "size": 10,
                "line": {"width": 2, "color": colour},
            },
            error_x=whiskers(estimates, colour, 2),
            customdata=[[safe(row[0])] for _, row in mine],
            hovertext=[f"{row[1]}: {row[2].shown('.4f', '.3f')}, n = {row[4]:,}" for _, row in mine],
            hoverinfo="text",
        )
    upright(figure, 0, width=1)
    figure.update_layout(
        xaxis={"title": "Pearson's r with people", "automargin": True, "zeroline": False},
        yaxis={
            "tickvals": list(range(len(rows))),
            "ticktext": [f"{row[1]} ({row[4]:,})" for row in rows],
            "range": [len(rows) - 0.5, -0.5],
            "automargin": True,
            "showgrid": False,
            "zeroline": False,
        },
        height=FRAME + ROW * max(2, len(rows)),
        margin={"l": 10, "r": 20, "b": 60},
        showlegend=False,
    )
    titled(figure, title, intervals_and_fill(row[2] for row in rows), note, "In brackets: stories.")
    return figure
