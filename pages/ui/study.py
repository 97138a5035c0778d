"""Choosing the study that a page is about; the choice follows the viewer from page to page."""

import streamlit as st

from core.studies import Study, StudySummary
from db import studies

CHOSEN = "chosen_study"
ADDRESSED = "addressed_study"


def remember(study_id: int) -> None:
    """Make this the study that the pages are about."""
    st.session_state[CHOSEN] = study_id


def choose(summaries: list[StudySummary] | None = None) -> StudySummary:
    """A select box over the studies; ends the page with what to do next where there are none."""
    found = studies.summaries() if summaries is None else summaries
    if not found:
        st.info("There is no study yet. Begin on the start page: load the demonstration or make a study of your own.")
        st.page_link("start.py", label="Go to the start page", icon=":material/home:")
        st.stop()
    by_id = {summary.study.id: summary for summary in found}
    asked = st.query_params.get("study", "")
    if asked.isdecimal() and asked != st.session_state.get(ADDRESSED):  # a link, or a reload
        remember(int(asked))
    ids = list(by_id)
    chosen = st.session_state.get(CHOSEN)
    picked = st.selectbox(
        "Study",
        ids,
        index=ids.index(chosen) if chosen in by_id else 0,
        format_func=lambda i: by_id[i].study.name if i in by_id else "(deleted)",
    )
    remember(picked)
    # In the address, so that a reload or another server comes back to it.
    st.query_params["study"] = st.session_state[ADDRESSED] = str(picked)
    summary = by_id[picked]
    demonstration_banner(summary.study)
    return summary


def demonstration_banner(study: Study) -> None:
    """Say wherever ratings appear that these were made for trying out."""
    if study.demonstration:
        st.caption(
            ":orange-badge[Demonstration data] The ratings it came with are made up: they show how Fabula works "
            "and say nothing about any metric."
        )
