"""Studies: make, open, close, invite, export, copy, archive, delete."""

import streamlit as st

from core.annotation.builtin import SCHEMES
from core.annotation.studies import StudyState
from core.errors import FabulaError
from core.people import Role
from db.studies import studies
from pages.ui.shared.study_choice import choose, my_studies, remember
from pages.ui.shared.text import notice, problem
from pages.ui.shared.viewer import require
from pages.ui.studies import (
    archive,
    bundle,
    export,
    invitations,
    lifecycle,
    onboarding,
    opening,
    plan,
    recruitment,
    rules,
    scheme_form,
)

viewer = require(Role.RESEARCHER)

st.title("Studies")
lifecycle.show_undo()
summaries = my_studies()

with st.expander("Make a new study", icon=":material/add:", expanded=not summaries), st.form("new_study", border=False):
    name = st.text_input("Name", max_chars=studies.LONGEST_NAME, placeholder="roc-2026")
    scheme = st.selectbox(
        "Scheme",
        list(SCHEMES),
        format_func=lambda key: f"{SCHEMES[key].title}: {SCHEMES[key].summary}",
        help="The criteria, their scales and the error types can be changed on the study's Form tab.",
    )
    if st.form_submit_button("Make the study", type="primary"):
        try:
            remember(studies.create(viewer, name, scheme).id)
        except FabulaError as error:
            problem(str(error))
        else:
            st.rerun()

archive.put_away(viewer)
summary = choose(summaries)
study = summary.study

with st.container(horizontal=True):
    st.metric("Scheme", study.scheme.title, width=180)
    st.metric("Prompts", f"{summary.prompts:,}", width=130)
    st.metric("Stories", f"{summary.stories:,}", width=130, help="Of systems; human stories are references.")
    of_pairs = study.scheme.unit.of_pairs
    st.metric(
        "Valid judgments" if of_pairs else "Valid ratings",
        f"{summary.ratings:,}",
        width=130,
        help=f"Those of control {'pairs, and of pairs shown again,' if of_pairs else 'stories'} included.",
    )
    st.metric("State", study.state.capitalize(), width=130)
for message in st.session_state.pop("study_notices", []):
    notice(message)

with st.container(horizontal=True, vertical_alignment="center"):
    if study.state is not StudyState.OPEN:
        opening.opening(viewer, study)
    if study.state is StudyState.OPEN and st.button("Close", icon=":material/lock:"):
        try:
            studies.close_study(viewer, study.id)
        except FabulaError as error:
            problem(str(error))
        else:
            st.rerun()
    st.page_link("preview.py", label="Preview", icon=":material/visibility:", query_params={"study": str(study.id)})
    st.page_link("import_data.py", label="Import stories or scores", icon=":material/upload:")
    st.page_link("monitor.py", label="Watch the work", icon=":material/fact_check:")
if study.state is not StudyState.OPEN:
    opening.confirmation(viewer, study)

if st.query_params.get("studies-tab") == "Training":  # what addresses of before call it
    st.query_params["studies-tab"] = "Practice"
    st.rerun()
rules_tab, form_tab, plan_tab, practice_tab, invite_tab, recruit_tab, ends_tab, export_tab, manage_tab = st.tabs(
    ["Quality rules", "Form", "Plan", "Practice", "Invite", "Recruit", "Consent and codes", "Export", "Manage"],
    key="studies-tab",
    bind="query-params",
)
with rules_tab:
    rules.rules(viewer, study)
with form_tab:
    scheme_form.own_form(viewer, summary)
with plan_tab:
    if plan_tab.open:
        plan.plan_tab(summary)
with practice_tab:
    onboarding.practice_tab(viewer, study)
with invite_tab:
    invitations.invite(viewer, study)
with recruit_tab:
    recruitment.recruit(viewer, study)
with ends_tab:
    rules.ends(viewer, study)
with export_tab:
    export.export(study)
    bundle.bundle(viewer, summary)
with manage_tab:
    lifecycle.manage(viewer, study)
