"""One person of a study: may they take part, what is their bonus, and their work."""

import streamlit as st

from core.annotation.monitor.overview import Overview
from core.annotation.monitor.roster import AnnotatorRow
from core.annotation.studies import Study
from core.people import Person, Role
from db.monitor import payments
from pages.ui.monitor.panel_decision import close_panels, decide
from pages.ui.monitor.panels import panels_table
from pages.ui.shared.participation import taking_part
from pages.ui.shared.text import problem, story_text

SAID = ("decided", "monitor-part-problem")


def person_section(viewer: Person, study: Study, overview: Overview, row: AnnotatorRow, close: str) -> None:
    """Two decisions about a person, and their work. `close`: the key of the session's state that keeps it open."""
    person, key = row.member.person, row.member.key
    with st.container(border=True, key=f"person-{person.id or 'none'}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{row.member.called}: {row.member.state}", width="stretch")
            st.button("Close", icon=":material/close:", key=f"close-person-{key}", on_click=close_panels, args=(close,))
        part, bonus = st.columns(2, gap="large")
        if person.role is Role.ANNOTATOR and not row.member.rater:
            with part:
                sentence = f"monitor-part-{person.id}"
                taking_part(viewer, person.id or 0, person.qualified, sentence, SAID, paused=row.member.paused)
                if message := st.session_state.pop(SAID[1], None):
                    problem(message)
            with bonus:
                _bonus(viewer, study, row)
        if row.member.closing_comment:
            st.caption("At the end they said:")
            story_text(row.member.closing_comment)
        theirs = sorted((p for p in overview.panels if p.whose == key), key=lambda panel: -panel.id)
        panels_table(viewer, study.id, theirs, overview.remarks, f"of-{key}", pin=f"open-of-{key}")


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
