"""Evidence: the passages that annotators marked, those with the most agreement first."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.judgments.evidence import MarkedStory, by_agreement, passages
from core.annotation.scheme import Scheme
from core.people import Person
from core.stories import Source
from db.ratings import evidence as stored
from pages.ui.components.marked_story import marked_story
from pages.ui.shared.stories.story_drawer import PRESS_ROW, open_row, open_story
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

ANY = ""
TYPE, SYSTEM, PAGE = "evidence-type", "evidence-system", "evidence-page"
"""The widgets, which are also what the address calls them."""
A_PAGE = 5
MOST_PASSAGES = 200


@st.cache_resource(max_entries=4, show_spinner="Reading the marks")
def _marked(study_id: int, version: str, _by: Person) -> tuple[MarkedStory, ...]:
    """The marks in this state of the data; shared, as nobody changes them."""
    del version  # what the result is kept under
    return tuple(stored.marked(_by, study_id))


@st.cache_resource(max_entries=16, show_spinner=False)
def _ranked(
    study_id: int, version: str, error_type: str | None, groups: tuple[str, ...], _stories: Sequence[MarkedStory]
) -> list[MarkedStory]:
    del study_id, version
    return by_agreement((story for story in _stories if story.group in groups), error_type)


def evidence(by: Person, study_id: int, version: str, scheme: Scheme) -> None:
    """Choose a type and a system; the stories with their marks, a few a page, and the passages as a table."""
    if not scheme.error_types:
        st.info("This study asks for no error types, so nothing can be marked as evidence of one.")
        return
    stories = _marked(study_id, version, by)
    if not stories:
        st.info("Nobody has marked a passage yet. Annotators can, on the form; imports may hold no such marks.")
        return
    left, right = st.columns(2)
    names = [error_type.name for error_type in scheme.error_types]
    groups = sorted({story.group for story in stories})
    chosen = _box(left, "Error type", names, "any", TYPE)
    group = _box(right, "System", groups, "every system", SYSTEM)
    error_type = chosen if chosen in names else None
    controls = {source for source in Source if source not in scheme.sources}
    wanted = (group,) if group in groups else tuple(name for name in groups if name not in controls)
    marked_stories = _ranked(study_id, version, error_type, wanted, stories)
    with st.container():  # always there, so that what is below keeps its place
        if not marked_stories:
            st.info("No passage is marked so.")
            return
        begin = (_page(-(-len(marked_stories) // A_PAGE)) - 1) * A_PAGE
    st.caption(
        f"{len(marked_stories):,} stor{'y has' if len(marked_stories) == 1 else 'ies have'} marked passages; those "
        "that most annotators agree on come first. The raised figure is how many marked the passage before it."
    )
    keys = [story.key for story in marked_stories]
    for number, story in enumerate(marked_stories[begin : begin + A_PAGE], begin + 1):
        with st.container(border=True):
            counted = f"{story.ratings:,} rating{'' if story.ratings == 1 else 's'}"
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"{number:,}. {escaped(story.key)}, by {escaped(story.group)}, {counted}. Opening:")
                st.button(
                    "All about it",
                    icon=":material/article:",
                    type="tertiary",
                    key=f"evidence_read_{study_id}_{number}",
                    on_click=open_story,
                    args=(story.key, keys),
                )
            st.text(story.prompt)
            marked_story(story, error_type, key=f"evidence_{study_id}_{number}")
    _passages(marked_stories[: MOST_PASSAGES // 2], error_type)


def _box(place: DeltaGenerator, label: str, names: Sequence[str], every: str, key: str) -> str:
    """A box that the address keeps; another study may not have what was chosen in the one before."""
    if st.session_state.get(key, ANY) not in (ANY, *names):
        del st.session_state[key]
    return str(
        place.selectbox(label, [ANY, *names], key=key, bind="query-params", format_func=lambda name: name or every)
    )


def _page(pages: int) -> int:
    """The page asked for, from 1; there may be fewer than when it was."""
    if pages < 2:
        return 1
    if PAGE in st.session_state:
        st.session_state[PAGE] = min(max(1, int(st.session_state[PAGE])), pages)
    return int(st.number_input(f"Page, of {pages:,}", 1, pages, key=PAGE, bind="query-params", width=160))


def _passages(stories: Sequence[MarkedStory], error_type: str | None) -> None:
    found = [(story, passage) for story in stories for passage in passages(story, error_type)]
    found.sort(key=lambda pair: -pair[1].marked)
    rows = [
        {
            "Passage": story.text[passage.start : passage.end],
            "System": story.group,
            "Marked by": passage.marked,
            "of": passage.ratings,
            "Opening": story.prompt,
        }
        for story, passage in found[:MOST_PASSAGES]
    ]
    table("Most agreed passages", rows, on_row=partial(open_row, [story.key for story, _ in found]))
    st.caption(PRESS_ROW)
    if len(found) > MOST_PASSAGES:
        st.caption(f"The {MOST_PASSAGES} most agreed passages. The export holds every mark.")
