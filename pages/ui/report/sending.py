"""The report for others: as a file, with all findings of the study, or by a link."""

import re
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.annotation.studies import Study
from core.errors import FabulaError
from core.jobs import scoring
from core.people import Person
from core.report.files.html import report_html
from core.report.metric import MetricReport
from db.findings import report_links
from db.jobs.queue import queue
from pages.ui.shared.report_links import link_list
from pages.ui.shared.server_address import warn_if_local
from pages.ui.shared.text import escaped, problem


def send(viewer: Person, study: Study, report: MetricReport, place: DeltaGenerator) -> None:
    """The three ways, behind one button at this place. Others cannot see that scores are still to come."""
    coming = dict.fromkeys(name for job in scoring(queue(viewer), study.id) for name in job.metrics)
    report = replace(report, setting=replace(report.setting, scoring=tuple(coming)))
    # The links come last, as their number grows, and all is close together: the popover is as high as seven tenths of
    # the window at most.
    with place.popover("Share", icon=":material/share:"), st.container(gap="xsmall"):
        _as_file(study, report)
        st.page_link(
            "export.py",
            label="Export all findings",
            icon=":material/folder_zip:",
            help="The reports of all metrics and what the study found, in a folder to put beside a paper: on Export",
        )
        _by_link(viewer, study, report)


def _by_link(viewer: Person, study: Study, report: MetricReport) -> None:
    st.markdown(
        f"**By a link** to the report of **{escaped(report.name)}** in *{escaped(study.name)}*. Whoever has the link "
        "can read this report as it is now, without an account, until you end it. It shows figures, numbers and names "
        "of systems and stories, but no story's text."
    )
    warn_if_local()
    if st.button("Make a link", icon=":material/link:", key="share-report"):
        try:
            with st.spinner("Putting the page together"):
                report_links.share(viewer, study.id, report.name, report_html(report))
        except FabulaError as error:
            problem(str(error))
    link_list(viewer, study.id, report.name, told=True)


def _as_file(study: Study, report: MetricReport) -> None:
    st.markdown("**As a file.** One page with its figures, which opens without Fabula and without a network.")
    stem = re.sub(r"\W+", "-", f"report-{study.name}-{report.name}").strip("-")
    st.download_button(
        "Report as HTML",
        partial(report_html, report),
        file_name=f"{stem}.html",
        mime="text/html",
        icon=":material/download:",
        key="report_html",
        on_click="ignore",
    )
