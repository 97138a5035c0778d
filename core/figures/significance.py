"""The matrix of tests between metrics. Plotly reads labels as HTML, so every untrusted name is escaped."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.significance.tests import LEVEL, PairTest, Significance
from core.figures.correlation import AXES
from core.figures.style import GREY, INK, LESS, MORE, number, safe, titled
from core.statistics.intervals import Estimate
from core.wording import p_digits

CELL, FRAME, LETTER, BELOW, NUMBER = 34, 210, 7, 120, 10
"""In pixels: a row of cells, what surrounds them, a letter of a name, the room of the legend on a phone, the height of
a number that a cell there has room for."""
MOST_NUMBERS = 12
"""Above so many metrics a cell has room for its mark alone, and correlations stand beside the names."""
NEAR = "#E3E5E8"
"""Cells of tests are opaque and light enough for dark numbers, on a white page and on a black one."""
EMPTY = "rgba(0,0,0,0)"
"""Of cells without a test: the page's own ground, on which words have the page's own colour."""
EDGE = {"width": 1, "color": GREY}
KINDS = {
    "better": (MORE, "▲", "▲ the column's metric is better"),
    "worse": (LESS, "▼", "▼ the row's metric is better"),
    "near": (NEAR, "", "not told apart"),
    "described": (EMPTY, "", "no test"),
    "untested": (EMPTY, "–", "– undefined"),
}


def matrix(significance: Significance) -> go.Figure:
    """A cell a pair of metrics, both sorted by correlation, the best first; a frame a cluster.

    A cell holds the difference of the correlations, the column's metric less the row's, and carries both; the diagonal
    holds a metric's own.
    """
    names = [ranked.metric for ranked in significance.ranking]
    symbol = AXES[significance.settings.coefficient].split()[-1].removesuffix("-b")
    figure = go.Figure()
    for kind in KINDS:
        _cells(figure, kind, [row for row in significance.rows if _kind(row) == kind], names)
    if len(names) <= MOST_NUMBERS:
        _diagonal(figure, significance, symbol)
    if significance.clusters:
        box = {"symbol": "square-open", "size": 12, "color": GREY, "line": {"width": 2.5}}
        figure.add_scatter(x=[None], y=[None], mode="markers", marker=box, name="cluster")
    places = list(range(len(names)))
    few = len(names) <= MOST_NUMBERS
    labels = [safe(name) for name in names]
    valued = [
        f"{label}  {'–' if ranked.value is None else short(ranked.value)}"
        for label, ranked in zip(labels, significance.ranking, strict=True)
    ]
    ends = [-0.56, len(names) - 0.44]  # so that no frame is cut
    longest = min(160, LETTER * max((len(name) for name in names), default=0))
    axis = {"tickvals": places, "showgrid": False, "zeroline": False, "automargin": True}
    figure.update_layout(
        shapes=_shapes(significance, names),  # at once: added one by one they would take seconds
        xaxis={
            **axis,
            "ticktext": labels,
            "range": ends,
            "tickangle": -90,
            "title": f"metric, the best first ({'diagonal' if few else 'left'}: its {symbol})",
        },
        yaxis={**axis, "ticktext": labels if few else valued, "range": ends[::-1], "title": None},
        height=FRAME + longest + CELL * max(3, len(names)),
        margin={"l": 10, "r": 10, "b": BELOW},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "itemclick": False},
    )
    tested = any(row.p_holm is not None for row in significance.rows)
    titled(figure, f"Differences of {symbol} between metrics", f"▲ ▼ told apart: corrected p ≤ {LEVEL}." * tested)
    return figure


def _kind(row: PairTest) -> str:
    if row.difference is None:
        return "untested"
    if row.p_holm is None:
        return "described"
    if not row.separated:
        return "near"
    return "better" if row.difference > 0 else "worse"


def _cells(figure: go.Figure, kind: str, rows: Sequence[PairTest], names: Sequence[str]) -> None:
    """What the cells of one kind say."""
    if not rows:
        return
    place = {name: number for number, name in enumerate(names)}
    colour, mark, meaning = KINDS[kind]
    figure.add_scatter(
        x=[place[row.a] for row in rows],
        y=[place[row.b] for row in rows],
        mode="markers+text",
        marker={"symbol": "square", "size": 12, "color": colour, "opacity": 0},
        text=[_text(row, mark, len(names)) for row in rows],
        customdata=[[safe(row.a), safe(row.b)] for row in rows],
        textfont={"size": NUMBER} if colour == EMPTY else {"size": NUMBER, "color": INK},
        hovertext=[_hover(row) for row in rows],
        hoverinfo="text",
        name=meaning,
        showlegend=False,
        cliponaxis=False,
    )
    sign = {"symbol": "square", "size": 12, "color": colour, "line": EDGE if colour == EMPTY else None}
    figure.add_scatter(x=[None], y=[None], mode="markers", marker=sign, name=meaning)


def _text(row: PairTest, mark: str, metrics: int) -> str:
    if metrics > MOST_NUMBERS or row.difference is None:
        return mark
    return "<br>".join(part for part in (mark, short(row.difference)) if part)


def short(value: float) -> str:
    """Two decimals, and no minus before 0.00."""
    return number(value, "z.2f")


def _hover(row: PairTest) -> str:
    lines = [f"<b>{safe(row.a)}</b> against <b>{safe(row.b)}</b>, {row.n:,} stories"]
    if row.difference is not None:
        difference = Estimate(row.difference, row.low, row.high).shown("+.4f", ".3f")
        lines += [f"{Estimate(row.a_value).shown('.4f')} − {Estimate(row.b_value).shown('.4f')} = {difference}"]
    tests = {"Williams": row.williams_p, "permutation": row.permutation_p, "permutation, Holm": row.p_holm}
    lines += [f"{name}: p = {p_digits(p)}" for name, p in tests.items() if p is not None]
    return "<br>".join([*lines, safe(row.undefined)] if row.undefined else lines)


def _diagonal(figure: go.Figure, significance: Significance, symbol: str) -> None:
    places = list(range(len(significance.ranking)))
    figure.add_scatter(
        x=places,
        y=places,
        mode="text",
        text=["–" if item.value is None else f"<b>{short(item.value)}</b>" for item in significance.ranking],
        textfont={"size": NUMBER},
        hovertext=[
            f"<b>{safe(ranked.metric)}</b>: "
            + (
                safe(ranked.undefined or "")
                if ranked.value is None
                else f"{symbol} = {number(ranked.value, '.4f')}, {ranked.n:,} stories"
            )
            for ranked in significance.ranking
        ],
        hoverinfo="text",
        showlegend=False,
        cliponaxis=False,
    )


def _shapes(significance: Significance, names: Sequence[str]) -> list[dict[str, object]]:
    """The cells, which fill their places at any size, and over them the frames of the clusters."""
    place = {name: number for number, name in enumerate(names)}
    shapes = []
    for row in significance.rows:
        x, y = place[row.a], place[row.b]
        colour = KINDS[_kind(row)][0]
        fill = {"fillcolor": colour, "line": EDGE if colour == EMPTY else {"width": 0}, "layer": "below"}
        shapes.append(_square(x - 0.47, x + 0.47, y - 0.47, y + 0.47) | fill)
    if len(names) <= MOST_NUMBERS:
        own = {"fillcolor": EMPTY, "line": EDGE, "layer": "below"}
        shapes += [_square(at - 0.47, at + 0.47, at - 0.47, at + 0.47) | own for at in range(len(names))]
    for cluster in significance.clusters:
        first, last = place[cluster[0]] - 0.5, place[cluster[-1]] + 0.5
        frame = {"line": {"color": GREY, "width": 2.5}, "layer": "above"}
        shapes.append(_square(first, last, first, last) | frame)
    return shapes


def _square(left: float, right: float, top: float, bottom: float) -> dict[str, object]:
    return {"type": "rect", "x0": left, "x1": right, "y0": top, "y1": bottom}
