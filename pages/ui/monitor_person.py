"""One person of a study: may they take part, what is their bonus, and their work."""

import streamlit as st

from core.annotation.overview import Overview
from core.annotation.roster import AnnotatorRow
from core.errors import FabulaError
from core.people import Person, Role
from core.studies import Study
from db import payments, people
from pages.ui.monitor_panels import panels_table
from pages.ui.panel_decision import decide
from pages.ui.text import problem


def person_section(viewer: Person, study: Study, found: Overview, row: AnnotatorRow) -> None:
    """Two decisions about a person, and their work."""
    person = row.member.person
    with st.container(border=True, key=f"person-{person.id}"):
        st.text(f"{row.member.called}: {row.member.state}")
        part, bonus = st.columns(2, gap="large")
        if person.role is Role.ANNOTATOR:
            with part:
                _may_take_part(viewer, person)
            with bonus:
                _bonus(viewer, study, row)
        theirs = sorted((p for p in found.panels if p.person_id == person.id), key=lambda panel: -panel.id)
        panels_table(viewer, study.id, theirs, found.remarks, f"of-{person.id}", pin=f"open-of-{person.id}")


def _may_take_part(viewer: Person, person: Person) -> None:
    key = f"monitor-part-{person.id}"
    st.session_state[key] = person.qualified is not False  # what is stored, also where somebody else has changed it
    st.toggle(
        "May take part",
        key=key,
        help="Off: they get nothing more to rate; what they have rated stays.",
        on_change=_qualify,
        args=(viewer, person, key),
    )
    if message := st.session_state.pop("monitor-part-problem", None):
        problem(message)


def _qualify(viewer: Person, person: Person, key: str) -> None:
    try:
        people.qualify(viewer, person.id or 0, bool(st.session_state[key]))
        st.session_state["decided"] = "Saved, and kept in the log."
    except FabulaError as error:
        st.session_state["monitor-part-problem"] = str(error)


def _bonus(viewer: Person, study: Study, row: AnnotatorRow) -> None:
    member = row.member
    with st.form(f"bonus-{member.person.id}-{member.bonus}", border=False):
        amount = st.text_input(
            f"Bonus in all{f' ({study.payment.currency})' if study.payment.currency else ''}",
            f"{member.bonus / 100:.2f}",
            max_chars=12,
            key=f"bonus-amount-{member.person.id}-{member.bonus}",
            help=f"{study.payment.text(member.bonus_paid)} of it is paid." if member.bonus_paid else None,
        )
        reason = st.text_input(
            "What it is for",
            member.bonus_reason,
            max_chars=payments.LONGEST_REASON,
            key=f"bonus-why-{member.person.id}-{member.bonus}",
        )
        if st.form_submit_button("Save the bonus"):
            decide(lambda: payments.set_bonus(viewer, member.person.id or 0, amount, reason))
