"""A story beside its form, a fragment of its own: a change reruns and saves this story alone."""

import streamlit as st

from core.annotation.panel import Answer, PanelStory
from core.annotation.scheme import ErrorType, Scheme
from core.errors import FabulaError
from core.people import Person
from core.studies import Study
from db import ratings
from pages.ui.answer_form import FEW_STEPS, overall_control, saved_line
from pages.ui.text import escaped, story_text


def _key(story: PanelStory, part: str) -> str:
    """Widgets are known by the story's token, so that one story's answers can never show under another."""
    return f"{part}-{story.token}"


def _present(story: PanelStory) -> Answer:
    """The answer as the database last returned it."""
    saved: Answer = st.session_state.get(_key(story, ":saved"), story.answer)
    return saved


def _shown(error_type: ErrorType, answer: Answer) -> int | bool | None:
    """What the widget of an error type holds: the points, or for one without points whether it is ticked."""
    points = answer.deductions.get(error_type.name)
    return points if error_type.points else points is not None


def _fill(story: PanelStory, scheme: Scheme) -> None:
    """Make the widgets show what is stored, and nothing else."""
    answer = _present(story)
    st.session_state[_key(story, "overall")] = answer.overall
    for error_type in scheme.error_types:
        st.session_state[_key(story, error_type.name)] = _shown(error_type, answer)


def _save(annotator: Person, scheme: Scheme, story: PanelStory, part: str) -> None:
    """Store the one field that changed. If that fails the form goes back to what is stored, and says so."""
    value = st.session_state.get(_key(story, part))
    try:
        if part == "overall":
            answer = ratings.save_overall(annotator, story.token, value)
        elif scheme.error_type(part).points:
            answer = ratings.save_deduction(annotator, story.token, part, value)
        else:
            answer = ratings.save_deduction(annotator, story.token, part, 0 if value else None)
    except FabulaError as error:
        st.session_state[_key(story, ":problem")] = str(error)
    else:
        st.session_state[_key(story, ":saved")] = answer
        st.session_state.pop(_key(story, ":problem"), None)
    _fill(story, scheme)


@st.fragment
def story_form(annotator: Person, study: Study, story: PanelStory, *, alone: bool = False) -> None:
    """One story, its overall rating and its error types; `alone`: the only one on the page."""
    scheme = study.scheme
    if _key(story, "overall") not in st.session_state:
        _fill(story, scheme)
    with st.container(border=True, key=_key(story, "story")):
        text, form = st.columns([3, 2], gap="medium")
        with text:
            if not alone:
                st.markdown(f"**Story {story.letter}**")
            story_text(story.text)
        with form:
            overall_control(
                scheme,
                _question(scheme, story, alone=alone),
                _key(story, "overall"),
                dict(scheme.scale),
                _save,
                (annotator, scheme, story, "overall"),
            )
            if scheme.takes_reasons(_present(story).overall):
                _error_types(annotator, scheme, story)
            _status(study, story)


def _question(scheme: Scheme, story: PanelStory, *, alone: bool) -> str:
    """The question; in a panel, which has it on top, only the story it is asked about and the ends of the scale."""
    if len(scheme.scale) <= FEW_STEPS:
        return escaped(scheme.question)
    (lowest, worst), (highest, best) = scheme.scale[0], scheme.scale[-1]
    ends = f"{lowest} {escaped(worst.lower())} to {highest} {escaped(best.lower())}"
    return f"{escaped(scheme.question)} {ends}" if alone else f"Story {story.letter} overall: {ends}"


def _error_types(annotator: Person, scheme: Scheme, story: PanelStory) -> None:
    """What is wrong with the story: points to deduct, or a tick where the scheme takes no points."""
    if scheme.reasons_for:
        st.caption("What is wrong with it? Choose at least one.")
    # A row that wraps, not columns: on a phone two types still fit side by side.
    with st.container(horizontal=True, gap="small"):
        for error_type in scheme.error_types:
            name, key = escaped(error_type.name.capitalize()), _key(story, error_type.name)
            about = escaped(error_type.description) or None
            saving = (annotator, scheme, story, error_type.name)
            if error_type.points:
                st.segmented_control(
                    name,
                    error_type.points,
                    format_func=lambda points: f"−{points}",
                    key=key,
                    help=about,
                    width=max(145, 60 * len(error_type.points)),
                    on_change=_save,
                    args=saving,
                )
            else:
                st.checkbox(name, key=key, help=about, on_change=_save, args=saving)


def _status(study: Study, story: PanelStory) -> None:
    """Points deducted, and whether the answer is in the database."""
    answer = _present(story)
    words = []
    if study.scheme.deducts:
        words.append(f"Points deducted: **{sum(answer.deductions.values())}**")
        if study.rules.show_implied:
            words.append(f"which implies a rating of {study.scheme.implied_rating(answer.deductions)}")
    saved_line(answer, st.session_state.get(_key(story, ":problem")), words)
