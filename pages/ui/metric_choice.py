"""Which metric a page shows by itself: kept in the address and from page to page, known by name and not by rank."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.text import escaped

KEY = "metric"
KEPT = "kept_metric"


def choose_metric(names: Sequence[str], signatures: Sequence[str]) -> int:
    """A select box over the metrics, which have different `names`; returns the chosen one's number."""
    asked = (st.session_state.get(KEPT), st.query_params.get(KEY))
    chosen: str = next((name for name in asked if name is not None and name in names), names[0])
    st.session_state[KEY] = chosen  # always: another page's box has left what it had, and would begin with the first
    st.selectbox("Metric", list(names), key=KEY, on_change=_picked)
    st.session_state[KEPT] = st.query_params[KEY] = chosen
    number = list(names).index(chosen)
    st.caption(f"Signature: {escaped(signatures[number])}")
    return number


def _picked() -> None:
    st.session_state[KEPT] = st.session_state[KEY]
