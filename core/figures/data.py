"""What a figure draws, as rows: a point, bar or cell each, unrounded, with the ends of its error bar."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go


def figure_rows(figure: go.Figure) -> list[dict[str, object]]:
    """The data behind a figure; traces that draw no numbers (of a legend, say) give no row."""
    return [row for trace in figure.data for row in _rows(trace)]


def _rows(trace: Any) -> Iterator[dict[str, object]]:
    series = {"series": trace.name} if trace.name else {}
    if trace.type == "heatmap":
        for y, line in zip(trace.y, trace.z, strict=True):
            for x, z in zip(trace.x, line, strict=True):
                yield {**series, "x": _cell(x), "y": _cell(y), "value": _cell(z)}
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
    if reach is None:
        return None
    end = float(value) + side * float(reach)
    return end if np.isfinite(end) else None


def _cell(value: Any) -> object:
    """A number or a text as Python has it; None for a gap."""
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
