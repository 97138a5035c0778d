"""One press of the browser's back button leads to the page before, though a page completes its own address."""

from pathlib import Path

import streamlit as st

_one_step = st.components.v2.component(
    "fabula.one-step", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def one_step(*parts: str) -> None:
    """Where a page only adds these `parts` to its address, or takes them out, the browser's history gets no new entry.

    Streamlit makes one for each part that a page writes; only the first call counts, until the page is loaded anew.
    """
    _one_step(data={"parts": list(parts)}, key="one-step", height=0)
