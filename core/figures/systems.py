"""Figures of systems as wholes: their ranking, and a metric's means against people's."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.endings import EndingGroup
from core.analysis.systems import SystemCorrelation, SystemMean, SystemRow
from core.annotation.draws import Estimate
from core.figures.correlation import BLUE, GREY, ORANGE, safe

ROW, FRAME = 36, 160
"""In pixels: a row, and what surrounds them."""
GAP, ROOM, NAME = 0.06, 0.55, 0.07
"""Of the spread of the points: from them to their names, from them to the edge, from one name to the next."""
LONGEST = 22
"""Characters of a name beside the points; the hover has all of it."""


def ranking(rows: Sequence[SystemRow], judgment: str) -> go.Figure:
    """A dot a system at its mean judgment with its 95 % interval, the best on top; beside it its rank with interval.

    `judgment`: what the mean is of, such as "mean rating".
    """
    found = [(row.system, row.human) for row in rows if row.human.mean.value is not None]
    return _dots(found, "Systems by people", f"{judgment} of the system's stories")


def ranking_by_metric(rows: Sequence[SystemRow], number: int, name: str) -> go.Figure:
    """The same by the metric of this number."""
    found = [(row.system, row.metrics[number]) for row in rows if row.metrics[number].mean.value is not None]
    return _dots(found, f"Systems by {safe(name)}", f"mean {safe(name)} (raw score)")


def _dots(found: list[tuple[str, SystemMean]], title: str, axis: str) -> go.Figure:
    found = sorted(found, key=lambda pair: (pair[1].mean.value or 0.0, pair[0]))
    names = [f"{safe(system)}  <b>{_rank(one.rank)}</b>" for system, one in found]
    figure = go.Figure(
        go.Scatter(
            x=[one.mean.value for _, one in found],
            y=names,
            mode="markers",
            marker={"size": 11, "color": BLUE},
            error_x=_error([one.mean for _, one in found]),
            hovertext=[
                f"{safe(system)}: {_said(one.mean)}, rank {_rank(one.rank)}, n = {one.n:,}" for system, one in found
            ],
            hoverinfo="text",
        )
    )
    figure.update_layout(
        title={"text": title},
        xaxis={"title": axis, "automargin": True},
        yaxis={"type": "category", "automargin": True},
        height=FRAME + ROW * max(1, len(found)),
        margin={"l": 10, "r": 20, "t": 50, "b": 50},
        showlegend=False,
    )
    return figure


def _rank(one: Estimate) -> str:
    if one.value is None:
        return "–"
    ends = "" if one.low is None or one.low == one.high == one.value else f" ({one.low:g}–{one.high:g})"
    return f"{one.value:g}{ends}"


def _said(one: Estimate) -> str:
    return f"{one.value:.4g}" + (f" ({one.low:.4g} to {one.high:.4g})" if one.low is not None else "")


def _error(found: Sequence[Estimate]) -> dict[str, object]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if one.high is None or one.value is None else max(0.0, one.high - one.value) for one in found],
        "arrayminus": [0 if one.low is None or one.value is None else max(0.0, one.value - one.low) for one in found],
        "color": ORANGE,
        "thickness": 1.5,
    }


def against_people(
    rows: Sequence[SystemRow], number: int, name: str, one: SystemCorrelation, judgment: str
) -> go.Figure:
    """A point a system: x its mean score by the metric of this number, y its mean judgment, with both intervals.

    Names stand in a column of their own, each with a line to its point: points may be close, names must not overlap.
    """
    found = [
        (row.system, row.metrics[number].mean, row.human.mean)
        for row in rows
        if row.metrics[number].mean.value is not None and row.human.mean.value is not None
    ]
    figure = go.Figure(
        go.Scatter(
            x=[x.value for _, x, _ in found],
            y=[y.value for _, _, y in found],
            mode="markers",
            marker={"size": 11, "color": BLUE},
            error_x=_error([x for _, x, _ in found]),
            error_y=_error([y for _, _, y in found]),
            hovertext=[f"{safe(system)}: {safe(name)} {_said(x)}, people {_said(y)}" for system, x, y in found],
            hoverinfo="text",
        )
    )
    right = _name_points(figure, found)
    r = one.pearson.value
    figure.update_layout(
        title={"text": f"{safe(name)} against people, by system" + (f", r = {r:.3f}" if r is not None else "")},
        xaxis={"title": f"mean {safe(name)} (raw score)", "automargin": True, "range": right, "zeroline": False},
        yaxis={"title": f"{judgment} of the system's stories", "automargin": True, "zeroline": False},
        height=480,
        margin={"l": 10, "r": 20, "t": 50, "b": 50},
        showlegend=False,
        uirevision=name,
    )
    return figure


def _name_points(figure: go.Figure, found: Sequence[tuple[str, Estimate, Estimate]]) -> list[float] | None:
    """Write each system's name right of the points, spread so that none overlaps; returns the x axis's range."""
    if not found:
        return None
    xs, ys = [_ends(x) for _, x, _ in found], [_ends(y) for _, _, y in found]
    left, right = min(low for low, _ in xs), max(high for _, high in xs)
    width = right - left or 1.0
    height = max(high for _, high in ys) - min(low for low, _ in ys) or 1.0
    order = sorted(range(len(found)), key=lambda i: found[i][2].value or 0.0)
    heights = [found[i][2].value or 0.0 for i in order]
    places: list[float] = []
    for value in heights:
        places.append(value if not places else max(value, places[-1] + height * NAME))
    shift = sum(place - value for place, value in zip(places, heights, strict=True)) / len(places)
    for i, place in zip(order, places, strict=True):
        system, x, y = found[i]
        figure.add_annotation(
            x=x.value,
            y=y.value,
            ax=right + width * GAP,
            ay=place - shift,
            axref="x",
            ayref="y",
            text=safe(system if len(system) <= LONGEST else f"{system[: LONGEST - 1]}…"),
            xanchor="left",
            showarrow=True,
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=GREY,
            standoff=6,
        )
    return [left - width * GAP, right + width * ROOM]


def _ends(one: Estimate) -> tuple[float, float]:
    value = one.value or 0.0
    return (value if one.low is None else min(one.low, value), value if one.high is None else max(one.high, value))


def endings(found: Sequence[EndingGroup], name: str) -> go.Figure:
    """A dot a group at its difference to the first, with the paired interval; the line at zero is the first group."""
    others = [(one, one.difference) for one in found if one.difference is not None and one.difference.value is not None]
    figure = go.Figure(
        go.Scatter(
            x=[gap.value for _, gap in others],
            y=[safe(one.group) for one, _ in others],
            mode="markers",
            marker={"size": 11, "color": BLUE},
            error_x=_error([gap for _, gap in others]),
            hovertext=[f"{safe(one.group)}: {_said(gap)}, {one.paired:,} contexts" for one, gap in others],
            hoverinfo="text",
        )
    )
    figure.add_vline(x=0, line={"color": GREY, "width": 1.5, "dash": "dash"})
    figure.update_layout(
        title={"text": f"{safe(name)}: difference to {safe(found[0].group)}" if found else ""},
        xaxis={"title": f"difference in mean {safe(name)}, same contexts", "automargin": True},
        yaxis={"type": "category", "automargin": True, "autorange": "reversed"},
        height=FRAME + ROW * max(1, len(others)),
        margin={"l": 10, "r": 20, "t": 50, "b": 50},
        showlegend=False,
    )
    return figure
