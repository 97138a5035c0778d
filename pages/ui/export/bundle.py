"""The findings of a study as a folder, on the page Export."""

import re
from functools import partial

import streamlit as st

from core.annotation.studies import Study, StudySummary
from core.formats.exports.package import zipped
from core.people import Person
from core.report.files.bundle import BundleChoice
from core.report.files.bundle_folder import bundle_files
from core.wording import so_many
from db.findings import bundles, report_links
from pages.ui.shared.report_links import link_list


def bundle(viewer: Person, summary: StudySummary) -> None:
    """Download what the study has found, to put beside a paper."""
    study = summary.study
    st.markdown(
        "**The findings, as a folder.** Judgments, agreement, correlations with intervals and a report of each metric: "
        "pages that open without Fabula and without a network, to put beside a paper."
    )
    if not summary.ratings and not summary.metrics:
        st.caption("There are none yet: let people rate its stories, or score them.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        data = st.toggle("With scores and mean ratings", key=f"bundle-data-{study.id}", help="By story key, as CSV")
        texts = st.toggle("With the stories' texts", key=f"bundle-texts-{study.id}", help="As CSV")
    st.download_button(
        "Download the findings (zip)",
        partial(_zip, viewer, study.id, BundleChoice(data, texts)),
        file_name=re.sub(r"\W+", "-", f"findings-{study.name}").strip("-") + ".zip",
        mime="application/zip",
        icon=":material/folder_zip:",
        key=f"bundle-{study.id}",
        on_click="ignore",
        help="Unpack it and open index.html. With many metrics it takes a minute.",
    )


def shared(viewer: Person, study: Study) -> None:
    """The links that show reports, of a study that has some."""
    if number := len(report_links.links(viewer, study.id)):
        with st.expander(f"{so_many(number, 'link')} to reports", icon=":material/link:"):
            link_list(viewer, study.id)


def _zip(viewer: Person, study_id: int, choice: BundleChoice) -> bytes:
    return b"".join(zipped(bundle_files(bundles.bundle(viewer, study_id, choice))))
