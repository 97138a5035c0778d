"""Form and rules: what annotators are asked, by which rules their work counts, and what they agree to."""

import streamlit as st

from core.people import Role
from pages.ui.form import onboarding, plan, rules, scheme_form, spoken_language
from pages.ui.shared.page_head import headed
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)

summary = headed("Form and rules", "What are raters asked, and which work counts?")
study = summary.study
form_tab, rules_tab, practice_tab, ends_tab, plan_tab = st.tabs(
    ["Form", "Quality rules", "Practice", "Consent and codes", "Plan"], key="form-tab", bind="query-params"
)
with form_tab:
    spoken_language.spoken_language(viewer, study)
    scheme_form.own_form(viewer, summary)
with rules_tab:
    rules.rules(viewer, study)
with practice_tab:
    onboarding.practice_tab(viewer, study)
with ends_tab:
    rules.ends(viewer, study)
with plan_tab:
    if plan_tab.open:
        plan.plan_tab(viewer, summary)
