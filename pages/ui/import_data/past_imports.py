"""The Import page's end: the last imports into the chosen study, each to be taken back."""

import streamlit as st

from core.annotation.past_imports import PastImport
from core.errors import FabulaError
from core.people import Person, Role
from db.studies import past_imports as stored_imports
from db.transfer import take_back
from pages.ui.import_data.running import begin_anew
from pages.ui.shared.certain_deletion import certain_deletion
from pages.ui.shared.study_choice import chosen_study
from pages.ui.shared.text import escaped, problem
from pages.ui.shared.viewer import require

SHOWN = 3
"""Imports that are listed at first."""
TAKEN, FAILED = "import-taken-back", "import-take-back-failed"
"""Of the session's state: what was taken back last, and why something could not be."""


def past_imports(viewer: Person) -> None:
    """The chosen study's imports, the newest first; nothing where it remembers none."""
    summary = chosen_study()
    if summary is None:
        return
    study = summary.study
    imports = stored_imports.listed(viewer, study.id)
    taken, failed = st.session_state.pop(TAKEN, ""), st.session_state.pop(FAILED, "")
    if taken:
        empty = "" if summary.prompts else " It is empty now: import another file into it, or delete it on All studies."
        st.success(escaped(taken + empty), icon=":material/check_circle:")
    if failed:
        problem(failed)
    if not imports:
        return
    st.subheader("Last imports")
    st.caption(f"Into the study **{escaped(study.name)}**. Taking one back removes what it brought, and nothing else.")
    everything = len(imports) <= SHOWN or st.session_state.get(f"all-imports-{study.id}", False)
    with st.container(key="past-imports", gap="small"):
        for past in imports if everything else imports[:SHOWN]:
            _line(viewer, study.id, past)
    if len(imports) > SHOWN:
        st.toggle(f"All {len(imports):,} imports", key=f"all-imports-{study.id}")


def _line(viewer: Person, study_id: int, past: PastImport) -> None:
    """An import, and the way to take it back, which is looked into once somebody asks."""
    by = f", by {past.who}" if past.who else ""
    kind = f"{past.origin.kind}, " if past.origin.files else ""
    with st.container(horizontal=True, vertical_alignment="center", border=True, key=f"past-import-{past.id}"):
        with st.container(gap=None):
            st.markdown(f"**{escaped(past.name)}**: {escaped(past.brought.words or 'nothing new')}")
            for left in past.left_out:
                st.markdown(escaped(left.sentence))
            st.caption(escaped(f"{kind}{past.at:%d %b %Y, %H:%M} UTC{by}"))
        asked = st.popover("Take back", icon=":material/undo:", key=f"take-back-{past.id}", on_change="rerun")
        if asked.open:
            with asked:
                _ask(viewer, study_id, past)


def _ask(viewer: Person, study_id: int, past: PastImport) -> None:
    try:
        goes = take_back.taking_back(viewer, study_id, past.id)
    except FabulaError as error:
        problem(str(error))
        return
    if goes.refusal:
        st.text(goes.refusal)
        return
    st.text(goes.sentence)
    certain_deletion("Take it back", f"take-back-yes-{past.id}", f"take-back-sure-{past.id}", _take, study_id, past.id)


def _take(study_id: int, number: int) -> None:
    viewer = require(Role.RESEARCHER)
    try:
        past = take_back.take_back(viewer, study_id, number)
    except FabulaError as error:
        st.session_state[FAILED] = str(error)
    else:
        begin_anew()  # what the page says of the import is no longer so
        st.session_state[TAKEN] = f"{past.name} is taken back: {past.brought.words or 'nothing'} left the study."
