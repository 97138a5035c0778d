"""A press on a download that takes a field's value along waits until the page has taken it in."""

from pathlib import Path

import streamlit as st

_current_links = st.components.v2.component(
    "fabula.current-links", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def current_links() -> None:
    """Of this page's links to downloads; their keys begin with `download-`."""
    _current_links(key="current-links", height=0)
