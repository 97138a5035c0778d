"""All studies: make one, go to one, rename, copy, archive, delete."""

import streamlit as st

from core.annotation.builtin import SCHEMES, offered
from core.annotation.studies import StudyState, StudySummary
from core.errors import FabulaError
from core.people import Role
from core.wording import so_many
from db.studies import studies
from pages.ui.overview.first_steps import demonstration
from pages.ui.shared.page_head import head
from pages.ui.shared.study_choice import choose, my_studies, remember
from pages.ui.shared.text import escaped, problem
from pages.ui.shared.viewer import require
from pages.ui.studies import archive, lifecycle, moved

viewer = require(Role.RESEARCHER)
moved.lead_on()


STATES = {
    StudyState.DRAFT: "not opened for annotators",
    StudyState.OPEN: "open for annotators",
    StudyState.CLOSED: "closed",
}


def listed(summaries: list[StudySummary]) -> None:
    """A line a study, with the way to it."""
    for summary in summaries:
        study = summary.study
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(study.name, width="stretch")
            counts = (
                so_many(summary.stories, "story", "stories"),
                so_many(summary.ratings, "judgment" if study.scheme.unit.of_pairs else "rating"),
                summary.scored_by,
            )
            st.text(", ".join((STATES[study.state], *counts)))
            st.page_link(
                "overview.py", label="Overview", icon=":material/arrow_forward:", query_params={"study": str(study.id)}
            )


head("All studies", "Which studies do I have, and how far is each?")
lifecycle.show_undo()
summaries = my_studies()
with st.expander("Make a new study", icon=":material/add:", expanded=not summaries), st.form("new_study", border=False):
    name = st.text_input("Name", max_chars=studies.LONGEST_NAME, placeholder="such as: roc-2026")
    scheme = st.selectbox(
        "Scheme",
        list(SCHEMES),
        format_func=offered,
        help="The criteria, their scales and the error types can be changed under Form and rules.",
    )
    if st.form_submit_button("Make the study", type="primary"):
        try:
            new = studies.create(viewer, name, scheme).id
        except FabulaError as error:
            problem(str(error))
        else:
            remember(new)
            st.switch_page("overview.py", query_params={"study": str(new)})  # which says what is next
archive.put_away(viewer)
listed(summaries)
if not any(summary.study.demonstration for summary in summaries):
    demonstration(viewer)
study = choose().study
# By name: it stands below another study's line, and means the one of the sidebar.
manage = f"Rename, copy, archive or delete “{escaped(study.name)}”"
with st.expander(manage, icon=":material/settings:", key="manage"):
    lifecycle.manage(viewer, study)
