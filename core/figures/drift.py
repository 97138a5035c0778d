"""Figures of the drift page: UNION's Figure 2 in two halves, and dots with intervals for systems and studies.

Metrics differ by colour, dash and marker at once, so that they are told apart in grey and by colour-blind readers.
Every untrusted name is escaped.
"""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.correlation.limits import NO_LIMITS, Limits
from core.analysis.drift.quality import DriftRow, Level, QualityDrift
from core.analysis.drift.subsets import DatasetRow, SystemDrift, SystemDriftRow
from core.figures.correlation import limit_lines
from core.figures.judgments import separated, shade
from core.figures.style import GREY, GROUPS, intervals, safe, titled, whiskers
from core.figures.style import number as written
from core.statistics.intervals import Estimate

COLOURS = (*GROUPS[:5], GREY)
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
MOST = len(COLOURS)
"""Lines that one figure can tell apart."""
USUAL = 3
"""Lines that a figure begins with: the intervals of more are hard to follow."""
SPREAD = 0.7
"""Of the room between two rows or sets, what the markers of one take."""
PLOT, LEGEND_ROW, POINT = 380, 24, 17
"""In pixels: a plot with its titles, a row of its legend, a marker in a row of dots."""
LINE_ROOM = 92
"""Pixels right of the plot for the names of its level lines."""
ALL = "all stories"


