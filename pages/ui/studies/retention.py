"""How long annotators' personal data are kept, beside a study's deletion."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.annotation.studies import Study, StudyState
from core.errors import FabulaError
from core.people import Person
from db.monitor import retention
from pages.ui.shared.text import problem

DONE = "retention_done"
USUAL = 90
"""Days that are suggested."""


def personal_data(viewer: Person, study: Study) -> None:
    """The period, whom it concerns and when, and the button that does it now; for owners."""
    standing = retention.standing(viewer, study.id)
    st.caption(
        "Annotators' personal data are their names, e-mail addresses, platform ids, notes, consent and practice. What "
        "they rated stays when they are erased, as ratings by anonymous raters."
    )
    key = f"retention-{study.id}"
    by_itself = st.toggle(
        "Erase them automatically, a number of days after the study is closed",
        standing.days is not None,
        help="If you promise people a period, write it into the consent text too.",
        key=key,
    )
    days = standing.days or USUAL
    if by_itself:
        days = st.number_input(
            "Days from when the study is closed",
            1,
            retention.LONGEST,
            days,
            key=f"retention-days-{study.id}",
            width=300,
        )
    wanted = days if by_itself else None
    if wanted != standing.days and st.button("Save the period", icon=":material/save:", key=f"{key}-save"):
        _do(partial(retention.set_days, viewer, study.id, wanted), "The period is saved.")
    if message := st.session_state.pop(DONE, None):
        st.success(message, icon=":material/check_circle:")
    if standing.people:
        _concerned(viewer, study, standing)


def _concerned(viewer: Person, study: Study, standing: retention.Standing) -> None:
    number = f"{standing.people:,} annotator{'s' if standing.people != 1 else ''}"
    if standing.ends_at is not None:
        st.text(f"The personal data of {number} are kept until {standing.ends_at:%d %B %Y}.")
    elif standing.days is not None:
        st.text(f"The personal data of {number} are kept; the days count from when the study is closed.")
    else:
        st.text(f"The personal data of {number} are kept.")
    if standing.unpaid:
        st.warning(
            f"{standing.unpaid:,} of them {'are' if standing.unpaid != 1 else 'is'} not paid yet. Pay first: once "
            "erased, they can no longer be identified.",
            icon=":material/payments:",
        )
    if study.state is StudyState.OPEN:
        return
    with st.popover("Erase them now", icon=":material/person_off:", key=f"erase-annotators-{study.id}"):
        st.caption("Their links end, and panels that they have begun are deleted. This cannot be undone.")
        if st.button("Erase all annotators", type="primary", key=f"erase-annotators-now-{study.id}"):
            erase = partial(retention.erase_annotators, viewer, study.id)
            _do(erase, "The annotators are erased. What they rated is there as before.")


def _do(what: Callable[[], object], message: str) -> None:
    try:
        what()
    except FabulaError as error:
        problem(str(error))
    else:
        st.session_state[DONE] = message
        st.rerun()
