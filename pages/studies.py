"""Studies: make, open, close, invite, export, delete."""

import streamlit as st

from core.annotation.builtin import SCHEMES
from core.annotation.scheme import Rules
from core.errors import FabulaError
from core.people import Role
from core.studies import State
from db import studies
from pages.ui import study_panels
from pages.ui.study import choose, remember
from pages.ui.text import notice, problem
from pages.ui.viewer import require

viewer = require(Role.RESEARCHER)

st.title("Studies")
if deleted := st.session_state.pop("deleted_study", None):
    st.success("The study is deleted:")
    st.text(deleted)
summaries = studies.summaries()

with st.expander("Make a new study", icon=":material/add:", expanded=not summaries), st.form("new_study", border=False):
    name = st.text_input("Name", max_chars=studies.LONGEST_NAME, placeholder="roc-2026")
    scheme = st.selectbox(
        "Scheme",
        list(SCHEMES),
        format_func=lambda key: f"{SCHEMES[key].title}: {SCHEMES[key].question}",
        help="MANS panels are rated here; UNION votes are imported.",
    )
    if st.form_submit_button("Make the study", type="primary"):
        try:
            remember(studies.create(viewer, name, scheme).id)
        except FabulaError as error:
            problem(str(error))
        else:
            st.rerun()

summary = choose(summaries)
study = summary.study

with st.container(horizontal=True):
    st.metric("Prompts", f"{summary.prompts:,}", width=130)
    st.metric("Stories", f"{summary.stories:,}", width=130, help="Of systems; human stories are references.")
    st.metric("Valid ratings", f"{summary.ratings:,}", width=130)
    st.metric("State", study.state.capitalize(), width=130)
for message in st.session_state.pop("study_notices", []):
    notice(message)

with st.container(horizontal=True):
    if study.state is not State.OPEN and st.button(
        "Open for annotation",
        type="primary",
        icon=":material/lock_open:",
    ):
        try:
            st.session_state["study_notices"] = studies.open_study(viewer, study.id)
        except FabulaError as error:
            problem(str(error))
        else:
            st.rerun()
    if study.state is State.OPEN and st.button("Close", icon=":material/lock:"):
        studies.close_study(viewer, study.id)
        st.rerun()
    st.page_link("import_data.py", label="Import stories or scores", icon=":material/upload:")

rules_tab, invite_tab, panels_tab, export_tab, delete_tab = st.tabs(
    ["Quality rules", "Invite", "Panels", "Export", "Delete"]
)
with rules_tab, st.form(f"rules-{study.id}", border=False):
    st.caption("A panel is rejected, and its slot offered again, when its control stories are rated outside these.")
    wanted = st.number_input(
        "Valid ratings wanted a story", 1, 100, study.rules.ratings_wanted, key=f"wanted-{study.id}"
    )
    human = st.slider("The human story is rated at least", 1, 5, study.rules.human_least, key=f"human-{study.id}")
    negative = st.slider(
        "The negative story is rated at most", 1, 5, study.rules.negative_most, key=f"negative-{study.id}"
    )
    implied = st.toggle(
        "Show annotators the rating that their deductions imply",
        study.rules.show_implied,
        key=f"implied-{study.id}",
        help="Off by default: it may bias the overall rating.",
    )
    if st.form_submit_button("Save the rules"):
        try:
            studies.set_rules(viewer, study.id, Rules(int(wanted), human, negative, implied))
        except FabulaError as error:
            problem(str(error))
        else:
            st.success("Saved. The rules judge the panels handed in from now on.")
with invite_tab:
    study_panels.invite(viewer, study)
with panels_tab:
    study_panels.panels(summary)
with export_tab:
    study_panels.export(viewer, study)
with delete_tab:
    study_panels.delete(viewer, study)
