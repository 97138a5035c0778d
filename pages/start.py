"""The first page: what Fabula holds, and what to do next."""

import streamlit as st

from core.errors import FabulaError
from core.people import Role
from db.transfer.demonstration import load_demonstration
from pages.ui.shared.study_choice import demonstration_banner, my_studies, remember
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)

st.title("Fabula")
st.markdown("People rate stories, metrics rate the same stories, and Fabula says **which metric deserves trust**.")

summaries = my_studies()
if st.session_state.pop("demonstration_loaded", False):
    st.success("The demonstration study is open. Rate a panel, run a metric, read its correlation.")

if not any(summary.study.demonstration for summary in summaries):
    with st.container(border=True):
        st.header("Try it within a minute")
        st.markdown(
            "The demonstration study has 14 openings, five generators' continuations of each, one written by a "
            "person, and made-up ratings that are marked as such wherever they appear."
        )
        if st.button("Load the demonstration study", type="primary", icon=":material/play_arrow:"):
            try:
                remember(load_demonstration(viewer).id)
            except FabulaError as error:
                problem(str(error))
            else:
                st.session_state["demonstration_loaded"] = True
                st.rerun()

for summary in summaries:
    study = summary.study
    with st.container(border=True):
        st.text(study.name)
        demonstration_banner(study)
        with st.container(horizontal=True):
            st.metric("Stories", f"{summary.stories:,}", width=120)
            st.metric("Ratings", f"{summary.ratings:,}", width=120)
            st.metric("Metrics", f"{summary.metrics:,}", width=120)
            st.metric("State", study.state.capitalize(), width=120)
        with st.container(horizontal=True):
            query = {"study": str(study.id)}
            if study.state == "open":
                st.page_link("annotate.py", label="Annotate", icon=":material/rate_review:", query_params=query)
            st.page_link("score.py", label="Score", icon=":material/speed:", query_params=query)
            st.page_link("correlation.py", label="Correlation", icon=":material/scatter_plot:", query_params=query)
            st.page_link("studies.py", label="Manage", icon=":material/folder_open:", query_params=query)

with st.container(border=True):
    st.header("Your own data" if summaries else "Or bring your own")
    st.markdown(
        "Import stories from a table, MANS, or UNION's annotation folder. Then invite annotators, run metrics and "
        "compare both."
    )
    with st.container(horizontal=True):
        st.page_link("import_data.py", label="Import", icon=":material/upload:")
        st.page_link("studies.py", label="Make an empty study", icon=":material/add:")
