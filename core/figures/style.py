"""What figures share: colours, titles that fit a phone and a column, intervals, lines visible on any background."""

import html
import textwrap
from collections.abc import Iterable, Sequence

import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate
from core.wording import digits, real_minus

BLUE, ORANGE, GREEN, PURPLE, YELLOW, SKY = "#2E86C9", "#D55E00", "#009E73", "#B0569F", "#E69F00", "#56B4E9"
"""After Okabe and Ito's palette, blue lightened and purple darkened: told apart by colour-blind readers, on white
and on black. Grey print does not tell all of them apart: a colour never stands without a shape, a fill or a dash."""
GROUPS = (BLUE, ORANGE, GREEN, PURPLE, YELLOW, SKY)
"""Of groups that are drawn together, in their order. One alone, and what a figure is about, is blue; what it is
compared with, orange; no group and reference lines, grey."""
GREY = "#888888"
LESS, NEITHER, MORE = "#E8853A", "#F5F5F5", "#5AA5E0"
"""Of cells with words in them, light enough for `INK`: orange below, or against; blue above, or for."""
DIVERGING = ((0.0, LESS), (0.5, NEITHER), (1.0, MORE))
RISING = ((0.0, NEITHER), (1.0, MORE))
"""Scales of cells with values on both sides of nothing, and on one."""
INK, FIT = "#111111", "#C2185B"
"""Of words on a light ground of their own, and of lines over points."""
TITLE, DETAIL = 40, 54
"""Characters of a line of the title, and of the smaller lines below it, that a phone has room for."""
TITLE_LINE, DETAIL_LINE, TOP, ABOVE = 21, 16, 54, 18
"""In pixels: a line of either, the margin above a plot with a title of one line, the room above that."""
EMPTY_LINE = "<br><span style='font-size:12px;font-weight:normal'>\u00a0</span>"
"""Of a title, to make it as many lines as the one beside it."""
DECORATION = "decoration"
"""The `meta` of a trace that holds no data of its own."""
CAP = 3
"""Pixels: half the stroke at the end of an interval."""


def safe(text: str) -> str:
    """`text` for a label or a hover: no tag and no entity in it takes effect."""
    return html.escape(text).replace("&quot;", "&#34;").replace("$", "&#36;")  # Plotly does not know &quot;


def original(text: str) -> str:
    """What `safe` has made this of."""
    return html.unescape(text)


def number(value: float, form: str = ".3f") -> str:
    """In this format, with a minus sign that is one, and none before a 0."""
    return real_minus(digits(value, form))


def titled(figure: go.Figure, title: str, *details: str) -> None:
    """Write the title and, smaller, what a reader of the picture alone must know; both plain text, broken into lines.

    The plot keeps its height: the figure grows by what the words take.
    """
    heads = textwrap.wrap(title, TITLE)
    small = textwrap.wrap(" ".join(filter(None, details)), DETAIL)
    text = "<br>".join(safe(line) for line in heads)
    if small:
        lines = "<br>".join(safe(line) for line in small)
        text += f"<br><span style='font-size:12px;font-weight:normal'>{lines}</span>"
    top = TOP + TITLE_LINE * (max(1, len(heads)) - 1) + DETAIL_LINE * len(small)
    height = figure.layout.height + top - TOP
    title_at = {"yref": "container", "y": 1 - ABOVE / height, "yanchor": "top"}
    figure.update_layout(title={"text": text, **title_at}, margin_t=top, height=height)


def side_by_side(*figures: go.Figure) -> None:
    """Figures of one height, whose plots begin in one line however many lines a title takes, so that what stands below
    each stands in one line, too.
    """
    top = max(figure.layout.margin.t for figure in figures)
    lines = max(figure.layout.title.text.count("<br>") for figure in figures)
    height = max(figure.layout.height + top - figure.layout.margin.t for figure in figures)
    for figure in figures:
        text = figure.layout.title.text
        text += EMPTY_LINE * (lines - text.count("<br>"))  # Plotly sets a title of more lines higher
        figure.update_layout(height=height, margin_t=top, title_y=1 - ABOVE / height, title_text=text)


NO_END = "none"
"""For a value without an interval: of a null Plotly makes a bar of length 0, and its caps look like a tiny interval."""


def whiskers(values: Sequence[Estimate | Coefficient], colour: str, thickness: float = 1.5) -> dict[str, object]:
    """The intervals of values as an error bar; `NO_END` where there is none."""
    return {
        "type": "data",
        "visible": any(
            v.low is not None and v.value is not None for v in values
        ),  # else Plotly draws the caps of nothing
        "symmetric": False,
        "array": [NO_END if v.high is None or v.value is None else max(0.0, v.high - v.value) for v in values],
        "arrayminus": [NO_END if v.low is None or v.value is None else max(0.0, v.value - v.low) for v in values],
        "color": colour,
        "thickness": thickness,
        "width": CAP,
    }


def intervals(values: Iterable[Estimate | Coefficient]) -> str:
    """What whiskers are, for below a title; nothing where no value has an interval."""
    return "Lines: 95 % intervals by prompt." if any(value.low is not None for value in values) else ""


def interval_excludes(item: Coefficient | Estimate, nothing: float) -> bool:
    """Whether the interval leaves out the value that sees nothing."""
    return item.low is not None and item.high is not None and not item.low <= nothing <= item.high


def filled(symbol: str, value: Estimate | Coefficient) -> str:
    """The symbol of a correlation, filled where its interval leaves out 0: on every page that is what a fill means."""
    return symbol if interval_excludes(value, 0.0) else f"{symbol}-open"


def intervals_and_fill(values: Iterable[Estimate | Coefficient]) -> str:
    """What whiskers and fills of correlations are, in a line below a title; nothing where no value has an interval."""
    lines = intervals(values)
    return f"{lines.removesuffix('.')}; filled: 0 is outside." if lines else ""


def upright(figure: go.Figure, x: float, **line: object) -> None:
    """A line through the height of a figure's one plot; `add_vline` takes five times as long to look for more plots.

    A template would fade it.
    """
    colour = {"color": GREY, **line}
    figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="y domain", line=colour, opacity=1)


def add_line(figure: go.Figure, x: ArrayLike, y: ArrayLike, name: str) -> None:
    """A line over points: dark within a light edge, so that it is seen on points, on white, on black and in grey."""
    edge = {"mode": "lines", "hoverinfo": "skip", "legendgroup": name}
    figure.add_scatter(x=x, y=y, line={"color": "#FFFFFF", "width": 5}, showlegend=False, meta=DECORATION, **edge)
    figure.add_scatter(x=x, y=y, line={"color": FIT, "width": 2.5}, name=name, **edge)
