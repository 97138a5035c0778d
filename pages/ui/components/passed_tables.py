"""The keyboard passes over the grids of tables that can be pressed: `choose_row` has their rows in a list."""

from pathlib import Path

import streamlit as st

_passed_tables = st.components.v2.component(
    "fabula.passed-tables", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def passed_tables() -> None:
    """Of all pages, once it has stood on one; until the page is loaded anew."""
    _passed_tables(key="passed-tables", height=0)
