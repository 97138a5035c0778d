"""Import: tables of stories, MANS, UNION's folder, ratings and exports, metric scores. A preview first; all of a file
or nothing.
"""

import streamlit as st

from core.errors import FabulaError
from core.formats.tables import choose_columns, stories_of
from core.people import Role
from core.stories import Corpus
from db import imports, studies
from pages.ui.import_forms import columns_of, counted, preview, scheme_for, study_for, target
from pages.ui.import_ratings import import_ratings
from pages.ui.import_scores import import_scores
from pages.ui.study import addressed, chosen_study, into_address, remember
from pages.ui.text import escaped, notice, problem
from pages.ui.uploads import read_once, uploaded_mans, uploaded_table, uploaded_union
from pages.ui.viewer import require

viewer = require(Role.RESEARCHER)

st.title("Import")
addressed({one.study.id for one in studies.summaries()})
if present := chosen_study():
    into_address(present.study.id)
if done := st.session_state.pop("imported", None):
    st.success(escaped(done[0]))
    for message in done[1]:
        notice(message)
    with st.container(horizontal=True):
        st.page_link("score.py", label="Run metrics", icon=":material/speed:")
        st.page_link("correlation.py", label="See the correlation", icon=":material/scatter_plot:")
        st.page_link("studies.py", label="Open the study and invite", icon=":material/folder_open:")

KINDS = {
    "stories": "Stories from a table",
    "mans": "MANS (OpenMEVA)",
    "union": "UNION's annotation folder",
    "fabula": "Ratings, or an export",
    "scores": "Metric scores",
}
kind = st.segmented_control(
    "What do you have?", list(KINDS), format_func=KINDS.__getitem__, default="stories", required=True
)


def offer(corpus: Corpus, file_name: str, upload: str) -> None:
    """Ask for the study and import. `upload`: the file's id."""
    preview(corpus)
    name, there = target(study_for(corpus, file_name), upload)
    scheme = None if there else scheme_for(corpus, upload)
    if st.button("Import", type="primary", icon=":material/upload:", key="import"):
        with st.spinner(f"Importing {len(corpus.stories):,} stories"):
            remember(imports.import_corpora(viewer, name, [corpus], scheme=scheme).id)
        st.session_state["imported"] = (
            f"Imported {counted(corpus)} into the study {name.strip()!r}.",
            corpus.notices,
        )
        st.rerun()


def import_stories() -> None:
    """A table: choose columns, preview, import."""
    file = st.file_uploader("A CSV, TSV, JSON, JSONL or Parquet file", ["csv", "tsv", "json", "jsonl", "parquet"])
    if file is None:
        st.caption("One row a story, with its text and, if you have them, prompt, system, reference and id.")
        return
    table = read_once(uploaded_table, [file])
    try:
        guessed = choose_columns(table, {})
    except FabulaError:
        guessed = {}
    chosen = columns_of(table.columns, guessed)
    if "text" not in chosen:
        st.info("Choose the column that holds the story's text.")
        return
    offer(stories_of(table, chosen, defaults=False), file.name.rsplit(".", 1)[0], file.file_id)


try:
    if kind == "mans":
        file = st.file_uploader("The MANS file, or the zip of its export", ["json", "zip"])
        if file is not None:
            offer(read_once(uploaded_mans, [file]), file.name.rsplit(".", 1)[0], file.file_id)
    elif kind == "union":
        files = st.file_uploader(
            "The folder with ant_data.txt, reference_ipt.txt, reference_opt.txt and metric_output",
            accept_multiple_files="directory",
        )
        if files:
            offer(read_once(uploaded_union, files), "union", files[0].file_id)
        else:
            st.caption("Fabula exports this folder as a zip: unzip it first.")
    elif kind == "fabula":
        import_ratings(viewer)
    elif kind == "scores":
        import_scores(viewer)
    else:
        import_stories()
except FabulaError as error:
    problem(str(error))
