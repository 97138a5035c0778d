"""Which of a study's stories are listed: chosen here, kept in the address."""

from collections.abc import Container

import streamlit as st

from core.analysis.stories.listing import StoryFilter
from core.annotation.studies import Study
from core.people import Person
from db.stories import selections
from db.studies import story_list
from pages.ui.shared.analysis.view import choose_selection
from pages.ui.shared.stories.wanted_stories import ERROR_TYPE, EVERY_TYPE, SYSTEM

PAGE = "stories_page"


def first_page() -> None:
    """What is listed has changed: begin at its beginning."""
    st.session_state[PAGE] = 1


@st.cache_data(max_entries=8, show_spinner=False)
def _groups(study_id: int, version: str, _by: Person) -> list[str]:
    del version  # what the result is kept under
    return story_list.systems(_by, study_id)


def choose_stories(viewer: Person, study: Study, version: str) -> StoryFilter:
    """The widgets; `version`: of the study's texts."""
    study_id, types = study.id, [error_type.name for error_type in study.scheme.error_types]
    groups = _groups(study_id, version, viewer)
    _only(SYSTEM, groups)
    _only(ERROR_TYPE, types)
    left, middle, right, *last = st.columns(4 if types else 3)
    systems = left.multiselect(
        "System", groups, placeholder="All", key=SYSTEM, bind="query-params", on_change=first_page
    )
    prompt = middle.text_input(
        "Prompt holds", key="prompt", bind="query-params", placeholder="anything", on_change=first_page
    )
    text = right.text_input(
        "Story holds, or is called", key="text", bind="query-params", placeholder="anything", on_change=first_page
    )
    given: list[str] = []
    every = False
    for column in last:
        given = column.multiselect(
            "Given an error type",
            types,
            placeholder="Any, or none",
            key=ERROR_TYPE,
            bind="query-params",
            on_change=first_page,
        )
        if len(given) > 1:
            every = column.toggle("Each of them", key=EVERY_TYPE, bind="query-params", on_change=first_page)
    kept = choose_selection(selections.selections(viewer, study_id), on_change=first_page)
    selection = kept.id if kept else None
    return StoryFilter(frozenset(systems), prompt.strip(), text.strip(), selection, frozenset(given), every)


def _only(part: str, offered: Container[str]) -> None:
    """Another study may not have what was chosen in the one before."""
    given = st.session_state.get(part, [])
    if not all(name in offered for name in given):
        st.session_state[part] = [name for name in given if name in offered]
