"""Explain: why a trained UNION gives a story its score."""

import streamlit as st

from core.errors import FabulaError
from core.people import Role
from pages.ui.explain.checkpoint import choose_checkpoint
from pages.ui.explain.finished_jobs import KIND, found_already, into_address
from pages.ui.explain.results import results
from pages.ui.explain.story_choice import EXPLAIN_NOW, choose_wanted
from pages.ui.shared.jobs.awaited_job import ask, awaited
from pages.ui.shared.page_head import head
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)


def body() -> None:
    """The choices, and below them why the score is what it is, or how far the work is."""
    with st.container(border=True):
        checkpoint = choose_checkpoint(viewer)
        if checkpoint is None:
            return
        wanted = choose_wanted(viewer, checkpoint)
        pressed = st.button("Explain the score", type="primary", icon=":material/psychology_alt:")
        pressed = st.session_state.pop(EXPLAIN_NOW, False) or pressed
        if pressed and wanted is None:
            problem("There is no story to explain: give one above.")
    if wanted is None:
        st.info(
            "Choose a story above, or try the example. Each of its sentences is then coloured by what it adds to the "
            "score or takes from it."
        )
        return
    explanation = found_already(wanted.asked, wanted.story.text)
    if pressed and explanation is None:
        with st.spinner("Reading"):
            ask(viewer, KIND, [wanted.asked])
        explanation = found_already(wanted.asked, wanted.story.text)
    into_address(wanted.asked)
    if explanation is None:
        awaited(viewer, KIND, [wanted.asked], "variants")
    else:
        results(wanted, explanation, checkpoint)


head("Explain", "Why does a trained UNION give a story its score?")
st.caption(
    "What each sentence adds to it, what the second head would write, and whether the known edits of a negative are "
    "where the score drops."
)
try:
    body()
except FabulaError as error:
    problem(str(error))
