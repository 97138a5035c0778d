"""Annotate: one prompt, its stories in blind order, a form beside each. Every change is saved at once."""

from dataclasses import replace

import streamlit as st

from core.annotation.panel import Panel, Turn
from core.annotation.scheme import Unit
from core.errors import FabulaError
from core.people import Person, Role
from core.studies import State, Study
from db import assignments, studies
from pages.ui.ends import between, consent_screen, end_screen
from pages.ui.handing_in import hand_in_button
from pages.ui.instructions import UNITS
from pages.ui.pair_form import pair_form
from pages.ui.panel_bar import panel_bar
from pages.ui.story_form import story_form
from pages.ui.study import choose
from pages.ui.text import escaped, problem, story_text
from pages.ui.training import training_screen
from pages.ui.viewer import require


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


def show(viewer: Person) -> None:
    """The screen whose turn it is.

    It returns and never stops the script: only after a script that has come to its end does Streamlit forget the forms
    of the screen before. It would draw one again, over this screen, for a click that came late.
    """
    annotator = as_annotator(viewer)
    if viewer.may(Role.RESEARCHER):
        st.caption("This is the real thing: a panel that you begin takes a place, and one that you hand in counts.")
    try:
        turn = assignments.turn(annotator, claim=bool(st.session_state.pop("wants_panel", False)))
        study = studies.get(annotator.study_id or 0)
    except FabulaError as error:
        problem(str(error))
        return
    if training_screen(annotator, study, turn):
        return
    if turn.end is not None:
        end_screen(annotator, turn, turn.end)
    elif turn.consent:
        consent_screen(annotator, turn)
    elif turn.panel is None or st.session_state.get("between_panels"):
        between(annotator, study, turn)
    else:
        panel_screen(annotator, study, turn, turn.panel)


def panel_screen(annotator: Person, study: Study, turn: Turn, panel: Panel) -> None:
    """The panel: its bar, its prompt, its stories' forms, and the button that hands it in."""
    scheme = study.scheme
    # Another panel begins at its top, wherever the last one was left. Only then: the same markup is not run again.
    st.html(
        f"<script>/*{panel.token}*/document.querySelector('[data-testid=stMain]').scrollTo(0,0)</script>",
        unsafe_allow_javascript=True,
    )
    unit = UNITS[scheme.unit].capitalize()
    st.subheader(f"{unit} {turn.finished + 1} of {max(turn.most, turn.finished + 1)}")
    panel_bar(scheme, panel)
    if scheme.shows_prompt:
        st.caption("The story begins like this:" if scheme.unit is Unit.STORY else "The stories begin like this:")
        with st.container(border=True, key="prompt"):
            story_text(panel.prompt)
    if scheme.unit is Unit.PANEL:
        st.markdown(f"**{escaped(scheme.question)}** Rate every story.")
    if scheme.unit is Unit.PAIR:
        pair_form(annotator, study, panel)
    else:
        for story in panel.stories:
            story_form(annotator, study, story, alone=scheme.unit is Unit.STORY)
    hand_in_button(annotator, study, panel, last=turn.finished + 1 >= turn.most)


show(require(Role.ANNOTATOR))
