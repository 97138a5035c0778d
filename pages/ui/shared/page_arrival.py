"""Arriving on a page: what was chosen on the last page is kept, since Streamlit creates a page's widgets anew."""

import streamlit as st

PAGE = "page"
TABS = ("tab", "judgments_tab", "drift", "naturalness")
"""The tabs of analyses: whoever comes by an address that names none sees the first, as whoever it was sent to does."""


def opened(page: str) -> None:
    """Note which page is about to run. What its address names is chosen there, whatever was chosen on an earlier visit:
    Streamlit takes a widget's usual choice in an address for none, and shows what was left.
    """
    if st.session_state.get(PAGE) != page:
        past = [
            key for key in st.session_state if str(key).startswith("drawn-") or key in st.query_params or key in TABS
        ]
        for key in past:
            del st.session_state[key]
    st.session_state[PAGE] = page


def first_time(part: str) -> bool:
    """Whether this part of the page has yet to be drawn since the viewer came to the page."""
    return bool(st.session_state.get(f"drawn-{part}") != st.session_state.get(PAGE, ""))


def note_drawn(part: str) -> None:
    """Note that it has been: at its end, since a run may be cut short before."""
    st.session_state[f"drawn-{part}"] = st.session_state.get(PAGE, "")
