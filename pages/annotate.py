"""Annotate: one prompt, its stories in blind order, a form beside each. Every change is saved at once."""

from dataclasses import replace

import streamlit as st

from core.annotation.panel import Panel, Waiting
from core.errors import FabulaError
from core.people import Person, Role
from core.studies import State
from db import assignments, studies
from pages.ui.story_form import instructions, story_form
from pages.ui.study import choose
from pages.ui.text import problem, story_text
from pages.ui.viewer import require

ENDS = {
    Waiting.COMPLETE: ("You have rated every panel", "There is nothing left for you here. Thank you for your care."),
    Waiting.FULL: ("No panel is free right now", "All of them are rated or in somebody's hands. Come back in an hour."),
    Waiting.CLOSED: ("This study is not open", "Its owner has not opened it, or has closed it. Your answers are kept."),
}


def as_annotator(person: Person) -> Person:
    """A researcher may rate in any open study, to try it as an annotator would."""
    if not person.may(Role.RESEARCHER):
        return person
    opened = [summary for summary in studies.summaries() if summary.study.state is State.OPEN]
    if not opened:
        st.title("Annotate")
        st.info("No study is open. Open one on the Studies page, or load the demonstration on the start page.")
        st.page_link("studies.py", label="Go to the studies", icon=":material/folder_open:")
        st.stop()
    return replace(person, study_id=choose(opened).study.id)


def hand_in(annotator: Person, panel: Panel) -> None:
    """Submit, then leave the panel for a short page: the next panel begins at its top."""
    try:
        assignments.submit(annotator, panel.token)
    except FabulaError as error:
        st.session_state["submit_problem"] = str(error)
    else:
        st.session_state["between_panels"] = True


def between(finished: int, rejected: bool) -> None:
    """After a panel: what became of it."""
    st.title(f"Panel {finished} is handed in" if finished else "Rate stories")
    if rejected:
        st.warning(
            "This panel could not be accepted: some of its ratings do not fit how good the stories are. "
            "Please read every story to its end before you rate it."
        )
    elif finished:
        st.success("Thank you. Your ratings are saved.")


def begin() -> None:
    """The viewer wants a panel."""
    st.session_state["between_panels"] = False
    st.session_state["wants_panel"] = True


annotator = as_annotator(require(Role.ANNOTATOR))
try:
    wants = bool(st.session_state.pop("wants_panel", False))
    turn = assignments.turn(annotator, claim=wants)
    study = studies.get(annotator.study_id or 0)
except FabulaError as error:
    problem(str(error))
    st.stop()

if turn.panel is None or st.session_state.get("between_panels"):
    between(turn.finished, turn.last_rejected)
    if turn.waiting is None:
        # The button comes first: pressed at the top of the page, it leaves the panel at its top too.
        if not turn.finished:
            st.markdown("You will read the opening of a story and several ways it goes on, and say how good each is.")
        st.button("Begin the next panel" if turn.finished else "Begin", type="primary", on_click=begin)
        if not turn.finished:
            instructions(study.scheme)
    else:
        heading, explanation = ENDS[turn.waiting]
        st.subheader(heading)
        st.write(explanation)
    st.stop()

panel = turn.panel
with st.container(horizontal=True, vertical_alignment="center"):
    st.subheader(f"Panel {turn.finished + 1}")
    with st.popover("Instructions", icon=":material/help:"):
        instructions(study.scheme)
st.caption("The stories begin like this:")
with st.container(border=True, key="prompt"):
    story_text(panel.prompt)
for story in panel.stories:
    story_form(annotator, study, story)
if message := st.session_state.pop("submit_problem", None):
    problem(message)
st.button(
    "Hand in this panel",
    type="primary",
    icon=":material/check:",
    key=f"submit-{panel.token}",
    on_click=hand_in,
    args=(annotator, panel),
)
st.caption("Every answer is saved as you give it. You can close this page and come back with the same link.")
