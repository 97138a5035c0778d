"""The selections of a study, to look at and to delete."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person
from db.stories import selections
from pages.ui.shared.text import escaped, problem

FAULT = "selection-fault"


def selection_list(viewer: Person, study_id: int) -> None:
    """Behind a button, a line each; nothing where there are none."""
    known = selections.selections(viewer, study_id)
    if fault := st.session_state.pop(FAULT, None):
        problem(fault)
    if not known:
        return
    with st.popover(f"{len(known):,} selection{'' if len(known) == 1 else 's'}", icon=":material/bookmarks:"):
        for selection in known:
            with st.container(horizontal=True, vertical_alignment="center"):
                stories = f"{selection.stories:,} stor{'y' if selection.stories == 1 else 'ies'}"
                st.markdown(f"**{escaped(selection.name)}**, {stories}")
                st.button(
                    "Delete",
                    icon=":material/delete:",
                    type="tertiary",
                    key=f"selection-delete-{selection.id}",
                    on_click=_delete,
                    args=(viewer, study_id, selection.id),
                    help="The stories stay; only the selection goes.",
                )


def _delete(viewer: Person, study_id: int, selection_id: int) -> None:
    try:
        selections.remove(viewer, study_id, selection_id)
    except FabulaError as error:
        st.session_state[FAULT] = str(error)
