"""Payments on Prolific: decisions and bonuses, shown before they are sent, and kept as they go out."""

from collections.abc import Sequence

import streamlit as st

from core.annotation.studies import Study
from core.errors import FabulaError
from core.formats.prolific import Decision, Submission
from core.payments import money
from core.people import Person
from core.prolific import review as reviews
from core.prolific.bonuses import BonusPayment, amount_of, pay, set_up
from core.prolific.client import Prolific
from core.prolific.review import Outcome, Sending
from core.prolific.settings import is_connected
from core.recruitment import REJECTIONS
from db.prolific import bonuses, review
from pages.ui.monitor.panel_decision import decide
from pages.ui.shared.text import escaped, problem


def prolific_section(viewer: Person, study: Study) -> None:
    """What Prolific does not know yet of decisions and bonuses, and the buttons that tell it."""
    st.header("On Prolific")
    if not is_connected():
        st.caption(
            "With a token of Prolific's, which whoever runs this server sets as PROLIFIC_TOKEN, decisions are sent and "
            "bonuses paid from here. Without one, take *The review as CSV* from the study's tab Recruit."
        )
        return
    try:
        _decisions(viewer, study)
        _bonuses(viewer, study)
    except FabulaError as error:
        problem(str(error))


def _decisions(viewer: Person, study: Study) -> None:
    """The decisions to be sent, and what came of the last time."""
    sent: Sending | None = st.session_state.pop(f"sent-{study.id}", None)
    if sent is not None:
        _outcome(study, sent)
    shown = review.to_send(viewer, study.id)
    if not shown:
        st.text("Prolific has every decision that there is.")
        return
    st.dataframe(
        [
            {
                "Submission": one.submission_id,
                "Decision": "approve" if one.decision is Decision.APPROVE else "reject",
                "Category": REJECTIONS.get(one.category, ""),
                "Handed in": one.panels,
                "Withheld": one.withheld,
                "What the participant reads": one.reason,
            }
            for one in shown
        ],
        hide_index=True,
        placeholder="–",
        column_config={"What the participant reads": st.column_config.TextColumn(width="large")},
        key=f"to-send-{study.id}",
    )
    approved = sum(one.decision is Decision.APPROVE for one in shown)
    st.caption(
        "Approving pays the whole reward, however much was handed in, and marks what is due here as paid. Neither "
        "decision can be taken back."
    )
    sure = st.checkbox("I have read what is sent", key=f"sure-{study.id}-{hash(shown)}")
    label = f"Send: approve {approved:,}, reject {len(shown) - approved:,}"
    if st.button(label, type="primary", icon=":material/send:", disabled=not sure, key=f"send-{study.id}"):
        decide(lambda: _send(viewer, study, shown))


def _send(viewer: Person, study: Study, shown: Sequence[Submission]) -> str:
    review.check_shown(viewer, study.id, shown)
    bar = st.progress(0.0, "Sending …")
    with Prolific() as prolific:
        sent = reviews.send(
            prolific,
            shown,
            lambda one: review.keep(viewer, study.id, one),
            lambda number: bar.progress(number / len(shown), f"{number:,} of {len(shown):,}"),
        )
    st.session_state[f"sent-{study.id}"] = sent
    number = sent.number(Outcome.SENT) + sent.number(Outcome.WAS_SO)
    return f"Prolific has {number:,} decision{'' if number == 1 else 's'} more. It is kept in the log."


def _outcome(study: Study, sent: Sending) -> None:
    left = [one for one in sent.decisions if one.outcome is Outcome.LEFT]
    if sent.stopped:
        problem(f"The rest was not sent: {sent.stopped}")
    if left:
        st.warning(f"{len(left):,} could not be decided on Prolific:")
        st.dataframe(
            [{"Submission": one.submission.submission_id, "Why": one.remark} for one in left],
            hide_index=True,
            placeholder="–",
            key=f"left-{study.id}",
        )


def _bonuses(viewer: Person, study: Study) -> None:
    """Bonuses that are due, set up and then paid; or the question what came of the last payment."""
    if bonuses.is_open(viewer, study.id):
        st.warning(
            "Prolific was asked to pay bonuses, and nobody knows whether it has. Look at the submissions there: were "
            "they paid?"
        )
        with st.container(horizontal=True):
            if st.button("They were paid", key=f"were-paid-{study.id}"):
                decide(lambda: bonuses.end(viewer, study.id, paid=True))
            if st.button("They were not", key=f"were-not-paid-{study.id}"):
                decide(lambda: bonuses.end(viewer, study.id, paid=False))
        return
    due = bonuses.due(viewer, study.id)
    if not due:
        return
    prepared = f"bonus-payment-{study.id}"
    st.text(f"Bonuses due to {len(due):,} participants: {study.payment.text(amount_of(due))}")
    if st.button("Prepare their payment", icon=":material/savings:", key=f"prepare-{study.id}"):
        try:
            with Prolific() as prolific:
                st.session_state[prepared] = set_up(prolific, due)
        except FabulaError as error:
            problem(str(error))
    payment: BonusPayment | None = st.session_state.get(prepared)
    if payment is None:
        return
    later = f" {payment.later:,} more come after these." if payment.later else ""
    st.text(
        f"Prolific pays {study.payment.text(payment.amount)} to {len(payment.bonuses):,} participants and takes "
        f"{money(payment.total, '')} from your account, fees and tax included.{later}"
    )
    if st.button("Pay them", type="primary", icon=":material/payments:", key=f"pay-bonuses-{study.id}"):
        del st.session_state[prepared]
        decide(lambda: _pay(viewer, study, payment))


def _pay(viewer: Person, study: Study, payment: BonusPayment) -> str:
    with Prolific() as prolific:
        pay(
            prolific,
            payment,
            lambda made: bonuses.begin(viewer, study.id, made),
            lambda paid: bonuses.end(viewer, study.id, paid=paid),
        )
    return escaped(f"Prolific pays {study.payment.text(payment.amount)} within minutes. It is kept in the log.")
