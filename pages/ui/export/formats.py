"""What each format of a study's files holds, and its download."""

from urllib.parse import quote

import streamlit as st

from core.annotation.studies import Study
from core.annotation.target import target_of, usual_target
from core.formats.corpora import CORPUS_FORMATS
from core.formats.exports.preferences import OPTIMISATION, TABLE
from core.formats.exports.rating_sheet import SHEET
from core.people import Person
from core.wording import so_many
from db.transfer.preference_rows import pairs_kept

TABLES = {
    "csv": ("CSV", "read by any program"),
    "jsonl": ("JSONL", "a JSON object a line, every digit and type kept"),
    "parquet": ("Parquet", "small, typed and quick to read, for large studies"),
}


PREFERENCES = {TABLE: "Preferences", OPTIMISATION: "Chosen and rejected"}


def export(viewer: Person, study: Study) -> None:
    """Download the ratings as one sheet, everything as tables, or what other programs' formats hold."""
    if not study.scheme.unit.of_pairs:
        columns = "criterion and per error type" if study.scheme.error_types else "criterion"
        st.markdown(
            "**For a spreadsheet, R or pandas.** One CSV file: a row per rating that counts, with its story and its "
            f"annotator's pseudonym, and a column per {columns}."
        )
        _download(study, SHEET, "Ratings as a sheet")
    _everything(study)
    _preferences(viewer, study)
    _for_other_programs(study)


def _everything(study: Study) -> None:
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


def _preferences(viewer: Person, study: Study) -> None:
    """Which of two stories is better; made from means where single stories are rated, on the criterion chosen here."""
    of_pairs = study.scheme.unit.of_pairs
    st.markdown(
        "**As preferences.** One story beside another and which is better"
        + (
            ", as it was judged."
            if of_pairs
            else ": of every two stories of a prompt, the one that people rated higher on average, by how many points "
            "(`margin`), and how many ratings either mean rests on."
        )
        + " *Chosen and rejected* is what preference optimisation takes; ties stay out of it."
    )
    query = "" if of_pairs else _from_means(viewer, study)
    with st.container(horizontal=True):
        for kind, label in PREFERENCES.items():
            _download(study, kind, label, query)


def _from_means(viewer: Person, study: Study) -> str:
    """What pairs are made from, how far apart they are at least and how many that keeps; as the address asks for it."""
    names = study.scheme.names
    target = usual_target(study.scheme).text
    with st.container(horizontal=True):
        if len(names) > 1:
            target = st.selectbox(
                "Mean rating on", names, index=names.index(target), key=f"preferences-{study.id}", width=320,
                format_func=lambda name: target_of(study.scheme, name).title,
            )  # fmt: skip
        asked = study.scheme.criterion(target)
        widest = float(asked.highest - asked.lowest)
        margin = st.number_input(
            "Least margin, in points", 0.0, widest, 0.0, 0.1, "%g", key=f"margin-{study.id}-{widest:g}", width=200,
            help="By how much the better story's mean rating is higher, at least. 0 keeps every pair that differs.",
        )  # fmt: skip
    pairs = pairs_kept(viewer, study.id, target, margin)
    if margin:
        st.caption(
            f"Keeps {pairs.kept:,} of {so_many(pairs.differing, 'pair')} whose means differ. Closer pairs and "
            f"{so_many(pairs.ties, 'tie')} are left out."
        )
        return f"?target={quote(target)}&margin={margin}"
    st.caption(
        f"Keeps {'all ' if pairs.differing else ''}{so_many(pairs.differing, 'pair')} whose means differ. "
        f"{so_many(pairs.ties, 'tie').capitalize()} {'is' if pairs.ties == 1 else 'are'} left out of *Chosen and "
        "rejected*, and called ties in *Preferences*."
    )
    return f"?target={quote(target)}"


def _for_other_programs(study: Study) -> None:
    others = [entry for entry in CORPUS_FORMATS.values() if entry.write and entry.scheme in ("", study.scheme_key)]
    for number, entry in enumerate(others):
        label, holds = entry.about
        st.markdown(holds if number else f"**For other programs.** {holds}")
        _download(study, entry.name, label)
    if others:
        st.caption(
            "Annotators, control stories and work that does not count stay out: the format has no place for them."
        )


def _download(study: Study, kind: str, label: str, query: str = "") -> None:
    st.link_button(label, f"/download/{study.id}/{kind}{query}", icon=":material/download:", key=f"download-{kind}")
