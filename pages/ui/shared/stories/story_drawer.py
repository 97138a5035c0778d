"""A story with all that is known of it, opened beside the page: what a number or a point stands for.

The address names the story that is open, so that a link and a reload open it again.
"""

import time
from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.stories.view import StoryView
from core.errors import FabulaError
from core.people import Role
from core.scores import ScoreTable
from db.stories.view import story_view
from pages.ui.components.marked_story import marked_story
from pages.ui.components.shown_point import shown_point
from pages.ui.shared.page_arrival import PAGE
from pages.ui.shared.stories.story_sections import judges_verdicts, judges_words, notes, ratings, scores
from pages.ui.shared.stories.story_tokens import await_tokens, coloured_story
from pages.ui.shared.stories.two_metrics import two_metrics
from pages.ui.shared.stories.wanted_stories import FIRST
from pages.ui.shared.tables.downloads import release_row
from pages.ui.shared.text import escaped, problem, story_text
from pages.ui.shared.viewer import require

ADDRESS = "story"
LISTED, PRESSED, OPENED, CLOSED = "listed_stories", "story-pressed", "story-opened", "story-closed"
"""Of the session's state. A page that follows a job asks several times a second, with the address and the mark of a row
that the browser has just then. So a story that was pressed is kept, with its page, until it is drawn, whatever address
is asked for between; and the one that was closed last, with when the page had been drawn without it, for as long as the
browser may not know of that. *Opened*: the whole page has to be drawn for it.
"""
LATE, LATEST = 0.5, 5.0
"""Seconds from then on in which a row of the story is no press, and in which an address that still names the story does
not open it: later it is a step back. A browser has the page before the address that goes with it, so what comes with
the address before is late in any case.
"""
PRESS_ROW = "Press a row to read the story, with its ratings and scores."
"""Below every table whose rows are stories."""
WIDTH = 760
"""Pixels, at first: a line of a story is then as long as one reads easily. The drawer can be drawn wider."""


def open_story(key: str, listed: Sequence[str]) -> None:
    """Open this story when the page is drawn next; `listed`: the keys of those that it was chosen from, in order. A row
    that the browser still marks, of the story that was just closed, is no press.
    """
    closed, drawn = st.session_state.get(CLOSED, ("", 0.0))
    if key == closed and (drawn is None or key == st.query_params.get(ADDRESS) or time.monotonic() < drawn + LATE):
        release_row()
        return
    if CLOSED in st.session_state:
        del st.session_state[CLOSED]
    st.session_state[LISTED], st.session_state[OPENED] = tuple(listed), True
    st.session_state[PRESSED] = st.session_state.get(PAGE), key
    st.query_params[ADDRESS] = key


def open_row(keys: Sequence[str], row: int) -> None:
    """The same for a row of a table whose rows are these stories."""
    open_story(keys[row], keys)


def show_opened() -> None:
    """Within a part of a page that is drawn alone: draw all of it where a story was just opened."""
    if st.session_state.pop(OPENED, False):
        st.rerun()


def story_drawer(study_id: int, read: Callable[[], ScoreTable], listed: Sequence[str] = ()) -> None:
    """Show the story that is open, if one is. `read`: the table of all of the study's system stories, by which scores
    and ranks are shown; `listed`: the keys that *Next* goes through where the story was opened by a link, in place of
    the order of the import.
    """
    st.session_state.pop(OPENED, None)
    page, pressed = st.session_state.pop(PRESSED, (None, ""))
    if pressed and page == st.session_state.get(PAGE):
        st.query_params[ADDRESS] = pressed
    if CLOSED in st.session_state:
        _stay_closed(*st.session_state[CLOSED])
    if ADDRESS in st.query_params:
        _drawer(study_id, read(), listed)


def _closed() -> None:
    """The address says so last of all, once the page is drawn: see `LATE`."""
    if ADDRESS in st.query_params:
        st.session_state[CLOSED] = st.query_params[ADDRESS], None
    release_row()


