"""The end of a panel: hand it in, after one question where ratings and deductions are far apart."""

from collections.abc import Sequence

import streamlit as st

from core.annotation.panel import Doubt, Panel
from core.annotation.studies import Study
from core.annotation.unit import Unit
from core.errors import FabulaError
from pages.ui.annotating.desk import BETWEEN, WANTS_PANEL, Desk
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.annotators_words import explained, named, say
from pages.ui.shared.text import problem

PROBLEM, DOUBTS, PRESSES = "submit_problem", "submit_doubts", "submit_presses"


def hand_in_button(desk: Desk, study: Study, panel: Panel, *, last: bool) -> None:
    """The button, what is missing, and the question; `last`: there is no other panel after this one."""
    unit = study.scheme.unit
    with st.container(key="handing-in"):
        about, message = st.session_state.get(PROBLEM, ("", ""))
        if about == panel.token:
            problem(message)
            _scroll_to_end()
        about, doubts = st.session_state.get(DOUBTS, ("", ()))
        asked = about == panel.token
        if asked:
            _question(doubts)
            _scroll_to_end()
        st.button(
            _label(unit, asked=asked, last=last),
            type="primary",
            icon=":material/check:",
            key=f"submit-{panel.token}",
            on_click=_hand_in,
            args=(desk, study, panel.token),
        )
        if desk.stores:
            unsigned = study.recruitment.platform and not study.recruitment.signed
            kept = "handing_in.kept_unsigned" if unsigned else "handing_in.kept"
            st.caption(say(kept, minutes=study.rules.lease_minutes))


def _label(unit: Unit, *, asked: bool, last: bool) -> str:
    """What the button says; after the question, that it is the answer to it."""
    if asked:
        return say("handing_in.as_it_is")
    if unit.several:
        return say("handing_in.panel")
    return say("handing_in.finish") if last else say("handing_in.next", unit=named(unit.wording.noun))


def _scroll_to_end() -> None:
    """Bring the message into sight, whatever key or button it answers; once for each press."""
    scrolled(str(st.session_state.get(PRESSES, 0)), to="handing-in")


def _question(doubts: Sequence[Doubt]) -> None:
    """Asked once, and either answer is fine: nobody has to make the two agree."""
    lines = [
        say("handing_in.doubt_points", letter=doubt.letter, rating=doubt.overall, points=doubt.points)
        if doubt.points
        else say("handing_in.doubt_nothing", letter=doubt.letter, rating=doubt.overall)
        for doubt in doubts
    ]
    listed = "\n".join(f"- {line}" for line in lines)
    st.info(f"{say('handing_in.doubt')}\n\n{listed}\n\n{say('handing_in.doubt_fine')}", icon=":material/help:")


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
        st.session_state[PROBLEM] = (panel_token, explained(error))
    else:
        several = study.scheme.unit.several
        st.session_state[desk.key(BETWEEN if several else WANTS_PANEL)] = True
