"""Which metric a page shows by itself: kept in the address and from page to page, known by name and not by rank."""

from collections.abc import Sequence

import streamlit as st

KEY = "metric"


def choose_metric(names: Sequence[str], signatures: Sequence[str]) -> int:
    """A select box over the metrics, which have different `names`; returns the chosen one's number."""
    if st.session_state.get(KEY) not in names:
        st.session_state.pop(KEY, None)  # another study, or a run that was taken back
    known = dict(zip(names, signatures, strict=True))
    chosen = st.selectbox(
        "Metric",
        list(names),
        format_func=lambda name: f"{name} · {known.get(name, '')}",
        key=KEY,
        bind="query-params",
    )
    return list(names).index(chosen)
