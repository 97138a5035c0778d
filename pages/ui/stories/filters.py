"""Which of a study's stories are listed: chosen here, kept in the address."""

import streamlit as st

from core.analysis.stories.listing import StoryFilter
from core.people import Person
from db.stories import selections
from db.studies import story_list
from pages.ui.shared.analysis.view import choose_selection

PAGE = "stories_page"


def first_page() -> None:
    """What is listed has changed: begin at its beginning."""
    st.session_state[PAGE] = 1


@st.cache_data(max_entries=8, show_spinner=False)
def _groups(study_id: int, version: str, _by: Person) -> list[str]:
    del version  # what the result is kept under
    return story_list.systems(_by, study_id)


def choose_stories(viewer: Person, study_id: int, version: str) -> StoryFilter:
    """The widgets; `version`: of the study's texts."""
    groups = _groups(study_id, version, viewer)
    given = st.session_state.get("system")
    if given and not set(given) <= set(groups):
        st.session_state["system"] = [group for group in given if group in groups]
    left, middle, right = st.columns(3)
    systems = left.multiselect(
        "System", groups, placeholder="All", key="system", bind="query-params", on_change=first_page
    )
    prompt = middle.text_input(
        "Prompt holds", key="prompt", bind="query-params", placeholder="anything", on_change=first_page
    )
    text = right.text_input(
        "Story holds, or is called", key="text", bind="query-params", placeholder="anything", on_change=first_page
    )
    kept = choose_selection(selections.selections(viewer, study_id), on_change=first_page)
    return StoryFilter(frozenset(systems), prompt.strip(), text.strip(), kept.id if kept else None)
