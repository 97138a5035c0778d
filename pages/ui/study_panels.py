"""The tabs of the Studies page that act on one study."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person, Role
from core.studies import Study
from db import studies
from pages.ui.text import problem


def delete(viewer: Person, study: Study) -> None:
    """Delete the study after its name was typed."""
    if not viewer.may(Role.OWNER):
        st.info("Only an owner can delete a study.")
        return
    st.caption("Stories, ratings and imported scores go for good. Export first what you want to keep.")
    with st.form(f"delete-{study.id}", border=False):
        typed = st.text_input("Type the study's name to confirm")
        if st.form_submit_button("Delete this study", icon=":material/delete:"):
            try:
                studies.remove(viewer, study.id, typed)
                st.session_state["deleted_study"] = study.name
            except FabulaError as error:
                problem(str(error))
            else:
                st.rerun()