def _stay_closed(closed: str, drawn: float | None) -> None:
    now = time.monotonic()
    if drawn is None:
        st.session_state[CLOSED] = closed, now
    if st.query_params.get(ADDRESS) == closed and (drawn is None or now < drawn + LATEST):
        del st.query_params[ADDRESS]
    elif drawn is not None and now >= drawn + LATE:
        del st.session_state[CLOSED]


@st.dialog("Story", width=WIDTH, position="right", icon=":material/article:", on_dismiss=_closed)
def _drawer(study_id: int, table: ScoreTable, listed: Sequence[str]) -> None:
    viewer = require(Role.RESEARCHER)  # its buttons draw it anew without the page
    key = st.query_params.get(ADDRESS, "")
    try:
        story = story_view(viewer, study_id, key)
    except FabulaError as error:
        problem(str(error))
        return
    scored = story.place is not None and story.place < len(table.keys) and table.keys[story.place] == key
    _steps(story, table if scored else None, listed)
    shown_point(story.key)
    reading = _text(story)
    why = st.container()
    ratings(story)
    scores(story, table if scored else None)
    with why if FIRST in st.session_state else st.container():  # a page that compares two metrics asks that first
        readings = two_metrics(viewer, study_id, table, story) if scored else []
    if scored:
        judges_words(study_id, table, story)
    judges_verdicts(study_id, story)
    notes(viewer, study_id, story)
    with reading:  # last: nothing else waits for it
        await_tokens(viewer, story, readings)


def _steps(story: StoryView, table: ScoreTable | None, listed: Sequence[str]) -> None:
    """What the story is, and the way to the one before and after it."""
    before, after, where = _neighbours(story, table, listed)
    with st.container(horizontal=True, vertical_alignment="center", key="story-steps"):
        st.button(
            "Previous",
            icon=":material/arrow_back:",
            shortcut="left",
            disabled=before is None,
            on_click=_go,
            args=(before,),
            key="story-previous",
        )
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            shortcut="right",
            disabled=after is None,
            on_click=_go,
            args=(after,),
            key="story-next",
        )
        st.caption(where)
    st.markdown(f"**{escaped(story.key)}**, by {escaped(story.group)}")


def _go(key: str | None) -> None:
    if key is not None:
        st.query_params[ADDRESS] = key


def _neighbours(
    story: StoryView, table: ScoreTable | None, listed: Sequence[str]
) -> tuple[str | None, str | None, str]:
    """The keys of the stories before and after this one, and where it stands, in words. Around the ends it goes on: a
    button that is disabled under one's finger would take the keyboard out of the drawer.
    """
    for keys in (st.session_state.get(LISTED, ()), listed):
        if story.key in keys:
            return _beside(keys, keys.index(story.key), "of the list")
    if table is not None and story.place is not None:
        return _beside(table.keys, story.place, "of the systems' stories")
    return None, None, ""


def _beside(keys: Sequence[str], place: int, among: str) -> tuple[str | None, str | None, str]:
    where = f"{place + 1:,} of {len(keys):,} {among}"
    return (None, None, where) if len(keys) == 1 else (keys[place - 1], keys[(place + 1) % len(keys)], where)


def _text(story: StoryView) -> DeltaGenerator:
    """Returns where it is said how far the reading of its tokens is."""
    if story.prompt.strip():
        st.caption("Prompt")
        story_text(story.prompt)
    reading = st.container()
    with reading:
        if not coloured_story(story):
            _plain_text(story)
    if story.references:
        several = len(story.references) > 1
        with st.expander(
            f"What people wrote here ({len(story.references):,})" if several else "What a person wrote here"
        ):
            for text in story.references:
                story_text(text)
    return reading


def _plain_text(story: StoryView) -> None:
    marked = story.marked
    if marked.marks:
        st.caption("Story; the raised figure is how many people marked the passage before it")
        marked_story(marked, None, key=f"story-marked-{story.id}")
    else:
        st.caption("Story")
        story_text(story.text)
