"""The sidebar of those who run studies: which study the pages are about, and the other pages of the same place."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.people import Person
from pages.ui.components.one_step import one_step
from pages.ui.components.passed_tables import passed_tables
from pages.ui.guide.chapters import CHAPTERS
from pages.ui.shared.study_choice import study_box
from pages.ui.shared.viewer import sign_out

COMPLETED = ("study", "metric", "target")
"""What pages put into their address by themselves, where it is not there: a link then brings all of it back."""
GUIDE, READ_FROM, ELSEWHERE = "guide", "read_from", "drawn_elsewhere"
"""The guide's address, and under which keys of the session are kept the page that it was opened from, and how often
other pages were drawn, by which one opening of the guide is told from the next.
"""


def sidebar(person: Person, places: Mapping[str, Sequence[st.Page]], page: st.Page) -> str:
    """Draw it; returns the name of the study, "" where there is none. `page`: the one that is looked at."""
    with st.sidebar:
        name = study_box(person)
        shown = _read_from(places) if page.url_path == GUIDE else page
        place = next((pages for pages in places.values() if shown in pages), ())
        overview = places["Study"][0]
        with st.container(key="place", gap="xxsmall"):
            for other in place if overview in place else (overview, *place):
                if other.visibility == "visible":
                    st.page_link(other)
        if page.url_path != GUIDE:
            st.session_state[READ_FROM] = page.url_path
            st.session_state[ELSEWHERE] = st.session_state.get(ELSEWHERE, 0) + 1
            chapter = {"chapter": CHAPTERS[page.url_path]} if page.url_path in CHAPTERS else None
            st.page_link("guide.py", label="Help with this page", icon=":material/help:", query_params=chapter)
        elif shown is not None:
            st.page_link(shown, label=f"Back to {shown.title}", icon=":material/arrow_back:")
        sign_out()
        one_step(*COMPLETED)
        passed_tables()
    return name


def _read_from(places: Mapping[str, Sequence[st.Page]]) -> st.Page | None:
    """The page whose help is read; None where the guide was opened by its address."""
    every = (page for pages in places.values() for page in pages)
    return next((page for page in every if page.url_path == st.session_state.get(READ_FROM)), None)
