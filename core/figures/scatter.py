"""Each story's score against its mean rating. Plotly reads titles and hovers as HTML, so untrusted text is escaped."""

import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import plotly.graph_objects as go
from scipy.stats import rankdata

from core.arrays import Floats, Ints
from core.figures.correlation import AXES
from core.figures.drift import COLOURS, MOST, SYMBOLS
from core.figures.style import BLUE, DECORATION, add_line, number, safe, titled
from core.formats.results_csv import ResultRow
from core.metrics import registered
from core.scores import IMPORTED, ScoreColumn, ScoreTable
from core.statistics.correlation import Correlation
from core.statistics.groups import members
from core.statistics.line import line_band
from core.stored_texts import strings_at

MOST_POINTS = 3000
"""Of more stories a sample is drawn: more points hide each other, and are too many for a vector picture."""
MOST_LEVELS, MOVED = 50, 0.15
"""A quantity of no more different values than that is coarse: its points are moved, at most by this part of a step."""
PIECES, PILE, PILE_MOVED = 100, 0.2, 0.02
"""Where one of 100 pieces of the range holds a fifth of the stories, as the scores of a sure classifier do, points are
moved by at most this part of the range."""
LOOKS = ((300, 7, 0.65), (1000, 6, 0.5), (MOST_POINTS, 5, 0.35))
"""Up to so many points: their size in pixels and opacity."""
GROUPS, OF_A_GROUP = 10, 10
"""Groups of stories by score, at most, and the fewest stories a group has on average."""
HOVER_CHARACTERS, HOVER_LINE = 320, 60
AXIS = 50
"""Characters of an axis's title on one line: as many as a phone has room for."""
ALL = "stories"
"""What the points are called where they are not told apart by system."""
BAND_POINTS, BAND = 40, "rgba(194, 24, 91, 0.18)"
"""Of the band around the line, of its colour."""


def scatter(
    table: ScoreTable,
    column: ScoreColumn,
    correlation: Correlation,
    coefficient: str = "pearson",
    *,
    scale: tuple[float, float] | None = None,
    seed: int = 0,
) -> go.Figure:
    """One point per story; hover shows the story, with its own score and rating, and `customdata` its key, made safe.

    Of more than 3,000 stories a sample is drawn, by `seed`. Where ratings or scores have few values, or pile up at
    one, points are moved a little at random, so that stories of equal numbers are all seen, and never past the least or
    the greatest of them; the figure says how far. Up to six systems have a colour and a shape each. The line is of all
    stories, unmoved: least squares with Pearson's r, with the band that holds 95 % of the lines of draws of whole
    prompts, cut off at the ends of the ratings' `scale`; the means of groups of like scores with the rank coefficients,
    which measure no straight line. Zoom and selection outlast new data (`uirevision`).
    """
    keep = np.flatnonzero(np.isfinite(column.values) & np.isfinite(table.human))
    x, y = column.values[keep], table.human[keep]
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.permutation(len(keep))[:MOST_POINTS])
    across, up = (_moved(values, rng) for values in (x, y))
    size, opacity = next(look[1:] for look in LOOKS if len(drawn) <= look[0])
    figure = go.Figure()
    for name, colour, symbol, mine in _series([table.systems[i] for i in keep[drawn].tolist()]):
        rows = keep[drawn[mine]]
        stories = tuple(strings_at(table.keys, rows))
        figure.add_scatter(
            x=across[drawn[mine]],
            y=up[drawn[mine]],
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": size, "opacity": opacity},
            hovertext=_hovers(table, column, rows, stories),
            customdata=[[safe(key)] for key in stories],
            hoverinfo="text",
            name=name,
            showlegend=name != ALL,
        )
    prompts = [table.prompts[i] for i in keep.tolist()]
    banded = _line(figure, x, y, coefficient, prompts, scale, seed)
    figure.update_layout(
        xaxis={"title": score_axis(column), "automargin": True, "zeroline": False},
        yaxis={"title": table.judgment, "automargin": True, "zeroline": False},
        height=500,
        uirevision=f"{column.metric} {column.signature}",
        margin={"l": 10, "r": 20, "b": 80},
        showlegend=True,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
    )
    value = getattr(correlation, coefficient).value
    symbol = AXES[coefficient].split()[-1].removesuffix("-b")
    titled(
        figure,
        f"{column.metric} against people" + (f", {symbol} = {number(value)}" if value is not None else ""),
        f"{len(keep):,} stories."
        if len(drawn) == len(keep)
        else f"{len(drawn):,} of {len(keep):,} stories, drawn at random; the line is of all.",
        "Band: 95 % of the lines of draws of whole prompts." if banded else "",
        _said(np.abs(across - x).max(initial=0), np.abs(up - y).max(initial=0)),
    )
    return figure


def scatter_rows(table: ScoreTable, column: ScoreColumn) -> tuple[ResultRow, ...]:
    """What the figure is of: every story that has both, unmoved."""
    return tuple(
        {"Story": key, "System": system, "Score": score, table.judgment.capitalize(): rating}
        for key, system, score, rating in zip(
            table.keys, table.systems, column.values.tolist(), table.human.tolist(), strict=True
        )
        if np.isfinite(score) and np.isfinite(rating)
    )


