"""Annotate: one prompt, its stories in blind order, a form beside each. Every change is saved at once."""

from dataclasses import replace

import streamlit as st

from core.annotation.studies import StudyState
from core.people import Person, Role
from pages.ui.annotating.desk import AnnotatorsDesk
from pages.ui.annotating.screens import show
from pages.ui.shared.study_choice import choose, my_studies
from pages.ui.shared.viewer import require


def as_annotator(person: Person) -> Person:
    """A researcher may rate in any open study, to try it as an annotator would."""
    if not person.may(Role.RESEARCHER):
        return person
    opened = [summary for summary in my_studies() if summary.study.state is StudyState.OPEN]
    if not opened:
        st.title("Annotate")
        st.info("No study is open. Open one on the Studies page, or load the demonstration on the start page.")
        st.page_link("studies.py", label="Go to the studies", icon=":material/folder_open:")
        st.stop()
    return replace(person, study_id=choose(opened).study.id)


viewer = require(Role.ANNOTATOR)
annotator = as_annotator(viewer)
if viewer.may(Role.RESEARCHER):
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("This is the real thing: a panel that you begin takes a place, and one that you hand in counts.")
        st.page_link("preview.py", label="Preview instead", icon=":material/visibility:")
show(AnnotatorsDesk(annotator))
