"""Figures of correlations on part of the stories. Plotly reads labels as HTML, so every untrusted name is escaped."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.correlation import Coefficient, MetricCorrelation
from core.analysis.limits import Limits
from core.figures.correlation import AXES, BLUE, GREY, ORANGE, metric_names, safe

SERIES = (
    (BLUE, "circle"),
    (ORANGE, "square"),
    ("#009E73", "diamond"),
    ("#CC79A7", "triangle-up"),
    ("#E69F00", "cross"),
    ("#56B4E9", "x"),
    (GREY, "star"),
)
"""After Okabe and Ito, and a shape each: told apart without colour too."""
LANE, ROW, LEGEND_ROW = 15, 14, 24
"""In pixels: a dot with its interval, the room between two rows of them, a line of the legend."""
ONE_RATER, CEILING = "one human rater", "ceiling"
WHOLE = "all stories"


def by_error_type(
    found: Sequence[MetricCorrelation], coefficient: str = "pearson", limits: Mapping[str, Limits] | None = None
) -> go.Figure:
    """A dot a metric and error type with its 95 % interval, filled where p < 0.01; the best metric on top.

    `found`: rows of `by_error`. `limits`: by subset, where they are defined: rows of their own at the bottom.
    """
    subsets = list(dict.fromkeys(one.subset or "" for one in found))
    names = dict(zip(subsets, ([*_names(found, subset)] for subset in subsets), strict=True))
    cells = {
        (name, subset): getattr(one.correlation, coefficient)
        for subset in subsets
        for name, one in zip(names[subset], _of(found, subset), strict=True)
    }
    metrics = names[subsets[0]] if subsets else []
    metrics = [name for name in metrics if any(cells[name, subset].value is not None for subset in subsets)]
    metrics.sort(key=lambda name: -_mean([cells[name, subset].value for subset in subsets]))
    rows = list(metrics)
    for title, pick in ((ONE_RATER, "one_rater"), (CEILING, "ceiling")):
        values = {subset: getattr(one, pick) for subset, one in (limits or {}).items()}
        if any(value is not None for value in values.values()):
            rows.append(title)
            cells |= {(title, subset): Coefficient(values.get(subset)) for subset in subsets}
    shown = [subset for subset in subsets if any(cells[row, subset].value is not None for row in rows)]
    figure = go.Figure()
    for number, subset in enumerate(shown):
        colour, symbol = SERIES[number % len(SERIES)]
        places = [-(row + (number + 0.5) / len(shown) * 0.8 - 0.4) for row in range(len(rows))]
        one_type = [cells[row, subset] for row in rows]
        _dots(figure, subset.removeprefix("error:"), [safe(row) for row in rows], one_type, places, colour, symbol)
    lines = len(rows) * max(1, len(shown))
    _lay_out(figure, "Agreement with people, by error type", rows, coefficient, LANE * lines + ROW * len(rows))
    return figure


def _names(found: Sequence[MetricCorrelation], subset: str) -> list[str]:
    return metric_names(_of(found, subset))


def _of(found: Sequence[MetricCorrelation], subset: str) -> list[MetricCorrelation]:
    return [one for one in found if (one.subset or "") == subset]


def _mean(values: Sequence[float | None]) -> float:
    given = [value for value in values if value is not None]
    return sum(given) / max(1, len(given))


def by_system(
    found: Sequence[MetricCorrelation], coefficient: str, limits: Mapping[str | None, Limits], title: str
) -> go.Figure:
    """A dot a system with its 95 % interval, filled where p < 0.01, the best on top, all stories at the bottom; beside
    it one human rater and the ceiling of the same stories.

    `found`: of one metric, a row a system and one of all stories. `title`: what the metric is called.
    """
    parts = [one for one in found if one.subset is not None]
    parts.sort(key=lambda one: -_or(getattr(one.correlation, coefficient).value))
    order = [*parts, *(one for one in found if one.subset is None)]
    rows = [_system(one) for one in order]
    places = [float(-row) for row in range(len(rows))]
    figure = go.Figure()
    for name, pick, symbol in ((ONE_RATER, "one_rater", "line-ns"), (CEILING, "ceiling", "diamond-tall-open")):
        values = [getattr(limits.get(one.subset), pick, None) for one in order]
        if any(value is not None for value in values):
            figure.add_scatter(
                x=values,
                y=places,
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": 13, "color": GREY, "line": {"width": 2.5, "color": GREY}},
                hovertext=[
                    f"{safe(row)}, {name}: {value:.3f}" if value is not None else ""
                    for row, value in zip(rows, values, strict=True)
                ],
                hoverinfo="text",
            )
    cells = [getattr(one.correlation, coefficient) for one in order]
    _dots(figure, title, [safe(row) for row in rows], cells, places, BLUE, "circle")
    _lay_out(figure, f"{safe(title)} against people, by system", rows, coefficient, (LANE + ROW) * len(rows))
    return figure


def _or(value: float | None) -> float:
    return -2.0 if value is None else value


def _system(one: MetricCorrelation) -> str:
    return WHOLE if one.subset is None else one.subset.removeprefix("system:") or "(no system)"


def _dots(
    figure: go.Figure,
    name: str,
    rows: Sequence[str],
    cells: Sequence[Coefficient],
    places: Sequence[float],
    colour: str,
    symbol: str,
) -> None:
    figure.add_scatter(
        x=[c.value for c in cells],
        y=list(places),
        mode="markers",
        name=safe(name),
        marker={
            "symbol": [symbol if c.starred else f"{symbol}-open" for c in cells],
            "size": 10,
            "color": colour,
            "line": {"width": 2, "color": colour},
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [None if c.high is None or c.value is None else c.high - c.value for c in cells],
            "arrayminus": [None if c.low is None or c.value is None else c.value - c.low for c in cells],
            "color": colour,
            "thickness": 1.5,
            "width": 3,
        },
        hovertext=[f"{row}, {safe(name)}: {_said(c)}" for row, c in zip(rows, cells, strict=True)],
        hoverinfo="text",
    )


def _said(c: Coefficient) -> str:
    if c.value is None:
        return "undefined"
    ends = f" ({c.low:.3f} to {c.high:.3f})" if c.low is not None and c.high is not None else ""
    return f"{c.value:.4f}{'*' if c.starred else ''}{ends}"


def _lay_out(figure: go.Figure, title: str, rows: Sequence[str], coefficient: str, plot: int) -> None:
    """`plot`: pixels of the rows."""
    legend = LEGEND_ROW * -(-len(figure.data) // 2)
    plot = max(plot, 60)
    figure.update_layout(
        title={"text": title},
        xaxis={"title": AXES[coefficient], "automargin": True, "zeroline": True},
        yaxis={
            "tickvals": [-row for row in range(len(rows))],
            "ticktext": [safe(row) for row in rows],
            "range": [-len(rows) + 0.5, 0.5],
            "automargin": True,
            "showgrid": False,
            "zeroline": False,
        },
        height=plot + 120 + legend,
        margin={"l": 10, "r": 20, "t": 50, "b": 10},
        legend={"orientation": "h", "y": -60 / plot, "yanchor": "top", "yref": "paper", "traceorder": "normal"},
        showlegend=True,
    )
