"""The end of a panel: hand it in, after one question where ratings and deductions are far apart."""

from collections.abc import Sequence

import streamlit as st

from core.annotation.panel import Doubt, Panel
from core.annotation.studies import Study
from core.errors import FabulaError
from pages.ui.annotating.desk import BETWEEN, WANTS_PANEL, Desk
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.text import problem

PROBLEM, DOUBTS, PRESSES = "submit_problem", "submit_doubts", "submit_presses"


def hand_in_button(desk: Desk, study: Study, panel: Panel, *, last: bool) -> None:
    """The button, what is missing, and the question; `last`: there is no other panel after this one."""
    unit = study.scheme.unit.wording.noun
    with st.container(key="handing-in"):
        about, message = st.session_state.get(PROBLEM, ("", ""))
        if about == panel.token:
            problem(message)
            _scroll_to_end()
        about, doubts = st.session_state.get(DOUBTS, ("", ()))
        if about == panel.token:
            _question(doubts)
            _scroll_to_end()
        st.button(
            "Hand in this panel"
            if study.scheme.unit.several
            else "Hand in and finish"
            if last
            else f"Hand in and go to the next {unit}",
            type="primary",
            icon=":material/check:",
            key=f"submit-{panel.token}",
            on_click=_hand_in,
            args=(desk, study, panel.token),
        )
        unsigned = study.recruitment.platform and not study.recruitment.signed
        first = ", and for two minutes until your first one" if unsigned else ""
        st.caption(
            "Every answer is saved as you give it. You can close this page and come back with the same link; your "
            f"place is kept for {study.rules.lease_minutes} minutes after your last answer{first}."
        )


def _scroll_to_end() -> None:
    """Bring the message into sight, whatever key or button it answers; once for each press."""
    scrolled(str(st.session_state.get(PRESSES, 0)), to="handing-in")


def _question(doubts: Sequence[Doubt]) -> None:
    """Asked once, and either answer is fine: nobody has to make the two agree."""
    lines = [
        f"- Story {doubt.letter}: rated **{doubt.overall}**, "
        + (f"with **{doubt.points}** points deducted" if doubt.points else "with nothing deducted")
        for doubt in doubts
    ]
    st.info(
        "Is this what you mean?\n\n"
        + "\n".join(lines)
        + "\n\nIt may well be: the rating is your own, whatever the points add "
        "up to. Change what you like, or hand in as it is.",
        icon=":material/help:",
    )


def _hand_in(desk: Desk, study: Study, panel_token: str) -> None:
    """Submit. After a panel comes a short page, so that the next begins at its top; single stories follow at once."""
    st.session_state[PRESSES] = st.session_state.get(PRESSES, 0) + 1
    st.session_state.pop(DOUBTS, None)
    st.session_state.pop(PROBLEM, None)
    try:
        if doubts := desk.doubts(panel_token):
            st.session_state[DOUBTS] = (panel_token, doubts)
            return
        desk.submit(panel_token)
    except FabulaError as error:
        st.session_state[PROBLEM] = (panel_token, str(error))
    else:
        several = study.scheme.unit.several
        st.session_state[desk.key(BETWEEN if several else WANTS_PANEL)] = True
