"""The figure of the alternative annotator test: winning rates and advantage probabilities, a row a judge."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.judges.alternative import PASSES
from core.analysis.judges.replacement import JudgeTest, Standard
from core.figures.style import BLUE, GREY, safe, titled

ROW, FRAME = 32, 150
"""In pixels: a row, and what surrounds them."""


def winning_rates(tests: Sequence[JudgeTest], standard: Standard, target: str, *, disagree: bool = False) -> go.Figure:
    """A dot a judge at its winning rate, and a small diamond, which decides nothing, at its advantage; the line is what
    a judge has to reach, and a name says where there is no verdict: too little is rated, or the ratings do not agree
    with one another (`disagree`). Those with the highest advantage stand on top.
    """
    known = [row for row in tests if row.test.advantage_probability is not None]
    rows = sorted(known, key=lambda row: (row.test.advantage_probability, row.test.winning_rate))
    names = [f"{safe(row.judge)}{' (no verdict)' if disagree or row.test.too_few else ''}" for row in rows]
    figure = go.Figure()
    figure.add_scatter(
        x=[row.test.winning_rate for row in rows],
        y=names,
        mode="markers",
        name="winning rate, which decides",
        marker={"symbol": "circle", "size": 16, "color": BLUE, "line": {"width": 2, "color": BLUE}},
        hovertemplate="%{y}: winning rate %{x:.2f}<extra></extra>",
    )
    figure.add_scatter(
        x=[row.test.advantage_probability for row in rows],
        y=names,
        mode="markers",
        name="advantage, which does not",
        marker={"symbol": "diamond-open", "size": 8, "color": GREY, "line": {"width": 1.5, "color": GREY}},
        hovertemplate="%{y}: advantage probability %{x:.2f}<extra></extra>",
    )
    figure.add_vline(x=PASSES, line={"color": GREY, "dash": "dash", "width": 2}, opacity=1)
    figure.update_layout(
        xaxis={"title": "share", "range": [-0.03, 1.03], "automargin": True, "zeroline": False},
        yaxis={"automargin": True, "type": "category"},
        height=FRAME + ROW * max(1, len(rows)),
        margin={"l": 10, "r": 20, "b": 80},
        legend={"orientation": "h", "y": -60 / (ROW * max(1, len(rows))), "yanchor": "top", "x": 0},
    )
    titled(
        figure,
        f"May a judge stand in for {standard.who}?",
        f"{target[:1].upper()}{target[1:]}, epsilon {standard.epsilon:g}.",
        "No verdict: nothing shows that the ratings agree."
        if disagree
        else "Only the circle decides: a winning rate passes from 0.5 on.",
    )
    return figure
