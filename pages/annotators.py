"""A study's people: personal links for those who are invited, and crowd platforms that send others."""

import streamlit as st

from core.people import Role
from pages.ui.annotators import invitations, recruitment
from pages.ui.shared.page_head import headed
from pages.ui.shared.study_opening import open_first
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)

summary = headed("People", "Who rates, and how are they invited?")
study = summary.study
open_first(viewer, summary)
invite_tab, recruit_tab = st.tabs(["Invite", "Recruit"], key="people-tab", bind="query-params")
with invite_tab:
    invitations.invite(viewer, study)
with recruit_tab:
    recruitment.recruit(viewer, study)
