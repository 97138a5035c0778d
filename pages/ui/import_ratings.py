"""The Import page's part for exports and for files of ratings: a preview, the study, a bar while it is stored."""

import streamlit as st

from core.formats.exports.restored import Restored
from core.people import Person
from db import restoring, studies
from pages.ui.import_forms import PREVIEWED, Told, import_once, target
from pages.ui.study import chosen_study
from pages.ui.text import notice
from pages.ui.uploads import read_once, uploaded_export

KINDS = ["zip", "csv", "jsonl", "parquet", "json"]


def import_ratings(viewer: Person) -> None:
    """Read what was uploaded, show what it is, ask for the study and import."""
    files = st.file_uploader(
        "The zip of an export, all of its files, or one file of ratings", KINDS, accept_multiple_files=True
    )
    if not files:
        st.caption(
            "An export comes back whole: form, rules, stories, panels, ratings and scores. A CSV, JSONL or Parquet "
            "file of ratings from elsewhere needs the columns story_id and overall; the guide's page on formats has "
            "the others."
        )
        return
    brought = read_once(uploaded_export, files)
    _preview(brought)
    name, _ = target(_suggested(brought), files[0].file_id)
    if not brought.stories:
        st.caption("These ratings come without their stories: choose the study that has them.")
    import_once((files[0].file_id, name.strip()), lambda: _store(viewer, name, brought), doing="Importing the ratings")


def _preview(brought: Restored) -> None:
    people = len({panel.annotator for panel in brought.panels if panel.person})
    by = f"by {people:,} annotators" if people else "without known annotators"
    st.caption(
        f"{len(brought.ratings):,} ratings in {len(brought.panels):,} panels {by}, {len(brought.stories):,} stories. "
        "The first ratings:"
    )
    texts = {one.key: one.text for one in brought.stories}
    rows = [
        {
            "Story": texts.get(given.story_key, ""),
            "Id": given.story_key,
            "Annotator": brought.panels[given.panel].annotator,
            "Rating": given.overall,
            "Deductions": ", ".join(f"{name} {points}" for name, points in given.deductions.items()),
            "State": brought.panels[given.panel].state,
        }
        for given in brought.ratings[:PREVIEWED]
    ]
    st.dataframe(rows, hide_index=True, alt="The first ratings of the file")
    for message in brought.notices:
        notice(message)


def _suggested(brought: Restored) -> str:
    """The study that was exported, or a copy of it; for ratings alone the one chosen, which may have their stories."""
    if brought.manifest is not None:
        name = brought.manifest.study.name
        there = any(summary.study.name == name and summary.prompts for summary in studies.summaries())
        return f"{name} (imported)"[: studies.LONGEST_NAME] if there else name
    chosen = chosen_study()
    return chosen.study.name if chosen is not None else brought.sheet.path.stem


def _store(viewer: Person, name: str, brought: Restored) -> Told:
    bar = st.progress(0.0, "Storing the stories")

    def tell(done: int, total: int, what: str) -> None:
        bar.progress(done / total if total else 0.0, f"{what}: {done:,} of {total:,} ratings")

    made = restoring.import_ratings(viewer, name, brought, tell)
    return f"Imported {len(brought.ratings):,} ratings into the study {name.strip()!r}.", brought.notices, made.id
