"""Figures of correlations on part of the stories. Plotly reads labels as HTML, so every untrusted name is escaped."""

from collections.abc import Iterable, Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.correlation.limits import NO_LIMITS, Limits
from core.figures.correlation import AXES, metric_names
from core.figures.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    YELLOW,
    filled,
    intervals_and_fill,
    safe,
    titled,
    whiskers,
)
from core.figures.style import (
    number as written,
)
from core.statistics.correlation import Coefficient, MetricCorrelation

SERIES = (
    (BLUE, "circle"),
    (ORANGE, "square"),
    (GREEN, "diamond"),
    (PURPLE, "triangle-up"),
    (YELLOW, "cross"),
    (SKY, "x"),
    (GREY, "star"),
)
"""A shape each: told apart without colour too."""
LANE, ROW, LEGEND_ROW = 15, 14, 24
"""In pixels: a dot with its interval, the room between two rows of them, a line of the legend."""
ONE_RATER, CEILING = "one human rater", "ceiling"
WHOLE = "all stories"


def by_error_type(
    correlations: Sequence[MetricCorrelation], coefficient: str = "pearson", limits: Mapping[str, Limits] | None = None
) -> go.Figure:
    """One dot per metric and error type, which it carries, with its 95 % interval, filled where that leaves out 0; the
    first metric on top.

    `found`: rows of `by_error`. `limits`: by subset, where they are defined: rows of their own at the bottom.
    """
    subsets = list(dict.fromkeys(correlation.subset or "" for correlation in correlations))
    names = dict(zip(subsets, ([*_names(correlations, subset)] for subset in subsets), strict=True))
    cells = {
        (name, subset): getattr(correlation.correlation, coefficient)
        for subset in subsets
        for name, correlation in zip(names[subset], _of(correlations, subset), strict=True)
    }
    metrics = names[subsets[0]] if subsets else []
    metrics = [name for name in metrics if any(cells[name, subset].value is not None for subset in subsets)]
    people = _limits(limits or {}, subsets)
    rows = [*metrics, *people]
    shown = [
        number
        for number, subset in enumerate(subsets)
        if any(cells[name, subset].value is not None for name in metrics)
        or any(values[number] is not None for values in people.values())
    ]
    figure = go.Figure()
    for lane, number in enumerate(shown):
        subset, (colour, symbol) = subsets[number], SERIES[lane % len(SERIES)]
        aside = (lane + 0.5) / len(shown) * 0.8 - 0.4
        places = [-(row + aside) for row in range(len(rows))]
        one_type = [cells[name, subset] for name in metrics]
        name = subset.removeprefix("error:")
        _dots(
            figure,
            name,
            [safe(row) for row in metrics],
            one_type,
            places[: len(metrics)],
            colour,
            symbol,
            [name] * len(metrics),
        )
        _people(figure, name, people, number, places[len(metrics) :], colour, symbol)
    if metrics and people:
        figure.add_hline(y=0.5 - len(metrics), line={"color": GREY, "width": 1}, opacity=1)
    lines = len(rows) * max(1, len(shown))
    _lay_out(
        figure,
        "Agreement with people, by error type",
        rows,
        coefficient,
        LANE * lines + ROW * len(rows),
        cells.values(),
    )
    return figure


def _limits(limits: Mapping[str, Limits], subsets: Sequence[str]) -> dict[str, list[float | None]]:
    """What people reach on each subset, by what the row is called; rows without any number are left out."""
    result = {
        title: [getattr(limits.get(subset, NO_LIMITS), pick) for subset in subsets]
        for title, pick in ((ONE_RATER, "one_rater"), (CEILING, "ceiling"))
    }
    return {title: values for title, values in result.items() if any(value is not None for value in values)}