def _moved(values: Floats, rng: np.random.Generator) -> Floats:
    """The values themselves, or each a little beside itself where they are few."""
    reach = float(np.ptp(values)) if len(values) else 0.0
    if not reach > 0:
        return values
    levels = np.unique(np.round(values / reach, 9)) * reach  # means of the same ratings may differ in the last digit
    if len(levels) <= MOST_LEVELS and 2 * len(levels) <= len(values):
        step = MOVED * float(np.diff(levels).min())
    elif np.histogram(values, PIECES)[0].max() > PILE * len(values) and len(values) > PIECES:
        step = PILE_MOVED * reach
    else:
        return values
    low, high = values.min(), values.max()
    moved = values + rng.uniform(-step, step, len(values))
    # What would lie past the ends of the scale is moved to the other side instead.
    return np.asarray(np.where((moved < low) | (moved > high), 2 * values - moved, moved))


def _said(across: float, up: float) -> str:
    """How far points were moved, in words."""
    moves = [f"±{far:.2g} {way}" for far, way in ((across, "across"), (up, "up or down")) if far]
    return f"Points moved at random, at most {' and '.join(moves)}, to part equal ones." if moves else ""


def _series(systems: Sequence[str]) -> Iterator[tuple[str, str, str, Ints]]:
    """Name, colour, symbol and places of what is drawn alike: each system's stories, or all where there are many."""
    by_system = members(systems)
    if not 2 <= len(by_system) <= MOST:
        yield ALL, BLUE, "circle", np.arange(len(systems))
        return
    for place, (name, mine) in enumerate(by_system.items()):
        yield safe(name), COLOURS[place], SYMBOLS[place], mine


def _line(
    figure: go.Figure,
    x: Floats,
    y: Floats,
    coefficient: str,
    prompts: Sequence[str],
    scale: tuple[float, float] | None,
    seed: int,
) -> bool:
    """Draw the line, and say whether it has a band."""
    if len(x) < 2 or not np.ptp(x) > 0:
        return False
    if coefficient == "pearson":
        slope, intercept = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        at = np.linspace(ends[0], ends[1], BAND_POINTS)
        band = line_band(x, y, prompts, at, seed=seed)
        if band is not None:
            below, above = band if scale is None else np.clip(band, *scale)
            edges = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "meta": DECORATION}
            figure.add_scatter(x=at, y=below, showlegend=False, **edges)
            figure.add_scatter(x=at, y=above, fill="tonexty", fillcolor=BAND, showlegend=False, **edges)
        add_line(figure, ends, slope * ends + intercept, "least squares")
        return band is not None
    number = int(np.clip(len(x) // OF_A_GROUP, 2, GROUPS))
    group = np.minimum((rankdata(x) - 0.5) / len(x) * number, number - 1).astype(np.intp)  # equal scores stay together
    sizes = np.bincount(group)
    filled = sizes > 0
    means = [np.bincount(group, values)[filled] / sizes[filled] for values in (x, y)]
    add_line(figure, means[0], means[1], "means of groups of like scores")
    return False


def _hovers(table: ScoreTable, column: ScoreColumn, rows: Ints, keys: Sequence[str]) -> list[str]:
    chosen = zip(rows.tolist(), keys, strings_at(table.texts, rows), strict=True)
    return [_hover(table, column, index, key, text) for index, key, text in chosen]


@lru_cache(maxsize=4 * MOST_POINTS)
def _in_lines(beginning: str) -> str:
    """Of a story, made safe; kept, as every choice of a metric or a coefficient draws the same stories."""
    return "<br>".join(safe(line) for line in textwrap.wrap(beginning, HOVER_LINE))


def _hover(table: ScoreTable, column: ScoreColumn, index: int, key: str, text: str) -> str:
    short = text if len(text) <= HOVER_CHARACTERS else text[:HOVER_CHARACTERS] + " …"
    head = safe(f"{key} · {table.systems[index]}")
    what = what_a_score_is(column) or "score"
    numbers = f"{what} {number(column.values[index], '.4g')}, {table.judgment} {number(table.human[index], '.2f')}"
    return "<br>".join(filter(None, [f"<b>{head}</b>", numbers, _in_lines(short)]))


def what_a_score_is(column: ScoreColumn) -> str:
    """What one score is, in a few words: "" where the metric's name says it, or another program made the scores."""
    kind = None if column.signature.startswith(IMPORTED) else registered(column.metric)
    return kind.card.number if kind is not None else ""


def what_scores_are(columns: Sequence[ScoreColumn]) -> str:
    """The same of each metric whose name does not say it, in a sentence; "" where there is none."""
    numbers = {column.metric: what for column in columns if (what := what_a_score_is(column))}
    return f"What scores are: {'; '.join(f'{what} ({name})' for name, what in numbers.items())}." if numbers else ""


def unit(column: ScoreColumn, usual: str = "raw score") -> str:
    """What an axis of scores counts: `usual` where nothing need be explained."""
    number = what_a_score_is(column)
    return f"{number}; higher is better" if number else usual


def score_axis(column: ScoreColumn, name: str = "", usual: str = "raw score") -> str:
    """The title of an axis of scores, as HTML. `name`: what the metric is called; `usual`: what is said where nothing
    need be explained.
    """
    called, what = name or column.metric, f"({unit(column, usual)})"
    return safe(called) + (" " if len(f"{called} {what}") <= AXIS else "<br>") + what
