"""Figures of the token view: shares of the rank buckets, and the distributions of fractions and entropies."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from core.arrays import Floats
from core.figures.style import BLUE, INK, ORANGE, safe, titled
from core.tokens import RANKS, TokenTable, buckets

COLOURS, FILLS = (BLUE, ORANGE), ("", "/")
"""Of the first text and of the second, which is hatched as well."""
BINS = 20
MOST_ENTROPY = float(np.log(10))
"""Nats: of ten tokens that are equally likely."""


def bucket_shares(tables: Mapping[str, TokenTable], ranks: tuple[int, ...] = RANKS) -> go.Figure:
    """A bar for each bucket of rank: the share of each text's tokens in it."""
    edges = [0, *ranks]
    names = [f"{low + 1:,} to {high:,}" for low, high in zip(edges, ranks, strict=False)] + [f"above {ranks[-1]:,}"]
    figure = go.Figure()
    for number, (name, table) in enumerate(tables.items()):
        counts = np.bincount(buckets(table.rank, ranks), minlength=len(names))
        share = counts / max(1, len(table))
        figure.add_bar(
            x=names,
            y=share,
            name=safe(name),
            marker=_marker(number),
            text=[f"{100 * item:.0f} %" for item in share],
            textposition="outside",
            cliponaxis=False,
            customdata=counts,
            hovertemplate="rank %{x}: %{y:.1%} (%{customdata:,} tokens)<extra></extra>",
        )
    _axes(figure, "rank of the token (1 is the likeliest)", "share of the tokens", len(tables))
    figure.update_layout(xaxis_type="category", yaxis={"tickformat": ".0%", "range": [0, 1.08]})
    titled(figure, "How likely the tokens were", *_told(tables))
    return figure


def fractions(tables: Mapping[str, TokenTable]) -> go.Figure:
    """How the fractions p / p(likeliest) are spread."""
    values = {name: table.fraction for name, table in tables.items()}
    figure = _histogram(values, (0.0, 1.0), "fraction: p / p of the likeliest token")
    titled(figure, "Fraction of each token", *_told(tables))
    return figure


def entropies(tables: Mapping[str, TokenTable]) -> go.Figure:
    """How the entropies of the ten likeliest tokens are spread, in nats."""
    values = {name: table.entropy for name, table in tables.items()}
    figure = _histogram(values, (0.0, MOST_ENTROPY), "entropy of the ten likeliest tokens (nats)")
    titled(figure, "How sure the model was", *_told(tables))
    return figure


def _histogram(values: Mapping[str, Floats], ends: tuple[float, float], title: str) -> go.Figure:
    figure = go.Figure()
    for number, (name, value) in enumerate(values.items()):
        counts, edges = np.histogram(np.clip(value, *ends), bins=BINS, range=ends)
        figure.add_bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts / max(1, len(value)),
            name=safe(name),
            marker=_marker(number),
            customdata=np.column_stack([edges[:-1], edges[1:], counts]),
            hovertemplate="%{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y:.1%} "
            "(%{customdata[2]:,} tokens)<extra></extra>",
        )
    _axes(figure, title, "share of the tokens", len(values))
    figure.update_layout(yaxis={"tickformat": ".0%", "rangemode": "tozero"})
    return figure


def _marker(number: int) -> dict[str, object]:
    pattern = {"shape": FILLS[number], "fgcolor": INK, "fillmode": "overlay", "size": 6}
    return {"color": COLOURS[number], "pattern": pattern, "line": {"width": 1, "color": "#FFFFFF"}}


def _axes(figure: go.Figure, across: str, up: str, number: int) -> None:
    figure.update_layout(
        xaxis={"title": across, "automargin": True},
        yaxis={"title": up, "automargin": True},
        barmode="group",
        height=330,
        margin={"l": 10, "r": 10, "b": 80 if number > 1 else 10},
        showlegend=number > 1,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
    )


def _told(tables: Mapping[str, TokenTable]) -> Sequence[str]:
    """Which model said so, and of how many tokens: a figure is read alone."""
    read = {f"{table.model} ({table.mode})" for table in tables.values()}
    counts = ", ".join(f"{len(table):,}" for table in tables.values())
    return (f"{' and '.join(sorted(read))}; {counts}\N{NO-BREAK SPACE}tokens.",)
