"""The sidebar of those who run studies: which study the pages are about, and the other pages of the same place."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.people import Person
from pages.ui.components.one_step import one_step
from pages.ui.guide.chapters import CHAPTERS
from pages.ui.shared.study_choice import study_box
from pages.ui.shared.viewer import sign_out

COMPLETED = ("study", "metric", "target")
"""What pages put into their address by themselves, where it is not there: a link then brings all of it back."""


def sidebar(person: Person, places: Mapping[str, Sequence[st.Page]], page: st.Page) -> str:
    """Draw it; returns the name of the study, "" where there is none. `page`: the one that is looked at."""
    with st.sidebar:
        name = study_box(person)
        place = next((name for name, pages in places.items() if page in pages), "")
        with st.container(key="place", gap="xxsmall"):
            for other in places.get(place, ()):
                if other.visibility == "visible":
                    st.page_link(other)
        st.page_link(
            "guide.py",
            label="Help with this page",
            icon=":material/help:",
            query_params={"chapter": CHAPTERS[page.url_path]} if page.url_path in CHAPTERS else None,
        )
        sign_out()
        one_step(*COMPLETED)
    return name
