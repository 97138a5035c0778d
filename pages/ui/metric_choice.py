"""Which metric a page shows by itself: kept in the address and from page to page, known by name and not by rank."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.arrival import first_time
from pages.ui.text import escaped

KEY = "metric"
KEPT = "kept_metric"


def choose_metric(names: Sequence[str], signatures: Sequence[str]) -> int:
    """A select box over the metrics, which have different `names`; returns the chosen one's number."""
    kept = st.session_state.get(KEPT)
    if first_time(KEY) and KEY not in st.query_params and kept in names:
        st.session_state[KEY] = kept
    elif st.session_state.get(KEY, names[0]) not in names:
        st.session_state[KEY] = names[0]  # another study's, or a run that was taken back
    number = list(names).index(st.selectbox("Metric", list(names), key=KEY, bind="query-params"))
    st.session_state[KEPT] = names[number]
    st.caption(f"Signature: {escaped(signatures[number])}")
    return number
