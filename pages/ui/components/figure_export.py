"""A chart as PDF, SVG or PNG, as wide as a page or a column, made in the browser without anything from outside."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from plotly.utils import PlotlyJSONEncoder

from core.report.files.paper import COLOURS, WIDTHS, paper_template

_HERE = Path(__file__)
_figure_export = st.components.v2.component(
    "fabula.figure_export",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,  # the chart is elsewhere on the page
)


@cache
def _template() -> Any:
    return json.loads(json.dumps(paper_template(), cls=PlotlyJSONEncoder))


def figure_export(chart: str, file: str) -> None:
    """Show the buttons for the chart whose key is `chart`; `file`: the file's name without its ending."""
    _figure_export(
        data={"chart": chart, "file": file, "template": _template(), "widths": WIDTHS, "colours": COLOURS},
        key=f"picture_{chart}",
    )
