"""Test sets: stories changed on purpose, one aspect at a time; made, imported, looked at, struck out, exported."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person, Role
from pages.ui.tests_browse import browse
from pages.ui.tests_choice import ALL, BROWSE, IMPORT, MAKE, PEOPLE, SETS, TABS, choose_set
from pages.ui.tests_form import new_set
from pages.ui.tests_import import import_set
from pages.ui.tests_kept import kept_set
from pages.ui.tests_people import ask_people
from pages.ui.tests_runs import set_runs
from pages.ui.text import problem
from pages.ui.viewer import require

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


st.title("Test sets")
st.caption(
    "Human stories changed in one aspect each, after OpenMEVA: of *discrimination*, where a metric should see that a "
    "story has become incoherent, and of *invariance*, where nothing has changed that it should mind."
)
try:
    body(viewer)
except FabulaError as error:
    problem(str(error))
