"""Annotate: one prompt, its stories in blind order, a form beside each. Every change is saved at once."""

from dataclasses import replace

import streamlit as st

from core.annotation.studies import StudyState
from core.people import Person, Role
from db.studies import studies
from pages.ui.annotating.desk import AnnotatorsDesk
from pages.ui.annotating.own_panel import OwnDesk, own_panel
from pages.ui.annotating.screens import show
from pages.ui.shared.study_choice import choose
from pages.ui.shared.viewer import require


def rater_of(person: Person) -> Person:
    """Who runs studies, as a rater of the chosen one, which has to be open."""
    study = choose().study
    if study.state is not StudyState.OPEN:
        st.title("Annotate")
        st.info("This study is not open for annotation. Open it, or see what annotators will see in the preview.")
        with st.container(horizontal=True):
            st.page_link("overview.py", label="Open the study", icon=":material/lock_open:")
            st.page_link("preview.py", label="Preview", icon=":material/visibility:")
        st.stop()
    return replace(person, study_id=study.id)


def rate_oneself(viewer: Person) -> None:
    """The form for who runs studies, with what their own ratings count for, which annotators never read."""
    rater = rater_of(viewer)
    study = studies.get(rater.study_id or 0)
    unit = study.scheme.unit.wording.noun
    unless = ", unless its control stories reject it" if study.scheme.controls else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"No trial: a {unit} that you begin takes a place, and one that you hand in counts like any annotator's"
            f"{unless}. In the preview nothing counts."
        )
        st.page_link("preview.py", label="Preview instead", icon=":material/visibility:")
    became = st.empty()
    desk = OwnDesk(rater)
    show(desk)
    with became.container():
        own_panel(desk, viewer, study)


viewer = require(Role.ANNOTATOR)
if viewer.may(Role.RESEARCHER):
    rate_oneself(viewer)
else:
    show(AnnotatorsDesk(viewer))
