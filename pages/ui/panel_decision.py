"""One panel that was handed in: what was found, and what a person decides about it."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.annotation.quality import BadControl, HandedIn, Payment, ReadStory
from core.errors import FabulaError
from core.people import Person
from core.stories import Source
from db import panels
from pages.ui.rejection import rejection_category
from pages.ui.text import problem, story_text


def failed_controls(controls: Sequence[BadControl], stories: Mapping[tuple[int, str], str]) -> None:
    """Control stories that most annotators failed, to be read; `stories` by prompt's id and source."""
    if not controls:
        st.info("No control story was failed by most of its annotators (three panels are needed to say so).")
        return
    st.caption("A study may bring its own negative stories, and other human ones, in its import.")
    for control in controls:
        with st.container(border=True):
            good = "good enough" if control.source is Source.HUMAN else "bad enough"
            st.markdown(f"{control.failed} of {control.judged} did not find this **{control.source}** story {good}.")
            story_text(control.prompt)
            with st.container(border=True):
                story_text(stories.get((control.prompt_id, control.source), ""))


def panel_decision(viewer: Person, panel: HandedIn, remarks: tuple[str, ...]) -> None:
    """Reason, flags and the annotator's note, then two decisions: does it count, is it paid."""
    with st.container(border=True):
        st.text(f"Panel {panel.id} of {panel.annotator}")
        story_text(panel.prompt)
        decided = "decided by hand" if panel.overridden else "by the rule"
        counts = "counts" if panel.valid and panel.state == "submitted" else "is surplus" if panel.valid else "rejected"
        st.text(f"It {counts}, {decided}." if panel.valid else f"It is {counts}, {decided}.")
        if panel.reason:
            st.text(f"Reason: {panel.reason}")
        for remark in remarks:
            st.text(f"Flag: {remark}")
        if panel.appeal:
            st.caption("The annotator's note:")
            story_text(panel.appeal)
        _read(panel)
        validity, payment = st.columns(2, gap="large")
        with validity, st.form(f"override-{panel.id}", border=False, clear_on_submit=True):
            st.caption("May the data be used? A panel that counts again is kept as surplus where its place is filled.")
            reason = st.text_input("Why (kept in the log)", max_chars=panels.LONGEST_REASON, key=f"why-{panel.id}")
            if st.form_submit_button("Reject this panel" if panel.valid else "Let this panel count"):
                _decide(lambda: panels.override(viewer, panel.id, valid=not panel.valid, reason=reason))
        with payment, st.form(f"payment-{panel.id}", border=False):
            st.caption("Is the person paid? Apart from whether the data is used.")
            states = list(Payment)
            state = st.segmented_control(
                "Payment",
                states,
                format_func=str.capitalize,
                default=Payment(panel.payment or Payment.DUE),
                required=True,
                key=f"paid-{panel.id}",
                label_visibility="collapsed",
            )
            why = st.text_input(
                "Why (needed to withhold)",
                panel.payment_reason,
                max_chars=panels.LONGEST_REASON,
                key=f"paywhy-{panel.id}",
            )
            category = rejection_category(panel)
            if st.form_submit_button("Save the payment"):
                _decide(lambda: panels.pay(viewer, panel.id, Payment(state), why, category))


def _read(panel: HandedIn) -> None:
    """The stories with what was said of them, and the log."""
    with st.expander("Read the panel", icon=":material/menu_book:"):
        for one in panels.stories_of(panel.id):
            with st.container(border=True):
                st.text(f"{one.letter}: {one.origin or 'unknown system'}. {_said(one)}")
                story_text(one.text)
    with st.expander("The log", icon=":material/history:"):
        log = panels.history(panel.study_id, panel.id)
        rows = [{"When (UTC)": at, "What": kind, "Particulars": detail} for at, kind, detail in log]
        st.dataframe(rows, hide_index=True, alt="What the log has on this panel")


def _said(one: ReadStory) -> str:
    types = ", ".join(f"{name} −{points}" if points else name for name, points in one.deductions.items())
    rated = "Not rated" if one.overall is None else f"Rated {one.overall:g}"
    return rated + (f" ({types})." if types else ".")


def _decide(what: Callable[[], None]) -> None:
    try:
        what()
    except FabulaError as error:
        problem(str(error))
    else:
        st.session_state["decided"] = "Saved, and kept in the log."
        st.rerun()
