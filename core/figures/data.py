"""The data of a figure as rows: one for each point, bar or cell, unrounded, with the ends of its error bar."""

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.figures.style import DECORATION, NO_END

TAG = re.compile(r"<[^>]*>")
BOX = {
    "lowerfence": "lower whisker",
    "q1": "1st quartile",
    "median": "median",
    "q3": "3rd quartile",
    "upperfence": "upper whisker",
}
"""The ends of a box, and what its row calls them."""


def figure_rows(figure: go.Figure) -> list[dict[str, object]]:
    """The data behind a figure; traces that draw no numbers (of a legend, say) give no row.

    Where an axis has names for its places, a row has the name.
    """
    names = {axis: _names(figure.layout[f"{axis}axis"]) for axis in ("x", "y")}
    return [_called(row, names) for trace in figure.data for row in _rows(trace)]


def anything_drawn(figure: go.Figure) -> bool:
    """Whether a figure shows a number at all; it stops at the first."""
    return any(_numbered(row) for trace in figure.data for row in _rows(trace))


def _numbered(row: Mapping[str, object]) -> bool:
    return all(row[part] is not None for part in ("x", "y", "value") if part in row)


def _names(axis: Any) -> list[tuple[float, str]]:
    places, names = axis.tickvals, axis.ticktext
    if places is None or names is None:
        return []
    plain = [html.unescape(TAG.sub("", name.replace("<br>", " "))) for name in names]
    return list(zip(places, plain, strict=True))


def _called(row: dict[str, object], names: Mapping[str, list[tuple[float, str]]]) -> dict[str, object]:
    for axis, known in names.items():
        at = row.get(axis)
        if known and isinstance(at, int | float):
            row[axis] = min(known, key=lambda part: abs(part[0] - at))[1]
    return row


def _rows(trace: Any) -> Iterator[dict[str, object]]:
    if trace.meta == DECORATION:
        return
    series = {"series": trace.name} if trace.name else {}
    if trace.type == "heatmap":
        up = range(len(trace.z)) if trace.y is None else trace.y
        for y, line in zip(up, trace.z, strict=True):
            for x, z in zip(range(len(line)) if trace.x is None else trace.x, line, strict=True):
                yield {**series, "x": _cell(x), "y": _cell(y), "value": _cell(z)}
        return
    if trace.type == "box":
        for place, y in enumerate(trace.y):
            yield {"y": _cell(y)} | {name: _cell(getattr(trace, end)[place]) for end, name in BOX.items()}
        return
    across, up = getattr(trace, "x", None), getattr(trace, "y", None)
    if across is None or up is None:
        return
    for place, (x, y) in enumerate(zip(across, up, strict=True)):
        if x is None or y is None:
            continue
        row = {**series, "x": _cell(x), "y": _cell(y)}
        for axis, value in (("x", x), ("y", y)):
            bar = getattr(trace, f"error_{axis}", None)
            if bar is not None and bar.array is not None:
                below = bar.array if bar.arrayminus is None else bar.arrayminus
                row |= {
                    f"{axis}, low": _end(value, below[place], -1),
                    f"{axis}, high": _end(value, bar.array[place], 1),
                }
        yield row


def _end(value: Any, reach: Any, side: int) -> float | None:
    if reach is None or reach == NO_END:
        return None
    end = float(value) + side * float(reach)
    return end if np.isfinite(end) else None


def _cell(value: Any) -> object:
    """A number or a text as Python has it; None for a gap."""
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
