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
PRESSED, FAILED = "demonstration_pressed", "demonstration_failed"
"""Of the session's state: the button that loads the demonstration, and why that did not go."""
LOAD, TOUR = "load", "tour"
BUTTONS = (
    ("Load the demonstration study", LOAD, ":material/play_arrow:"),
    ("Load it and take the tour", TOUR, ":material/tour:"),
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
    with st.container(border=True, key="demonstration"):
        st.header("Try it within a minute")
        st.markdown(
            "The demonstration study has 14 openings, each with the continuations of five generators and one by a "
            "person, and made-up ratings, which are marked as such wherever they appear."
        )
        pressed = st.session_state.pop(PRESSED, None)
        with st.container(horizontal=True):
            for label, kind, icon in BUTTONS:
                # A callback runs before the page is drawn, so that neither can be pressed again while it loads.
                st.button(
                    label,
                    type="primary" if kind == LOAD else "secondary",
                    icon="spinner" if kind == pressed else icon,  # at once: the sentence below comes a moment later
                    key=f"demonstration-{kind}",  # the same button, whatever its sign
                    disabled=pressed is not None,
                    on_click=_press,
                    args=(kind,),
                )
        if message := st.session_state.pop(FAILED, ""):
            problem(message)
        if pressed is not None:
            _load(viewer, with_tour=pressed == TOUR)


def _press(kind: str) -> None:
    st.session_state[PRESSED] = kind


def _load(viewer: Person, *, with_tour: bool) -> None:
    try:
        with st.spinner("Loading the demonstration study: its stories, ratings and scores"):
            remember(load_demonstration(viewer).id)
    except FabulaError as error:
        st.session_state[FAILED] = str(error)
        st.rerun()
    if with_tour:
        begin_tour()
    st.switch_page("overview.py", query_params={})
