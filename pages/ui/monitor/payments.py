"""Payments: the rate per panel, the sum owed, and everything due marked as paid at once."""

import io
from functools import partial

import streamlit as st

from core.annotation.monitor.overview import Overview
from core.annotation.studies import Study
from core.formats.payments import write_payments
from core.people import Person
from core.recruitment import PROLIFIC
from db.monitor import monitor, payments
from pages.ui.monitor.panel_decision import decide
from pages.ui.monitor.prolific_payments import prolific_section


def payments_section(viewer: Person, study: Study, overview: Overview) -> None:
    """Totals, the button that pays, the file, and the rate."""
    sums, pay = overview.sums, study.payment
    wording = study.scheme.unit.wording
    name, several = wording.rated, wording.rated_plural
    tab = study.scheme.unit.wording.plural.capitalize()
    with st.container(horizontal=True, gap="medium"):
        for label, money, number in (
            ("Owed", sums.owed, sums.owed_panels),
            ("Paid", sums.paid, sums.paid_panels),
            ("Withheld", sums.withheld, sums.withheld_panels),
        ):
            worth = pay.text(money) if pay.rates else "–"
            st.metric(f"{label} ({number:,} {several if number != 1 else name})", worth, width="content")
        left = f"{pay.text(sums.bonus - sums.bonus_paid)} of it is still to be paid."
        st.metric("Bonuses", pay.text(sums.bonus) if pay.rates else "–", width="content", help=left)
    st.caption(
        f"A rejected {name} is owed like any other until you withhold it, with a reason. Marking something as paid "
        f"moves no money: Fabula keeps what you say. Bonuses are set on the tab People, single payments on {tab}."
    )
    with st.container():
        if (shown := st.session_state.pop(f"pay-all-of-{study.id}", None)) is not None:
            decide(lambda: _pay_all(viewer, study, shown))
    with st.container(horizontal=True):
        if not pay.rates:
            st.text(f"Say below what a {name} is paid; then everything due can be marked as paid at once.")
        elif sums.owed_panels or sums.due:
            bonuses = sums.bonus > sums.bonus_paid
            what = (
                f"{sums.owed_panels:,} {several if sums.owed_panels != 1 else name}{' and bonuses' if bonuses else ''}"
            )
            st.button(
                f"Mark {what} as paid: {pay.text(sums.due)}",
                type="primary",
                icon=":material/payments:",
                key=f"pay-all-{study.id}",
                on_click=_pressed,  # gets the sum that was on the button: the figures may be newer by then
                args=(study.id, sums.due),
            )
        else:
            st.text("Nothing is due.")
        st.download_button(
            "Payments as CSV",
            partial(_written, viewer, study.id),  # made when it is pressed
            file_name=f"payments-{study.id}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key=f"payments-csv-{study.id}",
        )
    if study.recruitment.platform == PROLIFIC:
        prolific_section(viewer, study)
    _rate(viewer, study)


def _pressed(study_id: int, shown: int) -> None:
    st.session_state[f"pay-all-of-{study_id}"] = shown


def _pay_all(viewer: Person, study: Study, expected: int) -> str:
    paid = payments.pay_all(viewer, study.id, expected)
    total = study.payment.text(paid.paid + paid.bonus_paid)
    return f"Marked as paid: {total}, of which {study.payment.text(paid.bonus_paid)} bonuses. It is kept in the log."


def _written(viewer: Person, study_id: int) -> bytes:
    out = io.StringIO()
    pay, rows = monitor.exported(viewer, study_id)
    write_payments(rows, pay, out)
    return out.getvalue().encode()


def _rate(viewer: Person, study: Study) -> None:
    name = study.scheme.unit.wording.rated
    pay = study.payment
    with st.form(f"rate-{study.id}", border=False):
        st.header(f"What a {name} is paid")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            amount = st.text_input(
                "Amount",
                "" if pay.amount is None else f"{pay.amount:.2f}",
                max_chars=12,
                placeholder="such as: 1.50",
                width=160,
                key=f"rate-amount-{study.id}-{len(pay.rates)}",
            )
            currency = st.text_input(
                "Currency",
                pay.currency,
                max_chars=3,
                placeholder="such as: EUR",
                width=140,
                key=f"rate-currency-{study.id}",
            )
        earlier = False
        if pay.rates:
            st.caption(
                f"The first amount holds for every {name}, also for what was handed in before it. If you change it, "
                "the new one holds for what is handed in after that; what is owed already stays."
            )
            earlier = st.checkbox("Also for what was handed in before", key=f"rate-earlier-{study.id}-{len(pay.rates)}")
        if st.form_submit_button("Save the amount"):
            decide(lambda: payments.set_payment(viewer, study.id, amount, currency, earlier=earlier))
