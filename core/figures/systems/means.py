"""Figures of systems as wholes: their ranking, and a metric's means against people's."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.systems.endings import EndingGroup
from core.analysis.systems.powered import PoweredSystem
from core.analysis.systems.ranking import SystemCorrelation, SystemMean, SystemRow
from core.figures.style import BLUE, DECORATION, GREY, ORANGE, intervals, number, safe, titled, whiskers
from core.scores import judgment_of
from core.statistics.intervals import Estimate

ROW, FRAME, LEGEND = 36, 140, 30
"""In pixels: a row, what surrounds them, and a legend below."""
BESIDE = 460
"""Pixels: the least height of the two figures of a metric, which stand side by side."""
GAP, ROOM, NAME = 0.06, 0.55, 0.07
"""Of the spread of the points: from them to their names, from them to the edge, from one name to the next."""
APART = 0.17
"""Of a row: half the distance of its two dots."""
LONGEST = 22
"""Characters of a name beside the points; the hover has all of it."""


def ranking(rows: Sequence[SystemRow], judgment: str) -> go.Figure:
    """One dot per system at its mean judgment with its 95 % interval, the best on top; beside it its rank with
    interval.

    `judgment`: what the mean is of, such as "mean rating".
    """
    results = [(row.system, row.human) for row in rows if row.human.mean.value is not None]
    return _dots(results, "Systems by people", judgment_of(judgment, "the system's stories"))


def ranking_by_metric(rows: Sequence[SystemRow], place: int, name: str, unit: str = "raw score") -> go.Figure:
    """Draw the ranking of systems by the metric at this place; `unit`: what its scores are."""
    results = [(row.system, row.metrics[place]) for row in rows if row.metrics[place].mean.value is not None]
    return _dots(results, f"Systems by {name}", f"mean {safe(name)} ({unit})", BESIDE)


def _dots(found: list[tuple[str, SystemMean]], title: str, axis: str, least: int = 0) -> go.Figure:
    """`least`: pixels of its height."""
    found = sorted(found, key=lambda pair: (pair[1].mean.value or 0.0, pair[0]))
    names = [f"{safe(system)}  <b>{_rank(mean.rank)}</b>" for system, mean in found]
    figure = go.Figure(
        go.Scatter(
            x=[mean.mean.value for _, mean in found],
            y=names,
            mode="markers",
            marker={"size": 11, "color": BLUE},
            error_x=whiskers([mean.mean for _, mean in found], BLUE),
            hovertext=[
                f"{safe(system)}: {mean.mean.shown('.4g')}, rank {_rank(mean.rank)}, n = {mean.n:,}"
                for system, mean in found
            ],
            customdata=[[safe(system)] for system, _ in found],
            hoverinfo="text",
        )
    )
    figure.update_layout(
        xaxis={"title": axis, "automargin": True},
        yaxis={"type": "category", "automargin": True},
        height=max(least, FRAME + ROW * max(1, len(found))),
        margin={"l": 10, "r": 20, "b": 50},
        showlegend=False,
    )
    titled(figure, title, intervals(mean.mean for _, mean in found), "Bold: the rank.")
    return figure


def _rank(estimate: Estimate) -> str:
    sure = estimate.low == estimate.high == estimate.value
    return (Estimate(estimate.value) if sure else estimate).shown("g", to="–")


def against_people(
    rows: Sequence[SystemRow],
    place: int,
    name: str,
    correlation: SystemCorrelation,
    judgment: str,
    unit: str = "raw score",
) -> go.Figure:
    """One point per system: x its mean score by the metric of this place, y its mean judgment, with both intervals.
    `unit`: what the scores are.

    Names stand in a column of their own, each with a dotted line to its point: points may be close, names must not
    overlap, and intervals are drawn through.
    """
    points = [
        (row.system, row.metrics[place].mean, row.human.mean)
        for row in rows
        if row.metrics[place].mean.value is not None and row.human.mean.value is not None
    ]
    figure = go.Figure(
        go.Scatter(
            x=[x.value for _, x, _ in points],
            y=[y.value for _, _, y in points],
            mode="markers",
            marker={"size": 11, "color": BLUE},
            error_x=whiskers([x for _, x, _ in points], BLUE),
            error_y=whiskers([y for _, _, y in points], BLUE),
            hovertext=[
                f"{safe(system)}: {safe(name)} {x.shown('.4g')}, people {y.shown('.4g')}" for system, x, y in points
            ],
            customdata=[[safe(system)] for system, _, _ in points],
            hoverinfo="text",
        )
    )
    right = _name_points(figure, points)
    r = correlation.pearson.value
    figure.update_layout(
        xaxis={"title": f"mean {safe(name)} ({unit})", "automargin": True, "range": right, "zeroline": False},
        yaxis={"title": judgment_of(judgment, "the system's stories"), "automargin": True, "zeroline": False},
        height=max(BESIDE, FRAME + ROW * len(points)),
        margin={"l": 10, "r": 20, "b": 50},
        showlegend=False,
        uirevision=name,
    )
    sentence = f"r = {number(r)} over {len(points)} systems." if r is not None else ""
    titled(figure, f"{name} against people, by system", sentence, intervals(x for _, x, _ in points))
    return figure


def _name_points(figure: go.Figure, points: Sequence[tuple[str, Estimate, Estimate]]) -> list[float] | None:
    """Write each system's name right of the points, spread so that none overlaps; returns the x axis's range."""
    if not points:
        return None
    xs, ys = [_ends(x) for _, x, _ in points], [_ends(y) for _, _, y in points]
    left, right = min(low for low, _ in xs), max(high for _, high in xs)
    width = right - left or 1.0
    height = max(high for _, high in ys) - min(low for low, _ in ys) or 1.0
    order = sorted(range(len(points)), key=lambda i: points[i][2].value or 0.0)
    heights = [points[i][2].value or 0.0 for i in order]
    places: list[float] = []
    for value in heights:
        places.append(value if not places else max(value, places[-1] + height * NAME))
    shift = sum(place - value for place, value in zip(places, heights, strict=True)) / len(places)
    across: list[float | None] = []
    up: list[float | None] = []
    for i, place in zip(order, places, strict=True):
        system, x, y = points[i]
        across += [x.value, right + width * GAP, None]
        up += [y.value, place - shift, None]
        figure.add_annotation(
            x=right + width * GAP,
            y=place - shift,
            text=safe(system if len(system) <= LONGEST else f"{system[: LONGEST - 1]}…"),
            xanchor="left",
            showarrow=False,
        )
    figure.add_scatter(
        x=across, y=up, mode="lines", line={"color": GREY, "width": 1, "dash": "dot"}, hoverinfo="skip", meta=DECORATION
    )
    figure.data = figure.data[::-1]  # points over lines
    return [left - width * GAP, right + width * ROOM]


def _ends(estimate: Estimate) -> tuple[float, float]:
    value = estimate.value or 0.0
    return (
        value if estimate.low is None else min(estimate.low, value),
        value if estimate.high is None else max(estimate.high, value),
    )


def endings(groups: Sequence[EndingGroup], name: str) -> go.Figure:
    """A dot per group at its difference to the first, with the paired interval; the line at zero is the first group."""
    others = [
        (group, group.difference)
        for group in groups
        if group.difference is not None and group.difference.value is not None
    ]
    figure = go.Figure(
        go.Scatter(
            x=[gap.value for _, gap in others],
            y=[safe(group.group) for group, _ in others],
            mode="markers",
            marker={"size": 11, "color": BLUE},
            error_x=whiskers([gap for _, gap in others], BLUE),
            hovertext=[f"{safe(group.group)}: {gap.shown('.4g')}, {group.paired:,} prompts" for group, gap in others],
            hoverinfo="text",
        )
    )
    figure.add_vline(x=0, line={"color": GREY, "width": 1.5, "dash": "dash"}, opacity=1)
    figure.update_layout(
        xaxis={"title": f"difference in mean {safe(name)}, same prompts", "automargin": True},
        yaxis={"type": "category", "automargin": True, "autorange": "reversed"},
        height=FRAME + ROW * max(1, len(others)),
        margin={"l": 10, "r": 20, "b": 50},
        showlegend=False,
    )
    titled(figure, f"{name}: difference to {groups[0].group}" if groups else name, intervals(gap for _, gap in others))
    return figure


def together(systems: Sequence[PoweredSystem], name: str, judgment: str) -> go.Figure:
    """Two dots per system with a mean, which carry it, the best on top: by people alone, and below it with the metric's
    help.
    """
    rows = sorted(
        (row for row in systems if row.mean.alone.value is not None),
        key=lambda row: (row.mean.alone.value or 0.0, row.system),
    )
    sides = {
        "people alone": ([row.mean.alone for row in rows], APART, BLUE, "circle"),
        f"with {safe(name)}": ([row.mean.powered or Estimate(None) for row in rows], -APART, ORANGE, "diamond-open"),
    }
    traces = [
        go.Scatter(
            x=[mean.value for mean in means],
            y=[place + shift for place in range(len(rows))],
            mode="markers",
            name=side,
            marker={"size": 11, "color": colour, "symbol": symbol},
            error_x=whiskers(means, colour),
            customdata=[[safe(row.system)] for row in rows],
            hovertext=[
                f"{safe(row.system)}, {side}: {mean.shown('.4g')}" for row, mean in zip(rows, means, strict=True)
            ],
            hoverinfo="text",
        )
        for side, (means, shift, colour, symbol) in sides.items()
    ]
    figure = go.Figure(traces)
    figure.update_layout(
        xaxis={"title": f"{judgment} of the system's stories", "automargin": True},
        yaxis={
            "tickvals": list(range(len(rows))),
            "ticktext": [safe(row.system) for row in rows],
            "range": [-0.6, len(rows) - 0.4],
            "automargin": True,
            "zeroline": False,
        },
        height=FRAME + LEGEND + round(ROW * 1.2) * max(1, len(rows)),
        margin={"l": 10, "r": 20, "b": 50 + LEGEND},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "xanchor": "left", "x": 0},
    )
    titled(figure, f"People and {name} together", intervals(row.mean.alone for row in rows))
    return figure
