"""Following a study as scores and ratings arrive."""

import streamlit as st

from core.jobs import scoring, scoring_note
from core.people import Role
from db.jobs.queue import queue
from db.ratings import ratings
from db.studies.scored import scored_metrics
from pages.ui.shared.text import escaped
from pages.ui.shared.viewer import require

POLL_SECONDS = 3.0


@st.fragment(run_every=POLL_SECONDS)
def follow(study_id: int, version: str) -> None:
    """Draw the page anew when scores or ratings have changed since this version, and only then."""
    require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    if ratings.version(study_id) != version:
        st.rerun()


@st.fragment(run_every=POLL_SECONDS)
def scoring_under_way(study_id: int) -> None:
    """Say that the study is being scored, for as long as it is."""
    viewer = require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    under_way = scoring(queue(viewer), study_id)
    if under_way:
        message = scoring_note(under_way, scored_metrics(study_id))
        st.info(escaped(message), icon=":material/hourglass_top:")