def biased_sets(drift: QualityDrift) -> go.Figure:
    """Figure 2, left: one column per set, as high as it has stories on average, from the lowest human score (orange)
    on. A part of a column carries the ends of its level.
    """
    numbers = [biased_set.number for biased_set in drift.sets]
    figure = go.Figure()
    for place, level in enumerate(drift.levels):
        counts = [biased_set.by_level[place] for biased_set in drift.sets]
        figure.add_bar(
            x=numbers,
            y=counts,
            name=level_name(level),
            marker=separated(shade(place / max(1, len(drift.levels) - 1))),
            customdata=[level_ends(level)] * len(numbers),
            hovertext=[
                f"set {biased_set.number}, judgment {level_name(level)}: "
                f"{count:.1f} of {biased_set.expected_size:.1f} stories"
                for biased_set, count in zip(drift.sets, counts, strict=True)
            ],
            hoverinfo="text",
        )
    figure.update_layout(
        barmode="stack",
        yaxis={"title": "expected stories", "automargin": True},
        legend={"traceorder": "normal", "title": {"text": "human judgment "}},
    )
    _lay_out(figure, "Stories in each biased set", rows=-(-len(drift.levels) // 3) + 1)
    return figure


def level_name(level: Level) -> str:
    """A score, or the two ends of a class of scores."""
    if level.low == level.high:
        return written(level.low, ".2g")
    return f"{written(level.low, '.3g')}–{written(level.high, '.3g')}"


def level_ends(level: Level) -> tuple[str, str]:
    """Both ends of a level as text, by which a page knows it again."""
    return f"{level.low:.9g}", f"{level.high:.9g}"


def quality_curves(drift: QualityDrift, chosen: Mapping[str, DriftRow], limits: Limits = NO_LIMITS) -> go.Figure:
    """Figure 2, right: each chosen metric's mean r in each set; the bars hold 95 % of the draws. A point carries its
    metric.

    `limits`: of all stories together, lines across the plot.
    """
    figure = go.Figure()
    for number, (name, row) in enumerate(chosen.items()):
        aside = _aside(number, len(chosen))
        figure.add_scatter(
            x=[biased_set.number + aside for biased_set in drift.sets],
            y=[value.value for value in row.values],
            mode="lines+markers",
            line={"color": COLOURS[number], "dash": DASHES[number], "width": 2},
            error_y=whiskers(row.values, COLOURS[number]),
            **_named(name, number, [f"set {biased_set.number}" for biased_set in drift.sets], row.values),
            customdata=[[safe(name)]] * len(drift.sets),
        )
    figure.update_layout(
        yaxis={
            "title": "Pearson's r with people",
            "automargin": True,
            "zeroline": True,
            "zerolinecolor": GREY,
        },
        showlegend=len(chosen) > 1,
    )
    shown = "Lines: 95 % of the draws." if drift.draws > 1 else ""
    title = "Agreement with people in each biased set"
    _lay_out(figure, title, shown, rows=_legend_rows(len(chosen)) if len(chosen) > 1 else 0)
    _level_lines(figure, limits)
    return figure


def _level_lines(figure: go.Figure, limits: Limits) -> None:
    """A dashed line at one human rater, a dotted one at the ceiling, named right of the plot.

    The upper name stands above its line and the lower one below, so that they part where the lines are close.
    """
    lines = (("one human<br>rater", limits.one_rater, "dash"), ("ceiling", limits.ceiling, "dot"))
    drawn = sorted((value, name, dash) for name, value, dash in lines if value is not None)
    for place, (value, name, dash) in enumerate(drawn):
        figure.add_hline(y=value, line={"color": GREY, "dash": dash, "width": 2}, layer="below", opacity=1)
        figure.add_annotation(
            x=1,
            xref="paper",
            xanchor="left",
            xshift=4,
            y=value,
            yanchor="bottom" if place else "top",
            text=f"{name} {written(value, '.2f')}",
            align="left",
            showarrow=False,
            font={"size": 12},
        )
    if drawn:
        figure.update_layout(margin_r=LINE_ROOM)


def system_dots(drift: SystemDrift, chosen: Mapping[str, SystemDriftRow], limits: Limits = NO_LIMITS) -> go.Figure:
    """One row per system, the last for all stories: each chosen metric's r with its 95 % bootstrap interval by prompt.
    A dot carries its system, "" for all stories, and its metric.

    `limits`: of all stories together, lines down the plot.
    """
    rows = [f"{safe(part.name)} ({part.n:,})" for part in drift.systems] + [f"<b>{ALL}</b> ({drift.n:,})"]
    values = {name: (*row.values, row.all) for name, row in chosen.items()}
    carried = {name: [(part.name, name) for part in drift.systems] + [("", name)] for name in chosen}
    figure = _dots("Agreement with people, by system", rows, values, carried, "In brackets: stories.")
    limit_lines(figure, limits)
    return figure


def dataset_dots(studies: Sequence[str], rows: Mapping[str, DatasetRow]) -> go.Figure:
    """One row per metric: its r in each study with the 95 % bootstrap interval by prompt. A dot carries its study and
    its metric.
    """
    values = {study: tuple(row.values[place] for row in rows.values()) for place, study in enumerate(studies[:MOST])}
    carried = {study: [(study, name) for name in rows] for study in values}
    return _dots("Agreement with people, by study", [safe(name) for name in rows], values, carried)


def _dots(
    title: str,
    rows: Sequence[str],
    values: Mapping[str, Sequence[Estimate]],
    carried: Mapping[str, Sequence[Sequence[str]]],
    sentence: str = "",
) -> go.Figure:
    """`values`: an estimate a row, by what the legend tells apart, and likewise what each dot carries; the first row on
    top.
    """
    figure = go.Figure()
    for number, (name, estimates) in enumerate(values.items()):
        aside = _aside(number, len(values))
        figure.add_scatter(
            x=[estimate.value for estimate in estimates],
            y=[place + aside for place in range(len(rows))],
            mode="markers",
            error_x=whiskers(estimates, COLOURS[number]),
            **_named(name, number, rows, estimates),
            customdata=[[safe(part) for part in parts] for parts in carried[name]],
        )
    figure.add_vline(x=0, line={"color": GREY, "width": 1}, opacity=1)
    for place in range(1, len(rows)):
        figure.add_hline(y=place - 0.5, line={"color": GREY, "width": 0.5}, opacity=0.4)
    height = len(rows) * max(34, POINT * len(values) + 10)
    figure.update_layout(
        xaxis={"title": "Pearson's r with people", "automargin": True, "zeroline": False},
        yaxis={
            "tickvals": list(range(len(rows))),
            "ticktext": list(rows),
            "range": [len(rows) - 0.5, -0.5],
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
        },
        showlegend=True,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        height=height + 130 + LEGEND_ROW * _legend_rows(len(values)),
        margin={"l": 10, "r": 20, "t": 50, "b": 60 + LEGEND_ROW * _legend_rows(len(values))},
    )
    titled(figure, title, intervals(estimate for estimates in values.values() for estimate in estimates), sentence)
    return figure


def _named(name: str, number: int, where: Sequence[str], values: Sequence[Estimate]) -> dict[str, object]:
    """What a marker of this number looks like and says."""
    return {
        "name": safe(name),
        "marker": {"color": COLOURS[number], "symbol": SYMBOLS[number], "size": 9},
        "hovertext": [f"{safe(name)}, {place}: {_text(value)}" for place, value in zip(where, values, strict=True)],
        "hoverinfo": "text",
    }


def _text(estimate: Estimate) -> str:
    return safe(estimate.undefined or "undefined") if estimate.value is None else estimate.shown()


def _aside(number: int, of: int) -> float:
    """How far from the middle of its place: intervals side by side do not hide each other."""
    return (number - (of - 1) / 2) * SPREAD / max(1, of)


def _legend_rows(entries: int) -> int:
    """On a phone two names go beside each other."""
    return -(-entries // 2)


def _lay_out(figure: go.Figure, title: str, *details: str, rows: int) -> None:
    """A plot over the eight sets, with room for a legend of so many rows below."""
    below = LEGEND_ROW * rows
    figure.update_layout(
        xaxis={"title": "biased set, 1 poor to 8 good", "dtick": 1, "automargin": True},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        height=PLOT + below,
        margin={"l": 10, "r": 20, "b": 60 + below},
    )
    titled(figure, title, *details)
