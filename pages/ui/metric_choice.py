"""Which metric a page shows by itself: kept in the address and from page to page, known by name and not by rank."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.text import escaped

KEY = "metric"


def choose_metric(names: Sequence[str], signatures: Sequence[str]) -> int:
    """A select box over the metrics, which have different `names`; returns the chosen one's number."""
    if st.session_state.get(KEY) not in names:
        st.session_state.pop(KEY, None)  # another study, or a run that was taken back
    number = list(names).index(st.selectbox("Metric", list(names), key=KEY, bind="query-params"))
    st.caption(f"Signature: {escaped(signatures[number])}")
    return number
