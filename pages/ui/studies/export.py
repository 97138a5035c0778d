"""The Export tab of the Studies page: what each format holds, and its download."""

from functools import partial

import streamlit as st

from core.annotation.studies import Study
from core.formats.corpora import CORPUS_FORMATS
from core.formats.exports.package import zipped
from core.people import Person
from db.transfer import exports
from pages.ui.shared.viewer import has_link

TABLES = {
    "csv": ("CSV", "for spreadsheets, R and pandas"),
    "jsonl": ("JSONL", "a JSON object a line, every digit and type kept"),
    "parquet": ("Parquet", "small, typed and quick to read, for large studies"),
}


def export(viewer: Person, study: Study) -> None:
    """Download everything as tables, or what other programs' formats hold."""
    st.markdown("**Everything, as tables.** A zip with three tables, and a manifest with counts and hashes:")
    st.markdown(
        "- *ratings*: one row per rating, with its story, annotator, position, deductions and marked passages, times, "
        "validity and reason, payment; rejected and unfinished work included\n"
        "- *panels*: a row for whatever somebody was given to rate, and the order of its stories\n"
        "- *stories*: one row per story, rated or not, control stories included"
    )
    with st.container(horizontal=True):
        for kind, (label, _) in TABLES.items():
            _download(viewer, study, kind, label)
    st.caption("; ".join(f"{label}: {use}" for label, use in TABLES.values()) + ".")
    st.caption(
        "Annotators go out under pseudonyms, the same in every export of this study. Names, e-mail addresses and ids "
        "of crowd platforms are not in it. The Import page reads it back."
    )
    others = [entry for entry in CORPUS_FORMATS.values() if entry.write and entry.scheme in ("", study.scheme_key)]
    for number, entry in enumerate(others):
        label, holds = entry.about
        st.markdown(holds if number else f"**For other programs.** {holds}")
        _download(viewer, study, entry.name, label)
    if others:
        st.caption(
            "Annotators, control stories and work that does not count stay out: the format has no place for them."
        )


def _download(viewer: Person, study: Study, kind: str, label: str) -> None:
    if has_link():
        st.link_button(label, f"/download/{study.id}/{kind}", icon=":material/download:", key=f"download-{kind}")
        return
    # Somebody who has signed in has no cookie that the address could tell them by.
    st.download_button(
        label,
        partial(_zip, viewer, study.id, kind),
        file_name=f"study-{study.id}-{kind}.zip",
        mime="application/zip",
        icon=":material/download:",
        key=f"download-{kind}",
        on_click="ignore",
    )


def _zip(viewer: Person, study_id: int, kind: str) -> bytes:
    return b"".join(zipped(exports.files(viewer, study_id, kind)))
