"""A story beside its form, a fragment of its own: a change reruns and saves this story alone."""

from functools import partial

import streamlit as st

from core.annotation.panel import PanelStory
from core.annotation.scheme import Scheme
from core.errors import FabulaError
from core.people import Person
from core.studies import Study
from db import ratings
from pages.ui.text import problem, story_text


def instructions(scheme: Scheme) -> None:
    """The scale, and every error type with an example of our own."""
    st.markdown(f"**{scheme.question}** Read the opening and the whole story first, then rate:")
    st.markdown("\n".join(f"- **{value}** {label}" for value, label in scheme.scale))
    st.markdown("Then say what you deducted points for, if anything:")
    for error_type in scheme.error_types:
        points = " or ".join(f"−{p}" for p in error_type.points)
        st.markdown(
            f"- **{error_type.name.capitalize()}** ({points}): {error_type.description}  \n  *{error_type.example}*"
        )
    st.markdown(
        "The overall rating is your own judgment: it need not be 5 minus the points. Stories are shown in lower case "
        "or with names in brackets in some studies; please do not count that against them."
    )


def _key(story: PanelStory, part: str) -> str:
    """Widgets are known by the story's token, so that one story's answers can never show under another."""
    return f"{part}-{story.token}"


def _given(story: PanelStory, scheme: Scheme) -> tuple[int | None, dict[str, int]]:
    """What the form's widgets hold."""
    deductions = {}
    for error_type in scheme.error_types:
        points = st.session_state.get(_key(story, error_type.name))
        if points:
            deductions[error_type.name] = points
    return st.session_state.get(_key(story, "overall")), deductions


def _save(annotator: Person, scheme: Scheme, story: PanelStory) -> None:
    """Store the answer; only what the database has committed is called saved."""
    overall, deductions = _given(story, scheme)
    try:
        st.session_state[_key(story, "saved")] = ratings.save(annotator, story.token, overall, deductions)
    except FabulaError as error:
        st.session_state[_key(story, "problem")] = str(error)


@st.fragment
def story_form(annotator: Person, study: Study, story: PanelStory) -> None:
    """One story, its overall rating and its deductions."""
    scheme = study.scheme
    answer = st.session_state.get(_key(story, "saved"), story.answer)
    with st.container(border=True, key=_key(story, "story")):
        text, form = st.columns([3, 2], gap="medium")
        with text:
            st.markdown(f"**Story {story.letter}**")
            story_text(story.text)
        with form:
            save = partial(_save, annotator, scheme, story)
            lowest, highest = scheme.scale[0], scheme.scale[-1]
            st.segmented_control(
                f"Story {story.letter} overall: {lowest[0]} {lowest[1].lower()} to {highest[0]} {highest[1].lower()}",
                [value for value, _ in scheme.scale],
                default=answer.overall,
                format_func=str,
                key=_key(story, "overall"),
                help=", ".join(f"{value} {label.lower()}" for value, label in scheme.scale),
                width="stretch",
                on_change=save,
            )
            # A row that wraps, not columns: on a phone two types still fit side by side.
            with st.container(horizontal=True, gap="small"):
                for error_type in scheme.error_types:
                    st.segmented_control(
                        error_type.name.capitalize(),
                        error_type.points,
                        default=answer.deductions.get(error_type.name),
                        format_func=lambda points: f"−{points}",
                        key=_key(story, error_type.name),
                        help=error_type.description,
                        width=145,
                        on_change=save,
                    )
            _status(study, story)


def _status(study: Study, story: PanelStory) -> None:
    """Points deducted, and whether the answer is in the database."""
    answer = st.session_state.get(_key(story, "saved"), story.answer)
    points = sum(answer.deductions.values())
    words = [f"Points deducted: **{points}**"]
    if study.rules.show_implied:
        words.append(f"which implies a rating of {study.scheme.implied_rating(dict(answer.deductions))}")
    failure = st.session_state.pop(_key(story, "problem"), None)
    if answer.saved_at is not None and failure is None:
        words.append(f":green[:material/cloud_done: Saved] at {answer.saved_at:%H:%M:%S} UTC")
    else:
        words.append("not rated yet" if answer.overall is None else "not saved")
    st.markdown(" · ".join(words))
    if failure is not None:
        problem(failure)
