"""Figures of the score page: metrics against one another, two signatures of a metric, one metric's distribution."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.correlation.metrics import MetricMatrix
from core.arrays import Ints
from core.figures.correlation import AXES
from core.figures.pressable import press_cells
from core.figures.scatter import MOST_POINTS, score_axis
from core.figures.style import BLUE, DIVERGING, GREY, INK, number, safe, titled
from core.formats.results_csv import ResultRow
from core.judges.naming import judge_column
from core.scores import ScoreColumn
from core.stored_texts import strings_at
from core.wording import HALF_UP

BINS = 40
MOST_LABELLED = 16
"""Metrics; with more of them the numbers in the cells would run into one another."""


def matrix(result: MetricMatrix, names: Sequence[str]) -> go.Figure:
    """A heat map from -1 (orange) over 0 (white) to 1 (blue); the hover gives the count of stories. A cell carries its
    two metrics, one of the diagonal its own.
    """
    labels = [safe(name) for name in names]
    written = np.char.mod("%.2f", result.values * HALF_UP)
    text = np.where(np.isnan(result.values), "–", np.char.replace(written, "-", "−"))
    figure = go.Figure(
        go.Heatmap(
            z=result.values,
            x=labels,
            y=labels,
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            text=text if len(labels) <= MOST_LABELLED else None,
            texttemplate="%{text}" if len(labels) <= MOST_LABELLED else None,
            textfont={"color": INK},
            colorbar={"thickness": 8, "xpad": 4},
            xgap=1,
            ygap=1,
        )
    )
    hovers = [
        [
            f"{labels[row]} and {labels[column]}: {'–' if np.isnan(value) else number(value, '.4f')} "
            f"(n = {result.counts[row, column]:,})"
            for column, value in enumerate(values)
        ]
        for row, values in enumerate(result.values.tolist())
    ]
    carried = [[(first,) if first == second else (first, second) for second in names] for first in names]
    press_cells(figure, labels, labels, carried, hovers)
    figure.update_layout(
        xaxis={"type": "category", "tickangle": -45, "automargin": True, "title": None},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True, "title": None},
        xaxis_showgrid=False,
        yaxis_showgrid=False,  # an empty cell is the page's ground
        height=max(320, 180 + 26 * len(labels)),
        margin={"l": 10, "r": 10, "b": 10},
    )
    titled(figure, f"Agreement between metrics ({AXES[result.coefficient]})")
    return figure


def against(
    first: ScoreColumn, second: ScoreColumn, names: tuple[str, str], stories: Sequence[str], *, seed: int = 0
) -> go.Figure:
    """Each story's score under two signatures; where both are on one scale, the line is where both agree. Of more than
    3,000 stories a sample. A point carries its story's key.
    """
    both = np.flatnonzero(np.isfinite(first.values) & np.isfinite(second.values))
    drawn = np.sort(np.random.default_rng(seed).permutation(both)[:MOST_POINTS])
    x, y = first.values[drawn], second.values[drawn]
    points = {"color": BLUE, "size": 6, "opacity": 0.5}
    keys = [safe(key) for key in strings_at(stories, drawn)]
    figure = go.Figure(
        go.Scatter(
            x=x,
            y=y,
            mode="markers",
            marker=points,
            name="stories",
            customdata=[[key] for key in keys],
            hovertemplate="%{customdata[0]}<br>%{xaxis.title.text}: %{x}<br>%{yaxis.title.text}: %{y}<extra></extra>",
        )
    )
    if len(x) and _one_scale(first, second):
        ends = [min(x.min(), y.min()), max(x.max(), y.max())]
        figure.add_scatter(x=ends, y=ends, mode="lines", line={"color": GREY, "dash": "dash"}, name="equal scores")
    figure.update_layout(
        xaxis={"title": safe(names[0]), "automargin": True, "hoverformat": ".4g"},  # with a real minus
        yaxis={"title": safe(names[1]), "automargin": True, "hoverformat": ".4g"},
        height=440,
        margin={"l": 10, "r": 10, "b": 80},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
    )
    sampled = f"{len(drawn):,} of {len(both):,} stories, drawn at random." if len(drawn) < len(both) else ""
    titled(figure, "Two sets of scores", sampled)
    return figure


def _one_scale(first: ScoreColumn, second: ScoreColumn) -> bool:
    """Whether equal scores mean the same: of one metric in two versions, or of two judges of a criterion."""
    one, other = judge_column(first.metric), judge_column(second.metric)
    return first.metric == second.metric or (one is not None and other is not None and one.criterion == other.criterion)


def both_rows(first: ScoreColumn, second: ScoreColumn, stories: Sequence[str]) -> tuple[ResultRow, ...]:
    """What the figure is of: every story that both have scored."""
    return tuple(
        {"Story": story, first.signature: item, second.signature: other}
        for story, item, other in zip(stories, first.values.tolist(), second.values.tolist(), strict=True)
        if np.isfinite(item) and np.isfinite(other)
    )


def distribution(column: ScoreColumn, name: str) -> go.Figure:
    """A histogram of one metric's scores. A bar carries the metric's name and its own number."""
    values = column.values[np.isfinite(column.values)]
    counts, edges = np.histogram(values, bins=BINS)
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=np.diff(edges),
            marker={"color": BLUE, "line": {"width": 1, "color": "#FFFFFF"}},
            customdata=[[safe(name), str(place)] for place in range(BINS)],
            hovertext=[
                f"{number(low, '.4g')} to {number(high, '.4g')}: {count:,}"
                for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
            ],
            hoverinfo="text",
        )
    )
    figure.update_layout(
        xaxis={"title": score_axis(column, name, "higher is better"), "automargin": True},
        yaxis={"title": "stories", "automargin": True},
        height=320,
        margin={"l": 10, "r": 10, "b": 10},
    )
    titled(figure, f"Distribution of {name}", f"{len(values):,} stories.")
    return figure


def in_bar(column: ScoreColumn, bar: int) -> tuple[Ints, float, float]:
    """The numbers of the stories in one bar of the `distribution`, the highest scores first, and its two ends."""
    scored = np.flatnonzero(np.isfinite(column.values))
    values = column.values[scored]
    _, edges = np.histogram(values, bins=BINS)
    inside = (values >= edges[bar]) & ((values < edges[bar + 1]) | (bar == BINS - 1))
    places = scored[inside]
    return places[np.argsort(-column.values[places], kind="stable")], float(edges[bar]), float(edges[bar + 1])
