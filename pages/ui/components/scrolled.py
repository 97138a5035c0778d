"""Bring the top of the page, or a part of it, into sight: once for each `mark`."""

from pathlib import Path

import streamlit as st

_scrolled = st.components.v2.component(
    "fabula.scrolled", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def scrolled(mark: str, to: str = "") -> None:
    """Scroll to the container whose key is `to` ("": to the top) where `mark` is another than in the run before."""
    _scrolled(data={"mark": mark, "to": to}, key=f"scrolled-{to or 'top'}", height=0)
