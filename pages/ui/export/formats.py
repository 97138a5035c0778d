"""What each format of a study's files holds, and its download."""

from urllib.parse import quote

import streamlit as st

from core.annotation.scale import fine_step
from core.annotation.studies import Study
from core.annotation.target import on_target, target_of, usual_target
from core.errors import InputError
from core.formats.corpora import CORPUS_FORMATS
from core.formats.exports.preferences import OPTIMISATION, TABLE, PairsKept
from core.formats.exports.rating_sheet import READ_IN_R, SHEET, column_meanings
from core.people import Person
from core.stories import Source
from core.wording import so_many
from db.ratings import ratings
from db.transfer.preference_rows import pairs_kept
from pages.ui.components.current_links import current_links
from pages.ui.shared.text import escaped, notice

TABLES = {
    "csv": ("CSV", "read by any program"),
    "jsonl": ("JSONL", "a JSON object a line, every digit and type kept"),
    "parquet": ("Parquet", "small, typed and quick to read, for large studies"),
}


OTHERS = " Ratings of human and control stories are in the tables below alone."
PREFERENCES = {TABLE: "Preferences", OPTIMISATION: "Chosen and rejected"}


def export(viewer: Person, study: Study) -> None:
    """Download the ratings as one sheet, everything as tables, or what other programs' formats hold."""
    if not study.scheme.unit.of_pairs:
        columns = "criterion and per error type" if study.scheme.error_types else "criterion"
        others = "" if Source.HUMAN in study.scheme.sources else OTHERS
        st.markdown(
            "**For a spreadsheet, R or pandas.** One CSV file: a row per rating that counts, with its story and its "
            f"annotator's pseudonym, and a column per {columns}.{others}"
        )
        _download(study, SHEET, "Ratings as a sheet")
        with st.expander("What the columns mean", icon=":material/view_column:"):
            meanings = column_meanings(study.scheme)
            st.markdown("\n".join(f"- **{escaped(columns)}**: {meaning}" for columns, meaning in meanings.items()))
            st.markdown("R reads it by:")
            st.code(READ_IN_R, language="r")
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
            ", as it was judged. *Chosen and rejected* is what preference optimisation takes; ties stay out of it."
            if of_pairs
            else ": of every two stories of a prompt, the one that people rated higher on average, by how many points "
            "(its *margin*), and how many ratings either mean rests on. *Chosen and rejected* is what preference "
            "optimisation takes."
        )
    )
    try:
        query = "" if of_pairs else _from_means(viewer, study)
    except InputError as error:
        notice(str(error))
        return
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
        scale = on_target(study.scheme, target_of(study.scheme, target))
        margin = st.number_input(
            "Least margin, in points",
            value=0.0,
            step=fine_step(scale.lowest, scale.highest),
            format="%g",
            key=f"margin-{study.id}",
            width=200,
            help="By how much the better story's mean rating is higher, at least. 0 keeps every pair that differs. "
            f"Ratings are from {scale.lowest} to {scale.highest}.",
        )
    current_links()
    st.caption(_kept(_counted(study.id, ratings.version(study.id), target, margin, viewer), margin))
    return f"?target={quote(target)}" + (f"&margin={margin}" if margin else "")


@st.cache_data(max_entries=8, show_spinner="Counting pairs")
def _counted(study_id: int, version: str, target: str, margin: float, _viewer: Person) -> PairsKept:
    """Pairs of these ratings; `version` tells when there are others."""
    return pairs_kept(_viewer, study_id, target, margin)


def _kept(pairs: PairsKept, margin: float) -> str:
    if not pairs.differing + pairs.ties:
        return "There are no pairs yet: no two systems' stories of a prompt have ratings."
    ties = so_many(pairs.ties, "tie")
    if margin:
        kept = f"Keeps {pairs.kept:,} of {so_many(pairs.differing, 'pair')} whose means differ."
        return f"{kept} Closer pairs and {ties} are left out."
    kept = f"Keeps all {so_many(pairs.differing, 'pair')} whose means differ."
    left_out = f"{ties} {'is' if pairs.ties == 1 else 'are'} left out of *Chosen and rejected*"
    return f"{kept} {left_out} but not of *Preferences*." if pairs.ties else kept


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
    gets = "CSV" if kind == SHEET else "zip"
    address = f"/download/{study.id}/{kind}{query}"
    st.link_button(f"{label} ({gets})", address, icon=":material/download:", key=f"download-{kind}")
