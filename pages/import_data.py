"""Import: tables of stories, MANS, UNION's folder, ratings and exports, metric scores. A preview first; all of a file
or nothing.
"""

import streamlit as st

from core.errors import FabulaError
from core.people import Role
from db.studies import studies
from pages.ui.import_data.parts import KIND, offer
from pages.ui.import_data.ratings import import_ratings
from pages.ui.import_data.scores import import_scores
from pages.ui.import_data.stories import import_stories
from pages.ui.shared.study_choice import addressed, chosen_study, into_address
from pages.ui.shared.text import escaped, notice, problem
from pages.ui.shared.uploads import read_once, uploaded_mans, uploaded_union
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)

st.title("Import")
addressed({one.study.id for one in studies.summaries()})
if present := chosen_study():
    into_address(present.study.id)
if done := st.session_state.pop("imported", None):
    st.success(escaped(done[0]))
    for message in done[1]:
        notice(message)
    with st.container(horizontal=True):
        st.page_link("score.py", label="Run metrics", icon=":material/speed:")
        st.page_link("correlation.py", label="See the correlation", icon=":material/scatter_plot:")
        st.page_link("studies.py", label="Open the study and invite", icon=":material/folder_open:")

KINDS = {
    "stories": "Stories from a table",
    "mans": "MANS (OpenMEVA)",
    "union": "UNION's annotation folder",
    "fabula": "Ratings, or an export",
    "scores": "Metric scores",
}
st.session_state.setdefault(KIND, "stories")
kind = st.segmented_control("What do you have?", list(KINDS), format_func=KINDS.__getitem__, required=True, key=KIND)


try:
    if kind == "mans":
        file = st.file_uploader("The MANS file, or the zip of its export", ["json", "zip"])
        if file is not None:
            offer(viewer, read_once(uploaded_mans, [file]), file.name.rsplit(".", 1)[0], file.file_id)
    elif kind == "union":
        files = st.file_uploader(
            "The folder with ant_data.txt, reference_ipt.txt, reference_opt.txt and metric_output",
            accept_multiple_files="directory",
        )
        if files:
            offer(viewer, read_once(uploaded_union, files), "union", files[0].file_id)
        else:
            st.caption("Fabula exports this folder as a zip: unzip it first.")
    elif kind == "fabula":
        import_ratings(viewer)
    elif kind == "scores":
        import_scores(viewer)
    else:
        import_stories(viewer)
except FabulaError as error:
    problem(str(error))
