"""OpenMEVA's Figure 2: differences of a metric against differences of people, in four classes."""

import numpy as np
import plotly.graph_objects as go

from core.analysis.difference.differences import Difference, closest_first
from core.analysis.difference.windows import pairs_of
from core.figures.style import BLUE, GREEN, GREY, ORANGE, add_line, safe, titled, whiskers
from core.statistics.intervals import Estimate
from core.wording import so_many

CLASSES = (
    ("neither", False, False, GREY, "x-thin", "neither sees a difference"),
    ("metric_only", False, True, GREEN, "square-open", "the metric only"),
    ("human_only", True, False, ORANGE, "triangle-up-open", "people only"),
    ("both", True, True, BLUE, "circle", "both see a difference"),
)
"""Name of the count, whether people and the metric tell the pair apart, colour, shape, words; the last is on top."""
MOST_PAIRS = 5000
"""The paper's 80 sets make 3,160 pairs; of more than this a sample is drawn."""


def plane(name: str, difference: Difference, *, seed: int = 0) -> go.Figure:
    """A point a pair of sets: x the difference of mean ratings, y that of the metric's means, as in the paper.

    Each pair stands once, with the set that people rate higher first; the other half is its mirror image. Classes
    differ in shape as well as in colour; their shares and the line are of all pairs, of which at most 5,000 are drawn,
    by `seed`. A point carries the numbers of its two sets, from 1. `one` must be defined. Zoom outlasts new
    data (`uirevision`).
    """
    figure = go.Figure()
    if difference.sets is None or difference.slope is None or difference.intercept is None or difference.r2 is None:
        return figure
    pairs = pairs_of(difference.sets)
    drawn = np.zeros(len(pairs.human), dtype=bool)
    drawn[np.random.default_rng(seed).permutation(len(drawn))[:MOST_PAIRS]] = True
    for count, people, metric, colour, shape, words in CLASSES:
        mine = (pairs.human_apart == people) & (pairs.metric_apart == metric) & drawn
        share = getattr(difference, count) / difference.plan.pairs
        figure.add_trace(
            go.Scatter(
                x=pairs.human[mine],
                y=pairs.metric[mine],
                mode="markers",
                name=f"{words} ({share:.1%})",
                marker={"symbol": shape, "color": colour, "size": 6, "opacity": 0.6, "line": _line(shape, colour)},
                customdata=np.column_stack([pairs.first[mine] + 1, pairs.second[mine] + 1]).astype(str),
                hovertemplate="ratings %{x}, scores %{y}<extra></extra>",  # an axis's own format has a real minus
            )
        )
    end = float(pairs.human.max())
    add_line(figure, [0, end], [difference.intercept, difference.intercept + difference.slope * end], "least squares")
    figure.update_layout(
        xaxis={
            "title": "difference in human judgment",
            "automargin": True,
            "rangemode": "tozero",
            "hoverformat": "+.2f",
        },
        yaxis={
            "title": f"difference in {safe(name)} (raw score)",
            "automargin": True,
            "tickformat": ".3~g",
            "hoverformat": "+.4g",
        },
        height=560,
        uirevision=name,
        margin={"l": 10, "r": 20, "b": 140},
        legend={
            "orientation": "h",
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "traceorder": "reversed",
            "itemsizing": "constant",
        },
    )
    sampled = f"{MOST_PAIRS:,} of {len(drawn):,} pairs drawn at random." if len(drawn) > MOST_PAIRS else ""
    titled(figure, f"Differences of {name} and of people", f"{_fit(difference)}.", f"{_sets(difference)}.", sampled)
    return figure


def _line(shape: str, colour: str) -> dict[str, object]:
    """Open and thin shapes are drawn by their line."""
    return {"width": 1.2 if shape.endswith(("open", "thin")) else 0, "color": colour}


def _fit(difference: Difference) -> str:
    spread = f"median {difference.r2_median:.2f}, {difference.r2_low:.2f} to {difference.r2_high:.2f} over ties"
    return f"R² = {difference.r2:.2f} ({spread})"


def _sets(difference: Difference) -> str:
    unusual = "; an unusual order of ties" if difference.unusual else ""
    plan = difference.plan
    step = so_many(plan.stride, "story", "stories")
    return f"{plan.number} sets of {plan.size}, {step} apart{unusual}"


def fits(names: list[str], differences: list[Difference]) -> go.Figure:
    """R squared of each metric, the median over orders of tied stories (a dot) and its range, the highest on top.

    A metric whose line falls is an open square, below those that rise: there R squared speaks against it. A dot carries
    its metric.
    """
    upwards = closest_first(differences)[::-1]  # plotly draws from the bottom
    defined = [
        (names[place], differences[place], r2) for place in upwards if (r2 := differences[place].r2_median) is not None
    ]
    rising = np.array([(difference.slope or 0) >= 0 for _, difference, _ in defined], dtype=bool)
    figure = go.Figure()
    for rises, words, colour, shape in (
        (True, "rises with people's difference", BLUE, "circle"),
        (False, "falls where people's rises", ORANGE, "square-open"),
    ):
        mine = [row for row, up in zip(defined, rising, strict=True) if up == rises]
        if mine:
            figure.add_scatter(
                x=[r2 for _, _, r2 in mine],
                y=[safe(name) for name, _, _ in mine],
                mode="markers",
                name=words,
                customdata=[[safe(name)] for name, _, _ in mine],
                marker={"symbol": shape, "color": colour, "size": 10, "line": {"width": 2, "color": colour}},
                error_x=whiskers(
                    [Estimate(r2, difference.r2_low, difference.r2_high) for _, difference, r2 in mine], colour
                ),
                hovertext=[f"{safe(name)}: {_fit(difference)}; {_sets(difference)}" for name, difference, _ in mine],
                hoverinfo="text",
            )
    figure.update_layout(
        xaxis={"title": "R²: median, 95 % range over ties", "range": [-0.02, 1.02], "automargin": True},
        yaxis={
            "type": "category",
            "automargin": True,
            "categoryorder": "array",
            "categoryarray": [safe(name) for name, _, _ in defined],
        },
        height=200 + 30 * max(1, len(defined)),
        margin={"l": 10, "r": 20, "b": 100},
        showlegend=True,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
    )
    titled(figure, "Do metrics follow people's differences?")
    return figure
