"""Deleting a metric's scores from a study, where its scores are listed."""

import streamlit as st

from core.errors import FabulaError
from core.metrics.naming import unique_names
from core.people import Person
from db.scores import deletion
from pages.ui.shared.certain_deletion import certain_deletion
from pages.ui.shared.text import problem

FAILED = "scores-delete-failed"
"""The part of the session's state with why scores could not be deleted."""


def delete_scores(viewer: Person, study_id: int) -> None:
    """Which metric's, whether that is certain, and the button."""
    if said := st.session_state.pop(FAILED, ""):
        problem(said)
    with st.popover("Delete scores", icon=":material/delete:", key="scores-delete"):
        stored = deletion.stored(viewer, study_id)
        names = dict(zip((text for _, text in stored), unique_names(stored), strict=True))
        st.text("A metric's scores leave this study for good; other studies keep theirs.")
        chosen = st.selectbox(
            "Scores of", list(names), format_func=names.__getitem__, key=f"scores-delete-which-{study_id}"
        )
        st.text(chosen)
        sure = f"scores-delete-sure-{study_id}-{chosen}"
        certain_deletion("Delete these scores", "scores-delete-yes", sure, _deleted, viewer, study_id, chosen)


def _deleted(viewer: Person, study_id: int, text: str) -> None:
    try:
        deletion.remove(viewer, study_id, text)
    except FabulaError as error:
        st.session_state[FAILED] = str(error)
