"""The links at which a study's reports can be read."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person
from core.report.link import ReportLink
from db.findings import report_links
from pages.ui.shared.server_address import server_address, warn_if_local
from pages.ui.shared.text import escaped, problem


def link_list(viewer: Person, study_id: int, metric: str = "", *, told: bool = False) -> None:
    """Every link of the study, or of one metric's report, to copy or to end; nothing where there is none. Beside a
    metric's those of metrics whose scores are gone, which no report leads to any more. `told`: whether the page has
    said already who cannot open them.
    """
    if message := st.session_state.pop("report-link-problem", None):
        problem(message)
    every = report_links.links(viewer, study_id)
    listed = [link for link in every if not metric or link.metric == metric or link.since.gone]
    if not listed:
        return
    if not told:
        warn_if_local()
    for link in listed:
        by = f" by {escaped(link.by)}" if link.by else ""
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"**{escaped(link.metric)}**, made on {link.made:%Y-%m-%d %H:%M} UTC{by}", width="content")
            st.button("End this link", key=f"end-report-{link.id}", on_click=_end, args=(viewer, study_id, link))
        st.caption(link.since.sentence)
        st.code(f"{server_address()}{link.address}", language=None, wrap_lines=True)


def _end(viewer: Person, study_id: int, link: ReportLink) -> None:
    try:
        report_links.end(viewer, study_id, link.id)
    except FabulaError as error:
        st.session_state["report-link-problem"] = str(error)
    else:
        st.toast("The link is ended; nobody can read that report by it any more.", icon=":material/link_off:")
