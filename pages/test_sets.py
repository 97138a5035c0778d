"""Test sets: stories changed on purpose, one aspect at a time; made, imported, looked at, struck out, exported."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person, Role
from pages.ui.shared.page_head import head
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require
from pages.ui.test_sets.case_browser import browse
from pages.ui.test_sets.choice import ALL, BROWSE, IMPORT, MAKE, PEOPLE, SETS, TABS, choose_set
from pages.ui.test_sets.form import new_set
from pages.ui.test_sets.human_check import ask_people
from pages.ui.test_sets.import_form import import_set
from pages.ui.test_sets.kept_set import kept_set
from pages.ui.test_sets.runs import set_runs

viewer = require(Role.RESEARCHER)


def body(viewer: Person) -> None:
    """The tabs; what is not looked at is not read."""
    tabs = dict(zip(ALL, st.tabs(ALL, **TABS), strict=True))
    name = next((name for name, tab in tabs.items() if tab.open), MAKE)
    with tabs[name]:
        if name == IMPORT:
            import_set(viewer)
        elif name == MAKE:
            new_set(viewer)
            set_runs(viewer)
        elif (kept := choose_set(viewer)) is not None:
            shown = {SETS: kept_set, BROWSE: browse, PEOPLE: ask_people}
            shown[name](viewer, kept)


head("Test sets", "How is a metric asked what it sees?")
st.caption(
    "Human stories changed in one aspect each, after OpenMEVA: of *discrimination*, where a metric should see that a "
    "story has become incoherent, and of *invariance*, where nothing has changed that it should mind."
)
try:
    body(viewer)
except FabulaError as error:
    problem(str(error))