def _people(
    figure: go.Figure,
    name: str,
    people: Mapping[str, Sequence[float | None]],
    number: int,
    places: Sequence[float],
    colour: str,
    symbol: str,
) -> None:
    """What people reach on this type's stories: marks without intervals, each of its type's shape and colour."""
    if not any(values[number] is not None for values in people.values()):
        return
    figure.add_scatter(
        x=[values[number] for values in people.values()],
        y=list(places),
        mode="markers",
        name=safe(f"{name}, people"),
        marker={"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2, "color": colour}},
        showlegend=False,
        hovertext=[
            f"{title}, {safe(name)}: {written(value, '.4f')}" if (value := values[number]) is not None else ""
            for title, values in people.items()
        ],
        hoverinfo="text",
    )


def _names(correlations: Sequence[MetricCorrelation], subset: str) -> list[str]:
    return metric_names(_of(correlations, subset))


def _of(correlations: Sequence[MetricCorrelation], subset: str) -> list[MetricCorrelation]:
    return [correlation for correlation in correlations if (correlation.subset or "") == subset]


def by_system(
    correlations: Sequence[MetricCorrelation], coefficient: str, limits: Mapping[str | None, Limits], title: str
) -> go.Figure:
    """A dot a system with its 95 % interval, filled where that leaves out 0, the best on top, all stories last; beside
    it one human rater and the ceiling of the same stories. A dot carries its system's name, "" for all stories.

    `found`: of one metric, one row per system and one of all stories. `title`: what the metric is called.
    """
    parts = [correlation for correlation in correlations if correlation.subset is not None]
    parts.sort(key=lambda correlation: -_or(getattr(correlation.correlation, coefficient).value))
    order = [*parts, *(correlation for correlation in correlations if correlation.subset is None)]
    rows = [_system(correlation) for correlation in order]
    places = [float(-row) for row in range(len(rows))]
    figure = go.Figure()
    for name, pick, symbol in ((ONE_RATER, "one_rater", "line-ns"), (CEILING, "ceiling", "diamond-tall-open")):
        values = [getattr(limits.get(correlation.subset), pick, None) for correlation in order]
        if any(value is not None for value in values):
            figure.add_scatter(
                x=values,
                y=places,
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": 13, "color": GREY, "line": {"width": 2.5, "color": GREY}},
                hovertext=[
                    f"{safe(row)}, {name}: {written(value)}" if value is not None else ""
                    for row, value in zip(rows, values, strict=True)
                ],
                hoverinfo="text",
            )
    cells = [getattr(correlation.correlation, coefficient) for correlation in order]
    named = ["" if correlation.subset is None else _system(correlation) for correlation in order]
    _dots(figure, title, [safe(row) for row in rows], cells, places, BLUE, "circle", named)
    _lay_out(figure, f"{title} against people, by system", rows, coefficient, (LANE + ROW) * len(rows), cells)
    return figure


def _or(value: float | None) -> float:
    return -2.0 if value is None else value


def _system(correlation: MetricCorrelation) -> str:
    return WHOLE if correlation.subset is None else correlation.subset.removeprefix("system:")


def _dots(
    figure: go.Figure,
    name: str,
    rows: Sequence[str],
    cells: Sequence[Coefficient],
    places: Sequence[float],
    colour: str,
    symbol: str,
    carried: Sequence[str],
) -> None:
    """`carried`: the subset of each dot, which a page is told of where the dot is pressed."""
    figure.add_scatter(
        x=[c.value for c in cells],
        y=list(places),
        mode="markers",
        name=safe(name),
        marker={
            "symbol": [filled(symbol, c) for c in cells],
            "size": 10,
            "color": colour,
            "line": {"width": 2, "color": colour},
        },
        error_x=whiskers(cells, colour),
        hovertext=[f"{row}, {safe(name)}: {_text(c)}" for row, c in zip(rows, cells, strict=True)],
        hoverinfo="text",
        customdata=[[safe(one)] for one in carried],
    )


def _text(c: Coefficient) -> str:
    return "undefined" if c.value is None else c.shown(".4f", ".3f", star="*" if c.starred else "")


def _lay_out(
    figure: go.Figure,
    title: str,
    rows: Sequence[str],
    coefficient: str,
    plot: int,
    cells: Iterable[Coefficient],
) -> None:
    """`plot`: pixels of the rows. `cells`: all that is drawn."""
    legend = LEGEND_ROW * -(-sum(trace.showlegend is not False for trace in figure.data) // 2)
    plot = max(plot, 60)
    figure.add_vline(x=0, line={"color": GREY, "width": 1}, opacity=1, layer="below")
    figure.update_layout(
        xaxis={"title": AXES[coefficient], "automargin": True, "zeroline": False},
        yaxis={
            "tickvals": [-row for row in range(len(rows))],
            "ticktext": [safe(row) for row in rows],
            "range": [-len(rows) + 0.5, 0.5],
            "automargin": True,
            "showgrid": False,
            "zeroline": False,
        },
        height=plot + 120 + legend,
        margin={"l": 10, "r": 20, "b": 70 + legend},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "traceorder": "normal"},
        showlegend=True,
    )
    titled(figure, title, intervals_and_fill(cells))
