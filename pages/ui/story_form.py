"""A story beside its form, a fragment of its own: a change reruns and saves this story alone."""

from datetime import datetime
from zoneinfo import ZoneInfo, available_timezones

import streamlit as st

from core.annotation.panel import Answer, PanelStory
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


def _present(story: PanelStory) -> Answer:
    """The answer as the database last returned it."""
    saved: Answer = st.session_state.get(_key(story, "saved"), story.answer)
    return saved


def _fill(story: PanelStory, scheme: Scheme) -> None:
    """Make the widgets show what is stored, and nothing else."""
    answer = _present(story)
    st.session_state[_key(story, "overall")] = answer.overall
    for error_type in scheme.error_types:
        st.session_state[_key(story, error_type.name)] = answer.deductions.get(error_type.name)


def _save(annotator: Person, scheme: Scheme, story: PanelStory, part: str) -> None:
    """Store the one field that changed. If that fails the form goes back to what is stored, and says so."""
    value = st.session_state.get(_key(story, part))
    try:
        if part == "overall":
            answer = ratings.save_overall(annotator, story.token, value)
        else:
            answer = ratings.save_deduction(annotator, story.token, part, value)
    except FabulaError as error:
        st.session_state[_key(story, "problem")] = str(error)
    else:
        st.session_state[_key(story, "saved")] = answer
        st.session_state.pop(_key(story, "problem"), None)
    _fill(story, scheme)


@st.fragment
def story_form(annotator: Person, study: Study, story: PanelStory) -> None:
    """One story, its overall rating and its deductions."""
    scheme = study.scheme
    if _key(story, "overall") not in st.session_state:
        _fill(story, scheme)
    with st.container(border=True, key=_key(story, "story")):
        text, form = st.columns([3, 2], gap="medium")
        with text:
            st.markdown(f"**Story {story.letter}**")
            story_text(story.text)
        with form:
            lowest, highest = scheme.scale[0], scheme.scale[-1]
            st.segmented_control(
                f"Story {story.letter} overall: {lowest[0]} {lowest[1].lower()} to {highest[0]} {highest[1].lower()}",
                [value for value, _ in scheme.scale],
                format_func=str,
                key=_key(story, "overall"),
                help=", ".join(f"{value} {label.lower()}" for value, label in scheme.scale),
                width="stretch",
                on_change=_save,
                args=(annotator, scheme, story, "overall"),
            )
            # A row that wraps, not columns: on a phone two types still fit side by side.
            with st.container(horizontal=True, gap="small"):
                for error_type in scheme.error_types:
                    st.segmented_control(
                        error_type.name.capitalize(),
                        error_type.points,
                        format_func=lambda points: f"−{points}",
                        key=_key(story, error_type.name),
                        help=error_type.description,
                        width=145,
                        on_change=_save,
                        args=(annotator, scheme, story, error_type.name),
                    )
            _status(study, story)


def _status(study: Study, story: PanelStory) -> None:
    """Points deducted, and whether the answer is in the database."""
    answer = _present(story)
    failure = st.session_state.get(_key(story, "problem"))
    words = [f"Points deducted: **{sum(answer.deductions.values())}**"]
    if study.rules.show_implied:
        words.append(f"which implies a rating of {study.scheme.implied_rating(dict(answer.deductions))}")
    if failure is not None:
        words.append(":red[your last change was **not** saved]")
    elif answer.saved_at is not None:
        words.append(f":green[:material/cloud_done: Saved] at {_local(answer.saved_at):%H:%M:%S}")
    if answer.overall is None:
        words.append("not rated yet")
    st.markdown(" · ".join(words))
    if failure is not None:
        problem(failure)


def _local(time: datetime) -> datetime:
    """A time in the zone of the viewer's browser, where it says which."""
    zone = st.context.timezone
    return time.astimezone(ZoneInfo(zone)) if isinstance(zone, str) and zone in available_timezones() else time
