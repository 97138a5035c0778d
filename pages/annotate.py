"""Annotate: one prompt, its stories in blind order, a form beside each. Every change is saved at once."""

from dataclasses import replace

import streamlit as st

from core.annotation.studies import StudyState
from core.people import Person, Role
from pages.ui.annotating.desk import AnnotatorsDesk
from pages.ui.annotating.screens import show
from pages.ui.shared.study_choice import choose
from pages.ui.shared.viewer import require


def as_annotator(person: Person) -> Person:
    """A researcher may rate in any open study, to try it as an annotator would."""
    if not person.may(Role.RESEARCHER):
        return person
    study = choose().study
    if study.state is not StudyState.OPEN:
        st.title("Annotate")
        st.info("This study is not open for annotation. Open it, or see what annotators will see in the preview.")
        with st.container(horizontal=True):
            st.page_link("overview.py", label="Open the study", icon=":material/lock_open:")
            st.page_link("preview.py", label="Preview", icon=":material/visibility:")
        st.stop()
    return replace(person, study_id=study.id)


viewer = require(Role.ANNOTATOR)
annotator = as_annotator(viewer)
if viewer.may(Role.RESEARCHER):
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("This is the real thing: a panel that you begin takes a place, and one that you hand in counts.")
        st.page_link("preview.py", label="Preview instead", icon=":material/visibility:")
show(AnnotatorsDesk(annotator))
