"""Choosing the study that a page is about; the choice follows the viewer from page to page."""

from collections.abc import Container

import streamlit as st

from core.annotation.studies import Study, StudySummary
from core.people import Role
from db.studies import studies
from pages.ui.shared.text import notice
from pages.ui.shared.viewer import require

CHOSEN = "chosen_study"
ADDRESSED = "addressed_study"
BOX = "study_box"


def my_studies(*, archived: bool = False) -> list[StudySummary]:
    """The studies that the viewer runs: no page offers another."""
    return studies.summaries(require(Role.RESEARCHER), archived=archived)


def remember(study_id: int) -> None:
    """Make this the study that the pages are about."""
    st.session_state[CHOSEN] = study_id


def chosen_study() -> StudySummary | None:
    """The study that the pages are about, if one was chosen and is still there."""
    return next((summary for summary in my_studies() if summary.study.id == st.session_state.get(CHOSEN)), None)


def addressed(offered: Container[int]) -> str | None:
    """Make the study that the address names the chosen one: after a link, or a reload.

    Returns what the address names where it is none of those `offered`.
    """
    asked = st.query_params.get("study", "")
    if not asked or asked == st.session_state.get(ADDRESSED):
        return None
    if not asked.isdecimal() or int(asked) not in offered:
        return asked
    remember(int(asked))
    return None


def into_address(study_id: int) -> None:
    """Put the study into the address, so that a reload or another server comes back to it."""
    st.query_params["study"] = st.session_state[ADDRESSED] = str(study_id)


def _picked() -> None:
    remember(st.session_state[BOX])


def choose(summaries: list[StudySummary] | None = None) -> StudySummary:
    """A select box over the studies; ends the page with what to do next where there are none."""
    loaded_summaries = my_studies() if summaries is None else summaries
    if not loaded_summaries:
        others = "" if require(Role.RESEARCHER).may(Role.OWNER) else " An owner can also give you one of another's."
        st.info(
            "There is no study yet. Begin on the start page: load the demonstration or make a study of your own."
            + others
        )
        st.page_link("start.py", label="Go to the start page", icon=":material/home:")
        st.stop()
    by_id = {summary.study.id: summary for summary in loaded_summaries}
    unknown = addressed(by_id)
    chosen = st.session_state.get(CHOSEN)
    if chosen not in by_id:
        chosen = next(iter(by_id))
    st.session_state[BOX] = chosen  # always: another page's box has left what it had, and would begin with the first
    picked = st.selectbox(
        "Study",
        list(by_id),
        key=BOX,
        format_func=lambda i: by_id[i].study.name if i in by_id else "(deleted)",
        on_change=_picked,
    )
    remember(picked)
    into_address(picked)
    summary = by_id[picked]
    if unknown is not None:
        notice(f"There is no study {unknown} here, or it was archived or deleted; this is {summary.study.name}.")
    demonstration_banner(summary.study)
    return summary


def demonstration_banner(study: Study) -> None:
    """Say wherever ratings appear that these were made for trying out."""
    if study.demonstration:
        st.caption(
            ":orange-badge[Demonstration data] The ratings it came with are made up: they show how Fabula works "
            "and say nothing about any metric."
        )
