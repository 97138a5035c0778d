"""Following a study as scores and ratings arrive."""

import streamlit as st

from core.people import Role
from db import ratings
from pages.ui.viewer import require

POLL_SECONDS = 3.0


@st.fragment(run_every=POLL_SECONDS)
def follow(study_id: int, version: str) -> None:
    """Draw the page anew when scores or ratings have changed since this version, and only then."""
    require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    if ratings.version(study_id) != version:
        st.rerun()
