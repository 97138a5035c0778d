"""How a figure looks on paper: the same from a dark page and from a phone."""

from copy import deepcopy
from typing import Any

import plotly.io as pio

WIDTHS = {"page": 900, "column": 480}
"""Pixels across the page and of a column of two, in which letters of 12 pixels print at 6 to 7 points."""
COLOURS = {"paper_bgcolor": "#ffffff", "plot_bgcolor": "#ffffff"}
FONT = {"family": "Helvetica, Arial, sans-serif", "size": 13, "color": "#000000"}


def paper_template() -> dict[str, Any]:
    """Plotly's white template: black on white, ticks and axes drawn, no grid; titles at the left, lines not faded."""
    result: dict[str, Any] = deepcopy(pio.templates["simple_white"].to_plotly_json())
    result["layout"]["font"] = FONT
    result["layout"]["title"] = {"x": 0, "xanchor": "left", "pad": {"l": 10}, "font": {"size": 16}}
    result["layout"].pop("shapedefaults")
    return result


def dark_template() -> dict[str, Any]:
    """Return the template in light letters, for a report that is read in the dark."""
    result = paper_template()
    light = "#e8eaf2"
    result["layout"]["font"] = FONT | {"color": light}
    for axis in ("xaxis", "yaxis"):
        result["layout"][axis] |= {"linecolor": light, "tickcolor": light}
    return result
