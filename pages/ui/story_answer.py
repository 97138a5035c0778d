"""What the form of a story holds, and how a change of it is stored."""

import streamlit as st

from core.annotation.panel import Answer, PanelStory
from core.annotation.scheme import ErrorType, Scheme
from core.errors import FabulaError, InputError
from core.people import Person
from db import ratings
from pages.ui.components.story_reader import asked


def key_of(story: PanelStory, part: str) -> str:
    """Widgets are known by the story's token, so that one story's answers can never show under another."""
    return f"{part}-{story.token}"


def present(story: PanelStory) -> Answer:
    """The answer as the database last returned it."""
    saved: Answer = st.session_state.get(key_of(story, ":saved"), story.answer)
    return saved


def _shown(error_type: ErrorType, answer: Answer) -> int | bool | None:
    """What the widget of an error type holds: the points, or for one without points whether it is ticked."""
    points = answer.deductions.get(error_type.name)
    return points if error_type.points else points is not None


def fill(story: PanelStory, scheme: Scheme) -> None:
    """Make the widgets show what is stored.

    Only those that do not: a value that the server sets undoes a click that was made meanwhile.
    """
    answer = present(story)
    wanted = {"overall": answer.overall} | {e.name: _shown(e, answer) for e in scheme.error_types}
    for part, value in wanted.items():
        key = key_of(story, part)
        if key not in st.session_state or st.session_state[key] != value:
            st.session_state[key] = value


def save(annotator: Person, scheme: Scheme, story: PanelStory, part: str) -> None:
    """Store the one field that changed. If that fails the form goes back to what is stored, and says so."""
    value = st.session_state.get(key_of(story, part))
    try:
        if part in ("mark", "unmark"):
            answer = _save_passage(annotator, scheme, story, part)
        elif part == "overall":
            answer = ratings.save_overall(annotator, story.token, value)
        elif scheme.error_type(part).points:
            answer = ratings.save_deduction(annotator, story.token, part, value)
        else:
            answer = ratings.save_deduction(annotator, story.token, part, 0 if value else None)
    except FabulaError as error:
        st.session_state[key_of(story, ":problem")] = str(error)
    else:
        _note_others(story, answer, part)
        st.session_state[key_of(story, ":saved")] = answer
        st.session_state.pop(key_of(story, ":problem"), None)
    fill(story, scheme)


def _save_passage(annotator: Person, scheme: Scheme, story: PanelStory, part: str) -> Answer:
    """Mark or unmark what the reader sent."""
    passage = asked(key_of(story, "reader"), part, scheme.error_types)
    if passage is None:
        raise InputError("That passage could not be understood; reload the page and mark it again.")
    change = ratings.mark if part == "mark" else ratings.unmark
    return change(annotator, story.token, *passage)


def _note_others(story: PanelStory, answer: Answer, part: str) -> None:
    """Say so where something else than this change is stored otherwise than this page had it: another tab, a phone."""
    before = present(story)
    other = part != "overall" and before.overall != answer.overall
    names = (before.deductions.keys() | answer.deductions.keys()) - {part}
    if part not in ("mark", "unmark"):
        other |= any(before.deductions.get(name) != answer.deductions.get(name) for name in names)
    st.session_state[key_of(story, ":elsewhere")] = other
