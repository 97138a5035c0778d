"""Negatives: human stories made worse by UNION's techniques, one at a time and as a set."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person, Role
from pages.ui.negatives.whole_set import whole_set
from pages.ui.shared.page_head import head
from pages.ui.shared.stories.negative_example import example
from pages.ui.shared.stories.negative_settings import choose_settings
from pages.ui.shared.stories.negative_source import choose_stories
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)
ONE, ALL = "One story", "All of them"


def body(viewer: Person) -> None:
    """What is chosen, and below it the tabs; what is not looked at is not made."""
    with st.container(border=True):
        chosen = choose_stories(viewer)
        settings = choose_settings(viewer)
    if chosen is None or settings is None:
        return
    item, every = st.tabs([ONE, ALL], key="negatives", bind="query-params")
    with every if every.open else item:
        if every.open:
            whole_set(chosen, settings)
        else:
            example(chosen, settings)


head("Negatives", "What makes a good story worse?")
st.caption(
    "UNION's four techniques make a human story worse, one after another: what a metric without references learns to "
    "tell from the original, and a story that no careful annotator rates high."
)
try:
    body(viewer)
except FabulaError as error:
    problem(str(error))
