"""Dots with intervals: how far changes of wording move metrics, two metrics compared, one metric aspect by aspect.

Plotly reads labels as HTML, so every untrusted name is escaped.
"""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.capability.results import Robustness, Seen
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.sentences import FEWEST_CLAIMED
from core.figures.capability.maps import names_of, originals
from core.figures.correlation_subsets import LANE, LEGEND_ROW, ROW, SERIES
from core.figures.style import BLUE, GREY, interval_excludes, safe, titled, whiskers
from core.statistics.intervals import Estimate
from core.wording import p_digits

ONE, FRAME = 30, 130
"""In pixels: a row with a single dot, what surrounds the rows."""
BY_STORY = "Lines: 95 % intervals by story."


def changes(rows: Sequence[Robustness], of: str) -> go.Figure:
    """One dot per metric and change of wording: the mean change of its score, in its own standard deviations, with its
    95 % interval; filled where that leaves out 0. A dot carries its metric and its change.
    """
    names, rows = names_of(rows), [row for row in rows if row.of == of]
    kinds = list(dict.fromkeys(row.aspect for row in rows))
    metrics = list(dict.fromkeys(names[row.metric, row.signature] for row in rows))
    figure = go.Figure()
    for lane, kind in enumerate(kinds):
        colour, symbol = SERIES[lane % len(SERIES)]
        aside = (lane + 0.5) / len(kinds) * 0.8 - 0.4
        mine = [row for row in rows if row.aspect == kind]
        labels = [names[row.metric, row.signature] for row in mine]
        figure.add_scatter(
            x=[row.change.value for row in mine],
            y=[metrics.index(label) + aside for label in labels],
            mode="markers",
            name=safe(kind),
            marker={
                "symbol": [symbol if interval_excludes(row.change, 0.0) else f"{symbol}-open" for row in mine],
                "size": 10,
                "color": colour,
                "line": {"width": 2, "color": colour},
            },
            error_x=whiskers([row.change for row in mine], colour),
            customdata=[[safe(label), safe(kind)] for label in labels],
            hovertext=[
                f"{safe(label)}, {safe(kind)}: {row.change.shown('.4f', '.3f')} SD"
                if row.change.value is not None
                else ""
                for label, row in zip(labels, mine, strict=True)
            ],
            hoverinfo="text",
        )
    legend = LEGEND_ROW * -(-len(kinds) // 2)
    _dots(figure, metrics, LANE * len(kinds) + ROW, "Mean change of the score (SD)", legend)
    titled(figure, "How far a change of wording moves scores", f"Of {originals(of)}. {BY_STORY}")
    return figure


def differences(by_aspect: Mapping[str, PairTest]) -> go.Figure:
    """One dot per aspect: Pearson's r of one metric less that of another, with its 95 % interval; filled where the
    corrected test tells the two apart. A dot carries its aspect.
    """
    tests = {aspect: test for aspect, test in by_aspect.items() if test.difference is not None}
    values = [Estimate(test.difference, test.low, test.high) for test in tests.values()]
    hovers = [
        f"{safe(aspect)}: {Estimate(test.a_value).shown('.4f')} − {Estimate(test.b_value).shown('.4f')} = "
        f"{Estimate(test.difference).shown('+.4f')}"
        + ("" if test.p_holm is None else f"<br>corrected p = {p_digits(test.p_holm)}")
        for aspect, test in tests.items()
    ]
    figure = _blue(values, [test.separated for test in tests.values()], hovers, list(tests))
    a, b = next(((test.a, test.b) for test in by_aspect.values()), ("A", "B"))
    _dots(figure, list(tests), ONE, f"r of {a} less r of {b}", 0)
    titled(figure, f"{a} against {b}", f"Filled: told apart. {BY_STORY}")
    return figure


def by_aspect(rows: Sequence[Seen], title: str) -> go.Figure:
    """One metric: the share of changed stories below their original, a dot an aspect with its 95 % interval, filled
    where that leaves out .5, which sees nothing, and there are enough stories. A dot carries its aspect.
    """
    defined = [row for row in rows if row.ordered.value is not None]
    values = [row.ordered for row in defined]
    hovers = [f"{safe(row.aspect)}: {row.ordered.shown('.4f', '.3f')}, n = {row.negatives:,}" for row in defined]
    filled = [interval_excludes(row.ordered, 0.5) and row.negatives >= FEWEST_CLAIMED for row in defined]
    figure = _blue(values, filled, hovers, [row.aspect for row in defined])
    labels = [f"{row.aspect} ({row.negatives:,})" for row in defined]
    _dots(figure, labels, ONE, "Share of changed stories below their original", 0, nothing=0.5)
    figure.update_xaxes(range=[-0.03, 1.03])
    titled(
        figure,
        title,
        f"Filled: the interval leaves out .5, with {FEWEST_CLAIMED} stories or more. {BY_STORY}",
        "In brackets: changed stories.",
    )
    return figure


def _blue(
    values: Sequence[Estimate], filled: Sequence[bool], hovers: Sequence[str], aspects: Sequence[str]
) -> go.Figure:
    """One dot per row, the first on top."""
    return go.Figure(
        go.Scatter(
            x=[value.value for value in values],
            y=list(range(len(values))),
            mode="markers",
            marker={
                "symbol": ["circle" if flag else "circle-open" for flag in filled],
                "size": 10,
                "color": BLUE,
                "line": {"width": 2, "color": BLUE},
            },
            error_x=whiskers(values, BLUE, 2),
            customdata=[[safe(aspect)] for aspect in aspects],
            hovertext=list(hovers),
            hoverinfo="text",
        )
    )


def _dots(figure: go.Figure, labels: Sequence[str], row: int, title: str, legend: int, nothing: float = 0.0) -> None:
    """`row`: pixels of one; `legend`: of the legend; `nothing`: where the line of no effect stands."""
    figure.add_vline(x=nothing, line={"color": GREY, "width": 1}, opacity=1, layer="below")
    figure.update_layout(
        xaxis={"title": safe(title), "automargin": True, "zeroline": False},
        yaxis={
            "tickvals": list(range(len(labels))),
            "ticktext": [safe(label) for label in labels],
            "range": [max(1, len(labels)) - 0.5, -0.5],
            "automargin": True,
            "showgrid": False,
            "zeroline": False,
        },
        height=FRAME + row * max(2, len(labels)) + legend,
        margin={"l": 10, "r": 20, "b": 60 + legend},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "traceorder": "normal"},
        showlegend=bool(legend),
    )
