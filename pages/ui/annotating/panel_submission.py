"""The end of a panel: hand it in, after one question where ratings and deductions are far apart."""

from collections.abc import Sequence

import streamlit as st

from core.annotation.panel import Doubt, Panel
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.annotation.submission import missing
from core.annotation.unit import Unit
from core.errors import FabulaError
from pages.ui.annotating.desk import BETWEEN, WANTS_PANEL, Desk
from pages.ui.annotating.pair_form import of_both
from pages.ui.annotating.story_answer import key_of, present
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.annotators_words import explained, named, say
from pages.ui.shared.text import problem

PROBLEM, DOUBTS, PRESSES = "submit_problem", "submit_doubts", "submit_presses"
SEEKS, SOUGHT = "first_left_presses", "first_left_sought"
LEFT = "submit_left"
"""Of the session's state: the panel whose end says that answers are missing."""


def settled(scheme: Scheme, panel: Panel) -> None:
    """After an answer: where the end of the panel still says what was missing, and nothing is any more, draw it anew.
    An answer draws its own story alone.
    """
    if st.session_state.get(LEFT) == panel.token and not _left(scheme, panel):
        st.session_state.pop(LEFT)
        st.session_state.pop(PROBLEM, None)
        st.rerun()


def hand_in_button(desk: Desk, study: Study, panel: Panel, *, last: bool) -> None:
    """The button, what is missing, and the question; `last`: there is no other panel after this one."""
    unit = study.scheme.unit
    with st.container(key="handing-in"):
        about, message = st.session_state.get(PROBLEM, ("", ""))
        if about == panel.token:
            problem(message)
            _scroll_to_end()
            if _left(study.scheme, panel):
                st.session_state[LEFT] = panel.token
            _to_first_left(study.scheme, panel)
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


def _to_first_left(scheme: Scheme, panel: Panel) -> None:
    """A button that brings the first question without an answer into sight; of pairs, one is shown at a time anyhow."""
    if scheme.unit.of_pairs or not _first_left(scheme, panel):
        return
    st.button(
        say("handing_in.first_left"),
        icon=":material/arrow_upward:",
        key="first-left",
        on_click=_seek,
        args=(scheme, panel),
    )
    if SOUGHT in st.session_state:
        mark, question = st.session_state[SOUGHT]
        scrolled(mark, to=question)


def _first_left(scheme: Scheme, panel: Panel) -> str:
    """The key of that question's control as answers are stored now; "" where none is left."""
    stories = {story.letter: story for story in panel.stories}
    return next((key_of(stories[letter], names[0]) for letter, names in _left(scheme, panel).items()), "")


def _left(scheme: Scheme, panel: Panel) -> dict[str, list[str]]:
    """What has no answer as answers are stored now, by the letter of its story, or the number of its pair."""
    stories = {story.letter: story for story in panel.stories}
    if scheme.unit.of_pairs:
        stories = {str(number): of_both(pair) for number, pair in enumerate(panel.pairs, 1)}
    return missing(scheme, {name: present(story) for name, story in stories.items()})


def _seek(scheme: Scheme, panel: Panel) -> None:
    st.session_state[SEEKS] = st.session_state.get(SEEKS, 0) + 1
    st.session_state[SOUGHT] = (str(st.session_state[SEEKS]), _first_left(scheme, panel))


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
    st.session_state.pop(SOUGHT, None)
    st.session_state.pop(LEFT, None)
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
