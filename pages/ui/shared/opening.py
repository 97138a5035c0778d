"""The button that opens a study; without controls only after a confirmation."""

from typing import Literal

import streamlit as st

from core.annotation.studies import Study
from core.errors import FabulaError
from core.people import Person
from db.studies import studies
from pages.ui.shared.text import escaped, notice, problem

ASKED, SAID = "opening_asked", "study_notices"


def opening(viewer: Person, study: Study, kind: Literal["primary", "tertiary"] = "primary") -> None:
    """Open the study at a press, or ask first where its panels would lack a control. `kind`: of the button."""
    if st.button("Open for annotation", type=kind, icon=":material/lock_open:", key=f"open-{kind}"):
        if studies.without_references(study.id).sentence:
            st.session_state[ASKED] = study.id
        else:
            _open(viewer, study, confirmed=False)


def confirmation(viewer: Person, study: Study) -> None:
    """The question, once the button was pressed: what is missing, and what it means."""
    if st.session_state.get(ASKED) != study.id:
        return
    message = studies.without_references(study.id).sentence
    if not message:
        del st.session_state[ASKED]
        return
    with st.container(border=True, key="opening-asked"):
        st.warning(escaped(message), icon=":material/warning:")
        sure = st.checkbox("I want to collect ratings without these controls", key=f"opening-sure-{study.id}")
        with st.container(horizontal=True):
            if st.button("Open without them", icon=":material/lock_open:", disabled=not sure):
                _open(viewer, study, confirmed=True)
            if st.button("Not yet"):
                del st.session_state[ASKED]
                st.rerun()


def what_opening_said() -> None:
    """The notices of a study that has just been opened."""
    for message in st.session_state.pop(SAID, []):
        notice(message)


def _open(viewer: Person, study: Study, *, confirmed: bool) -> None:
    try:
        st.session_state[SAID] = studies.open_study(viewer, study.id, confirmed=confirmed)
    except FabulaError as error:
        problem(str(error))
    else:
        st.session_state.pop(ASKED, None)
        st.rerun()
