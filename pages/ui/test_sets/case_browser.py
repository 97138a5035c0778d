"""The cases of a set, one at a time: found by aspect and words, read with their edits, struck out."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person
from core.perturb.test_sets.test_set import description_from
from db.test_sets import case_search, test_sets
from db.test_sets.case_search import CaseQuery, Showing
from db.test_sets.test_sets import KeptSet
from pages.ui.shared.text import problem
from pages.ui.test_sets.case import show_case

ALL = "all"
ADDRESS, PROBLEM = "case", "tests-strike-problem"
SHOWN = {
    Showing.CHANGED: "Changed ones",
    Showing.PASSING: "Changed, pass the filter",
    Showing.FAILING: "Changed, fail the filter",
    Showing.STRUCK: "Struck out",
    Showing.UNCHANGED: "Coherent ones, originals",
}


def browse(viewer: Person, kept: KeptSet) -> None:
    """What is looked for, where one is in it, the case, and what can be done with it."""
    wanted = _wanted(viewer, kept)
    matching = case_search.places(viewer, kept.id, wanted)
    if not matching:
        st.info("There is no such case: choose another aspect, other cases, or other words.")
        return
    asked = st.query_params.get(ADDRESS, "")
    chosen = next((number for number in matching if str(number) == asked), matching[0])
    st.query_params[ADDRESS] = str(chosen)
    place = matching.index(chosen)
    kept_case = case_search.kept_case(viewer, kept.id, chosen)
    with st.container(horizontal=True, vertical_alignment="center"):
        _go("Previous", "arrow_back", matching[(place - 1) % len(matching)])
        _go("Next", "arrow_forward", matching[(place + 1) % len(matching)])
        st.button(
            "Take in again" if kept_case.struck else "Strike out",
            icon=":material/undo:" if kept_case.struck else ":material/strikethrough_s:",
            key="tests-strike",
            help="A case that is struck out stays here, and counts no more: not in exports, and for no metric.",
            on_click=_strike,
            args=(viewer, kept.id, kept_case.id, not kept_case.struck),
        )
        st.text(f"{place + 1:,} of {len(matching):,}")
        if kept_case.struck:
            st.badge("Struck out", icon=":material/block:", color="orange")
    if message := st.session_state.pop(PROBLEM, ""):
        problem(message)
    show_case(kept_case.case)


def _wanted(viewer: Person, kept: KeptSet) -> CaseQuery:
    left, middle, right = st.columns(3)
    aspects = list(dict.fromkeys([ALL, *description_from(kept.about).aspects]))
    if st.session_state.get("tests-aspect", ALL) not in aspects:
        del st.session_state["tests-aspect"]
    aspect = left.selectbox("Aspect", aspects, format_func=str.capitalize, key="tests-aspect", bind="query-params")
    showing = middle.selectbox(
        "Cases", list(Showing), format_func=SHOWN.__getitem__, key="tests-showing", bind="query-params"
    )
    words = right.text_input("That hold the words", key="tests-words", bind="query-params", placeholder="anything")
    return CaseQuery(
        None if aspect == ALL else aspect, showing or Showing.CHANGED, (words or "").replace("\0", "").strip()
    )


def _go(label: str, icon: str, case: int) -> None:
    st.button(label, icon=f":material/{icon}:", key=f"tests-{label.lower()}", on_click=_to, args=(case,))


def _to(case: int) -> None:
    st.query_params[ADDRESS] = str(case)


def _strike(viewer: Person, number: int, case: int, struck: bool) -> None:
    try:
        test_sets.strike(viewer, number, case, struck)
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)
