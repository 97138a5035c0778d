"""Deciding about several panels at once: do they count, are they paid."""

from collections.abc import Sequence

import streamlit as st

from core.annotation.quality import Payment
from core.people import Person
from db.monitor import panels
from pages.ui.monitor.panel_decision import close_panels, decide
from pages.ui.monitor.rejection_reasons import rejection_category


def several_decision(viewer: Person, study_id: int, chosen: Sequence[int], close: str) -> None:
    """Two decisions on all of the chosen, each made whole or not at all. `close`: the key that keeps the choice."""
    number = len(chosen)
    key = f"{close}-{hash(tuple(chosen))}"
    with st.container(border=True, key="panels-chosen"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{number} are chosen.", width="stretch")
            st.button("Close", icon=":material/close:", key=f"close-{key}", on_click=close_panels, args=(close,))
        validity, payment = st.columns(2, gap="large")
        with validity, st.form(f"override-{key}", border=False, clear_on_submit=True):
            st.caption("May the data be used? What is so already stays as it is.")
            reason = st.text_input("Why (kept with each)", max_chars=panels.LONGEST_REASON, key=f"why-{key}")
            reject = st.form_submit_button(f"Reject these {number}")
            count = st.form_submit_button(f"Let these {number} count")
            if reject or count:
                decide(lambda: _judged(viewer, chosen, count, reason))
        with payment, st.form(f"payment-{key}", border=False):
            st.caption("Are the people paid? Apart from whether the data is used.")
            state = st.segmented_control(
                "Payment",
                list(Payment),
                format_func=str.capitalize,
                default=Payment.PAID,
                required=True,
                key=f"paid-{key}",
                label_visibility="collapsed",
            )
            why = st.text_input("Why (needed to withhold)", max_chars=panels.LONGEST_REASON, key=f"paywhy-{key}")
            category = rejection_category(study_id, "", key)
            if st.form_submit_button(f"Save the payment of these {number}"):
                decide(lambda: _paid(viewer, chosen, Payment(state), why, category))


def _judged(viewer: Person, chosen: Sequence[int], valid: bool, reason: str) -> str:
    changed = panels.override_all(viewer, chosen, valid=valid, reason=reason)
    now = "count" if valid else "are rejected"
    return f"{changed} of {len(chosen)} have changed: all {len(chosen)} {now} now. It is kept in the log."


def _paid(viewer: Person, chosen: Sequence[int], payment: Payment, why: str, category: str) -> str:
    return f"{panels.pay_each(viewer, chosen, payment, why, category)} are marked as {payment}. It is kept in the log."
