"""What each format of a study's files holds, and its download."""

import streamlit as st

from core.annotation.studies import Study
from core.annotation.target import usual_target
from core.formats.corpora import CORPUS_FORMATS
from core.formats.exports.preferences import OPTIMISATION, TABLE
from pages.ui.shared.text import escaped

TABLES = {
    "csv": ("CSV", "for spreadsheets, R and pandas"),
    "jsonl": ("JSONL", "a JSON object a line, every digit and type kept"),
    "parquet": ("Parquet", "small, typed and quick to read, for large studies"),
}


PREFERENCES = {TABLE: "Preferences", OPTIMISATION: "Chosen and rejected"}


def export(study: Study) -> None:
    """Download everything as tables, or what other programs' formats hold."""
    st.markdown("**Everything, as tables.** A zip with these tables, and a manifest with counts and hashes:")
    st.markdown(
        "- *ratings*: one row per rating, with its story, annotator, position, deductions and marked passages, times, "
        "validity and reason, payment; rejected and unfinished work included\n"
        "- *panels*: a row for whatever somebody was given to rate, and the order of its stories\n"
        "- *stories*: one row per story, rated or not, control stories included\n"
        "- *scores*: one row per score of a metric, where there are any"
    )
    with st.container(horizontal=True):
        for kind, (label, _) in TABLES.items():
            _download(study, kind, label)
    st.caption("; ".join(f"{label}: {use}" for label, use in TABLES.values()) + ".")
    st.caption(
        "Annotators go out under pseudonyms, the same in every export of this study. Names, e-mail addresses and ids "
        "of crowd platforms are not in it. The Import page reads it back."
    )
    st.markdown(
        "**As preferences.** One story beside another and which is better"
        + (
            ", as it was judged."
            if study.scheme.unit.of_pairs
            else ": every two stories of a prompt, the one with the higher mean rating "
            f"({escaped(usual_target(study.scheme).title)}) before the other. In a terminal `--target` chooses another."
        )
        + " *Chosen and rejected* is what preference optimisation takes; ties stay out of it."
    )
    with st.container(horizontal=True):
        for kind, label in PREFERENCES.items():
            _download(study, kind, label)
    others = [entry for entry in CORPUS_FORMATS.values() if entry.write and entry.scheme in ("", study.scheme_key)]
    for number, entry in enumerate(others):
        label, holds = entry.about
        st.markdown(holds if number else f"**For other programs.** {holds}")
        _download(study, entry.name, label)
    if others:
        st.caption(
            "Annotators, control stories and work that does not count stay out: the format has no place for them."
        )


def _download(study: Study, kind: str, label: str) -> None:
    st.link_button(label, f"/download/{study.id}/{kind}", icon=":material/download:", key=f"download-{kind}")
