"""In the charts of the page, the point of the story that is open."""

from pathlib import Path

import streamlit as st

from core.figures.style import safe

_shown_point = st.components.v2.component(
    "fabula.shown-point", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def shown_point(story: str) -> None:
    """Mark the points that carry this key, in place of the one that was pressed."""
    _shown_point(data={"story": safe(story)}, key="shown-point", height=0)
