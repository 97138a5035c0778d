"""Token view: what a language model thought of each token of a text, and so why the text looks machine-made."""

import streamlit as st

from core.errors import FabulaError
from core.people import Role
from pages.ui.shared.jobs.awaited_job import ask, awaited, job_number
from pages.ui.shared.page_head import head
from pages.ui.shared.stories.text_source import READ_NOW
from pages.ui.shared.stories.token_readings import KIND, read_already
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require
from pages.ui.tokens.choice import choice
from pages.ui.tokens.results import results

viewer = require(Role.RESEARCHER)


def body() -> None:
    """The choices, and below them the texts, or how far the model is with them."""
    with st.container(border=True):
        try:
            wanted, linked = choice(viewer)
        except FabulaError as error:
            problem(str(error))
            return
        missing = [
            token_choice.asked
            for token_choice in wanted
            if token_choice.asked is not None and read_already(token_choice.asked) is None
        ]
        pressed = st.button("Show the tokens", type="primary", icon=":material/visibility:")
        pressed = st.session_state.pop(READ_NOW, False) or pressed
        if pressed and not wanted:
            problem("There is no text to read: give one above.")
    if pressed and missing:
        with st.spinner("Reading"):
            ask(viewer, KIND, missing)
    found = [
        token_choice.table if token_choice.asked is None else read_already(token_choice.asked)
        for token_choice in wanted
    ]
    tables = [table for table in found if table is not None]
    for place, side in enumerate(wanted, 1):
        if side.asked is not None and side.asked.story is None and (number := job_number(KIND, side.asked)) is not None:
            st.query_params[f"reading{place}"] = str(number)
    if not wanted:
        st.info(
            "Choose a text above, or try the example. Each of its tokens is then coloured by how likely a language "
            "model found it: machines choose likely words more often than people do."
        )
    elif len(tables) < len(wanted):
        awaited(viewer, KIND, missing, "tokens")
    else:
        results([token_choice.label for token_choice in wanted], tables, linked=linked)


head("Token view", "Which words does a language model find likely, and which not?")
try:
    body()
except FabulaError as error:
    problem(str(error))
