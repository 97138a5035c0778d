"""How to begin where there is nothing yet: a way for each of those who come."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person
from db.transfer.demonstration import load_demonstration
from pages.ui.shared.study_choice import remember
from pages.ui.shared.text import problem
from pages.ui.shared.tour import begin_tour

WAYS = (
    (
        "Bring my data",
        "Stories, ratings or scores from a table or a known corpus.",
        "import_data.py",
        "upload",
    ),
    ("Have stories rated", "Make a study, import stories, and invite people.", "studies.py", "rate_review"),
    ("Which metric fits?", "What each metric agrees with in published data.", "published.py", "menu_book"),
    ("Look at a text", "How likely a model finds each word of it.", "tokens.py", "visibility"),
)


def first_steps(viewer: Person) -> None:
    """What Fabula is for, the demonstration, and four other ways to begin."""
    st.title("Fabula")
    st.markdown("People rate stories, metrics rate the same stories, and Fabula says **which metric deserves trust**.")
    demonstration(viewer)
    ways = st.columns(len(WAYS))
    for place, (label, about, page, icon) in zip(ways, WAYS, strict=True):
        with place.container(border=True, height="stretch"):
            st.page_link(page, label=label, icon=f":material/{icon}:")
            st.caption(about)


def demonstration(viewer: Person) -> None:
    """Offer the demonstration study."""
    with st.container(border=True):
        st.header("Try it within a minute")
        st.markdown(
            "The demonstration study has 14 openings, each with the continuations of five generators and one by a "
            "person, and made-up ratings, which are marked as such wherever they appear."
        )
        with st.container(horizontal=True):
            load = st.button("Load the demonstration study", type="primary", icon=":material/play_arrow:")
            led = st.button("Load it and take the tour", icon=":material/tour:")
        if load or led:
            try:
                with st.spinner("Loading the demonstration study: its stories, ratings and scores"):
                    remember(load_demonstration(viewer).id)
            except FabulaError as error:
                problem(str(error))
            else:
                if led:
                    begin_tour()
                st.switch_page("overview.py")
