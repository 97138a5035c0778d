"""The state of a story's form, and how a change of it is stored."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from core.annotation.panel import Answer, PanelStory
from core.annotation.scheme import Scheme
from core.errors import FabulaError
from pages.ui.annotating.desk import Desk
from pages.ui.annotating.story_reader import reader_events
from pages.ui.shared.annotators_words import explained

COMMENT = "comment"
"""The part of the form with the reason in words; no criterion or error type is called so."""
Value = int | bool | str | None


def key_of(story: PanelStory, part: str) -> str:
    """Widgets are known by the story's token, so that one story's answers can never show under another."""
    return f"{part}-{story.token}"


def present(story: PanelStory) -> Answer:
    """The answer as the database last returned it."""
    saved: Answer = st.session_state.get(key_of(story, ":saved"), story.answer)
    return saved


def _parts(scheme: Scheme, answer: Answer) -> dict[str, Value]:
    """What the widgets hold for an answer: ratings, points, or of a type without points whether it is ticked; a reason
    in words.
    """
    deducted = answer.deductions
    parts: dict[str, Value] = {name: answer.values.get(name) for name in scheme.names}
    parts |= {e.name: deducted.get(e.name) if e.points else e.name in deducted for e in scheme.error_types}
    return parts | ({COMMENT: answer.comment} if scheme.comments else {})


def fill(story: PanelStory, scheme: Scheme) -> None:
    """Make the widgets show what is stored, when the form is first drawn."""
    for part, value in _parts(scheme, present(story)).items():
        st.session_state[key_of(story, part)] = value


def save(desk: Desk, scheme: Scheme, story: PanelStory, part: str) -> None:
    """Store the one field that changed. If that fails it goes back to what is stored, and the form says so."""
    _keep(scheme, story, part, lambda: _stored(desk, scheme, story, part))


def save_asked(desk: Desk, scheme: Scheme, story: PanelStory) -> None:
    """Mark and unmark what the browser asks for; "compare": store every field that shows something not stored."""
    done = key_of(story, ":done")
    for wish in reader_events(key_of(story, "reader"), scheme.error_types, st.session_state.get(done, 0)):
        st.session_state[done] = wish.id
        if wish.what == "compare":
            for part, value in _parts(scheme, present(story)).items():
                if st.session_state.get(key_of(story, part), value) != value:
                    save(desk, scheme, story, part)
        else:
            change = partial(
                desk.mark if wish.what == "mark" else desk.unmark,
                story.token,
                wish.error_type,
                wish.span,
            )
            _keep(scheme, story, wish.what, change)


def _keep(scheme: Scheme, story: PanelStory, part: str, change: Callable[[], Answer]) -> None:
    """Make a change; whether it worked or not, the form then shows what is stored."""
    before = present(story)
    try:
        answer = change()
    except FabulaError as error:
        st.session_state[key_of(story, ":problem")] = explained(error)
        if part == COMMENT:
            return  # what cannot be kept stays in the field, to be shortened
        answer = before
    else:
        st.session_state[key_of(story, ":saved")] = answer
        st.session_state.pop(key_of(story, ":problem"), None)
    _follow(scheme, story, _parts(scheme, before), _parts(scheme, answer), part)


def _stored(desk: Desk, scheme: Scheme, story: PanelStory, part: str) -> Answer:
    """Store one field, and return the whole answer as it now is."""
    value = st.session_state.get(key_of(story, part))
    if part == COMMENT:
        return desk.save_comment(story.token, value or "")
    if part in scheme.names:
        return desk.save_value(story.token, value, part)
    if scheme.error_type(part).points:
        return desk.save_deduction(story.token, part, value)
    return desk.save_deduction(story.token, part, 0 if value else None)


def _shown(story: PanelStory, part: str) -> Value:
    """What the form shows; of words, what of them is kept: a blank at the end may be followed by more."""
    value: Value = st.session_state.get(key_of(story, part))
    return value.strip() if isinstance(value, str) else value


def _follow(
    scheme: Scheme, story: PanelStory, before: Mapping[str, Value], after: Mapping[str, Value], part: str
) -> None:
    """Make the widget that was used show what is stored, and those whose stored value has changed.

    No other: clicks that come quickly arrive together, and setting a widget would undo one that is yet to be saved.
    """
    changed = {name for name, value in after.items() if value != before[name]}
    for name in changed | ({part} & after.keys()):
        if _shown(story, name) != after[name]:
            st.session_state[key_of(story, name)] = after[name]
    # A deduction may come with a passage that was marked; anything else was changed in another tab or on a phone.
    elsewhere = changed - {part} if part != "mark" else changed & set(scheme.names)
    st.session_state[key_of(story, ":elsewhere")] = bool(elsewhere)
