"""How a figure looks on paper: the same from the dark and from a phone."""

from typing import Any

import plotly.io as pio

WIDTH = 900
"""Pixels; a PNG has three times as many."""
COLOURS = {"paper_bgcolor": "#ffffff", "plot_bgcolor": "#ffffff"}


def paper_template() -> dict[str, Any]:
    """Plotly's white template: black on white, ticks and axes drawn, no grid."""
    found: dict[str, Any] = pio.templates["simple_white"].to_plotly_json()
    return found
