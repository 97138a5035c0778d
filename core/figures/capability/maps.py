"""Heat maps of what metrics see in test sets, and of what moves them although it should not.

Plotly reads labels as HTML, so every untrusted name is escaped.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.analysis.capability.results import Robustness, Seen
from core.analysis.verdict.capability import enough_for_r, enough_pairs
from core.analysis.verdict.sentences import FEWEST_CLAIMED
from core.figures.pressable import press_cells
from core.figures.significance import short
from core.figures.style import DIVERGING, INK, LESS, NEITHER, interval_excludes, safe, titled
from core.metrics.naming import unique_names
from core.perturb.cases import Of
from core.published.capability import Printed
from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate

PAPER = "OpenMEVA, other cases"
MINDS = ((0.0, NEITHER), (1.0, LESS))
"""What a metric ought not to mind."""
CELL, BAR, FRAME = 30, 62, 190
"""In pixels: a row of cells, the scale of colours, what else surrounds them."""
LEAST = 0.3
"""How far a scale reaches at the least: what hardly differs must not look as if it did."""


@dataclass(frozen=True)
class MapStyle:
    """A figure of `Seen`: what it is called, where it sees nothing, and how it is found in a row."""

    title: str
    symbol: str
    nothing: float
    pick: Callable[[Seen], Coefficient | Estimate]


FIGURES = {
    "pearson": MapStyle("Pearson's r", "r", 0.0, lambda row: row.pearson),
    "auc": MapStyle("AUC", "AUC", 0.5, lambda row: row.auc),
    "ordered": MapStyle("Share in order", "share in order", 0.5, lambda row: row.ordered),
}


@dataclass(frozen=True)
class _Cell:
    value: float | None
    bold: bool
    hover: str


def names_of(rows: Sequence[Seen] | Sequence[Robustness]) -> dict[tuple[str, str], str]:
    """Metric and signature -> what the metric is called."""
    pairs = list(dict.fromkeys((row.metric, row.signature) for row in rows))
    return dict(zip(pairs, unique_names(pairs), strict=True))


def heat_map(rows: Sequence[Seen], figure: str = "pearson", printed: Sequence[Printed] = ()) -> go.Figure:
    """One cell per metric and aspect, the first metric on top; undefined ones are blank. Blue: sees it; orange: prefers
    what is worse; pale: sees nothing. A cell carries its metric and its aspect. `printed`: the paper's rows, in a group
    of their own below, which carry nothing.
    """
    shown, names = FIGURES[figure], names_of(rows)
    aspects = list(dict.fromkeys(row.aspect for row in rows))
    cells = {(names[row.metric, row.signature], row.aspect): _seen(row, names, shown) for row in rows}
    others = {(item.row, item.aspect): _printed(item) for item in printed if item.aspect in aspects}
    made = _map(aspects, cells, others, shown.nothing, DIVERGING)
    titled(
        made,
        f"What metrics see: {shown.title}",
        f"Blue: changed stories score lower. Orange: higher. Bold: the interval leaves out {shown.nothing:g}, with "
        f"{FEWEST_CLAIMED} stories or more" + (", in the paper p < 0.01." if others else "."),
    )
    return made


def robustness_map(rows: Sequence[Robustness], of: str, printed: Sequence[Printed] = ()) -> go.Figure:
    """|r| of each metric under each change of originals of one kind; pale is robust. Cells carry the same. `printed`:
    the paper's rows, of one kind, too.
    """
    names, rows = names_of(rows), [row for row in rows if row.of == of]
    changes = list(dict.fromkeys(row.aspect for row in rows))
    cells = {(names[row.metric, row.signature], row.aspect): _moved(row, names) for row in rows}
    others = {(item.row, item.aspect): _printed(item, size=True) for item in printed if item.aspect in changes}
    figure = _map(changes, cells, others, 0.0, MINDS)
    titled(
        figure,
        "What metrics mind: |r|",
        f"Of {originals(of)}. Pale: robust. Bold: the interval of r leaves out 0, with {FEWEST_CLAIMED} pairs or more"
        + (", in the paper p < 0.01." if others else "."),
    )
    return figure


def _seen(row: Seen, names: Mapping[tuple[str, str], str], shown: MapStyle) -> _Cell:
    item = shown.pick(row)
    head = f"<b>{safe(names[row.metric, row.signature])}</b>, {safe(row.aspect)}"
    counts = f"{row.positives:,} coherent, {row.negatives:,} changed"
    if row.undefined_scores:
        counts += f", {row.undefined_scores:,} without a score"
    if item.value is None:
        return _Cell(None, False, f"{head}<br>undefined: {safe(row.undefined or '')}<br>{counts}")
    enough = has_enough_stories(row, shown.symbol)
    bold = enough and interval_excludes(item, shown.nothing)
    return _Cell(item.value, bold, f"{head}<br>{shown.symbol} = {text(item, starred=enough)}<br>{counts}")


def _moved(row: Robustness, names: Mapping[tuple[str, str], str]) -> _Cell:
    head = f"<b>{safe(names[row.metric, row.signature])}</b>, {safe(row.aspect)}"
    if row.absolute is None:
        return _Cell(None, False, f"{head}<br>undefined: {safe(row.undefined or '')}<br>{row.pairs:,} pairs")
    change = "" if row.change.value is None else f"<br>mean change {text(row.change)} SD"
    enough = enough_pairs(row)
    hover = f"{head}<br>r = {text(row.pearson, starred=enough)}{change}<br>{row.pairs:,} pairs"
    return _Cell(row.absolute, enough and interval_excludes(row.pearson, 0.0), hover)


def _printed(printed: Printed, *, size: bool = False) -> _Cell:
    star = "*" if printed.starred else ""
    return _Cell(
        abs(printed.r) if size else printed.r,
        printed.starred,
        f"<b>{printed.row}</b>, {printed.aspect}<br>r = {printed.r}{star}<br>{PAPER}",
    )


def has_enough_stories(row: Seen, symbol: str) -> bool:
    """Whether there are so many stories that an interval settles anything, for r and AUC ten on either side."""
    if symbol == FIGURES["ordered"].symbol:
        return row.negatives >= FEWEST_CLAIMED
    return enough_for_r(row)


def text(item: Coefficient | Estimate, *, starred: bool = False) -> str:
    """The number with its interval and, where it may be `starred`, its star."""
    return item.shown(".4f", ".3f", star="*" if starred and isinstance(item, Coefficient) and item.starred else "")


def originals(of: str) -> str:
    return (
        {Of.HUMAN: "human stories", Of.INCOHERENT: "incoherent stories"}.get(Of(of), of)
        if of in list(Of)
        else "all originals"
    )


Cells = Mapping[tuple[str, str], _Cell]


def _map(
    columns: Sequence[str], cells: Cells, others: Cells, nothing: float, scale: Sequence[Sequence[object]]
) -> go.Figure:
    """Two groups of rows, the second under a heading."""
    figure = go.Figure()
    labels: list[str] = []
    for group in (cells, others):
        if group:
            labels += [f"<i>{PAPER}</i>"] if group is others else []
            _group(figure, group, columns, len(labels), ours=group is cells)
            labels += dict.fromkeys(safe(row) for row, _ in group)
    values = [cell.value for group in (cells, others) for cell in group.values() if cell.value is not None]
    reach = max([LEAST, *(abs(value - nothing) for value in values)])
    both = scale is DIVERGING
    figure.update_layout(
        coloraxis={
            "colorscale": scale,
            "cmin": nothing - reach if both else 0.0,
            "cmax": nothing + reach,
            "colorbar": {
                "orientation": "h",
                "thickness": 10,
                "yref": "container",
                "y": 0,
                "yanchor": "bottom",
                "outlinewidth": 0,
                "ypad": 4,
            },
        },
        xaxis={
            "tickvals": list(range(len(columns))),
            "ticktext": [safe(name) for name in columns],
            "range": [-0.5, len(columns) - 0.5],
            "tickangle": -45,
        },
        yaxis={
            "tickvals": list(range(len(labels))),
            "ticktext": labels,
            "range": [max(1, len(labels)) - 0.5, -0.5],
        },
        height=BAR + FRAME + CELL * max(2, len(labels)),
        margin={"l": 10, "r": 10, "b": BAR},
    )
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        axis.update(showgrid=False, zeroline=False, automargin=True)
    return figure


def _group(figure: go.Figure, cells: Cells, columns: Sequence[str], first: int, *, ours: bool) -> None:
    """Rows of cells from the row `first` on; `ours`: they can be pressed."""
    rows = list(dict.fromkeys(row for row, _ in cells))
    blank = _Cell(None, False, "no case")
    grid = [[cells.get((row, column), blank) for column in columns] for row in rows]
    figure.add_heatmap(
        x=list(range(len(columns))),
        y=list(range(first, first + len(rows))),
        z=[[cell.value for cell in line] for line in grid],
        text=[[_written(cell) for cell in line] for line in grid],
        texttemplate="%{text}",
        textfont={"size": 11, "color": INK},
        xgap=2,
        ygap=2,
        coloraxis="coloraxis",
    )
    places = range(first, first + len(rows))
    carried = [[(row, column) if ours and (row, column) in cells else () for column in columns] for row in rows]
    press_cells(figure, places, range(len(columns)), carried, [[cell.hover for cell in line] for line in grid])


def _written(cell: _Cell) -> str:
    if cell.value is None:
        return ""
    return f"<b>{short(cell.value)}</b>" if cell.bold else short(cell.value)
