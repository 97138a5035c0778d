"""Addresses of before: what were tabs of the Studies page are pages of their own."""

import streamlit as st

TABS = {
    "Quality rules": ("form.py", {"form-tab": "Quality rules"}),
    "Form": ("form.py", {"form-tab": "Form"}),
    "Plan": ("form.py", {"form-tab": "Plan"}),
    "Practice": ("form.py", {"form-tab": "Practice"}),
    "Training": ("form.py", {"form-tab": "Practice"}),
    "Consent and codes": ("form.py", {"form-tab": "Consent and codes"}),
    "Invite": ("annotators.py", {"people-tab": "Invite"}),
    "Recruit": ("annotators.py", {"people-tab": "Recruit"}),
    "Export": ("export.py", {}),
}
"""Where each tab stands now; `Manage` stands where it did."""


def lead_on() -> None:
    """Go to the page that an address of a tab means."""
    found = TABS.get(st.query_params.get("studies-tab", ""))
    if found is not None:
        page, tab = found
        study = {"study": st.query_params["study"]} if "study" in st.query_params else {}
        st.switch_page(page, query_params=study | tab)
