"""Which stored test set is shown: kept in the address, and the same on both tabs."""

from typing import Any

import streamlit as st

from core.people import Person
from db.test_sets import test_sets
from db.test_sets.test_sets import KeptSet
from pages.ui.shared.text import notice

MAKE, IMPORT, SETS, BROWSE, PEOPLE = ALL = "Make", "Import", "Sets", "Browse", "Ask people"
TAB = "test-sets"
TABS: dict[str, Any] = {"key": TAB, "bind": "query-params"}
ADDRESS, CHOSEN, ADDRESSED, BOX = "tests", "chosen-tests", "addressed-tests", "tests-box"
DONE = "tests-done"
"""What was done to a set, to be said once."""


def look_at(number: int, tab: str = SETS) -> None:
    """Open a tab on this set with the next run of the page."""
    st.query_params[ADDRESS] = str(number)
    st.session_state.pop(ADDRESSED, None)
    st.session_state[TAB] = tab


def choose_set(viewer: Person) -> KeptSet | None:
    """A select box over the kept sets; None, with what to do next, where there are none."""
    if done := st.session_state.pop(DONE, ""):
        notice(done)
    by_id = {test_set.id: test_set for test_set in test_sets.listed(viewer)}
    if not by_id:
        st.info("There is no test set yet. Make one of a study's human stories, or import one.")
        with st.container(horizontal=True):
            st.button("Make a test set", icon=":material/add:", on_click=_open, args=(MAKE,))
            st.button("Import a test set", icon=":material/upload:", on_click=_open, args=(IMPORT,))
        return None
    asked, unknown = st.query_params.get(ADDRESS, ""), ""
    if asked and asked != st.session_state.get(ADDRESSED):
        named = next((number for number in by_id if str(number) == asked), None)
        st.session_state[CHOSEN] = named
        unknown = asked if named is None else ""
    chosen = st.session_state.get(CHOSEN)
    st.session_state[BOX] = chosen if chosen in by_id else next(iter(by_id))
    picked = st.selectbox(
        "Test set",
        list(by_id),
        key=BOX,
        format_func=lambda i: f"{by_id[i].name} ({by_id[i].tests}, {by_id[i].cases:,} cases)" if i in by_id else "",
        on_change=_picked,
    )
    st.session_state[CHOSEN] = picked
    st.query_params[ADDRESS] = st.session_state[ADDRESSED] = str(picked)
    if unknown:
        notice(f"There is no test set {unknown[:60]} here, or it was deleted; this is {by_id[picked].name}.")
    return by_id[picked]


def _picked() -> None:
    st.session_state[CHOSEN] = st.session_state[BOX]


def _open(tab: str) -> None:
    st.session_state[TAB] = tab
