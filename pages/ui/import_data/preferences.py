"""The Import page's part for preferences: which of two stories was chosen, a row a judgment."""

from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.annotation.builtin import SCHEMES
from core.annotation.criterion import PREFERENCE
from core.formats.exports.overview import FileOverview
from core.formats.exports.preferences import FIELDS, TABLE, guessed, suffices
from core.formats.exports.restored import Restored
from core.formats.tables import RowFilter
from core.formats.uploads import uploaded
from core.formats.uploads.examples import kept_example
from core.people import Person
from core.stories import Source, group_of
from core.wording import so_many
from db.transfer import rating_imports
from pages.ui.import_data.chosen_rows import choose_rows, warn_of_rejected
from pages.ui.import_data.prompt_kind import AskedKind, ask_prompt_kind
from pages.ui.import_data.ratings import TABLES
from pages.ui.import_data.running import ImportResult, Tell
from pages.ui.import_data.steps import (
    PREVIEWED,
    UNNAMED,
    as_it_is,
    import_once,
    open_refused,
    say_beside,
    say_unanswered,
    say_where,
    target,
)
from pages.ui.shared.example_file import example_file
from pages.ui.shared.study_choice import chosen_study
from pages.ui.shared.text import notice
from pages.ui.shared.uploads import read_once

CALLED = {
    "prompt_id": "Prompt's id",
    "a_id": "A's id",
    "b_id": "B's id",
    "system_a": "A's system",
    "system_b": "B's system",
}
"""Fields that the page calls by another name than the files do."""


def import_preferences(viewer: Person) -> None:
    """Read what was uploaded, show what it is, ask for the study and import."""
    where = st.empty()
    file = st.file_uploader("A file of preferences", list(TABLES))
    example = st.empty()
    if file is None:
        say_where(where, _suggested(""))
        with example.container():
            example_file(
                kept_example("preferences"),
                "A CSV, TSV, JSON, JSONL or Parquet file with a row for each judgment: the prompt, the chosen and "
                "the rejected story; or the prompt, the stories a and b, and the winner (a, b or tie). The systems "
                "that wrote them, who judged and how strong the preference is are read where they are given.",
            )
        return
    question = st.container()  # above what the file holds: below that nobody looks for it
    table = read_once(uploaded.file_overview, [file])
    fields, rows = _fields(file, table)
    if not suffices(fields):
        st.info("Choose the columns of the chosen and the rejected story, or of two stories and the winner.")
        return
    brought = read_once(partial(uploaded.preferences, mapping=fields, where=rows), [file])
    _preview(brought)
    warn_of_rejected(file, brought.rejected, table.values)
    for message in brought.said:
        notice(message)
    stem = brought.sheet.path.stem
    name, there = target(_suggested(stem), stem, file.file_id)
    refusal = open_refused(there)
    say_beside(there, "the file's judgments of these go to them, and stories that it lacks are added", refusal)
    prompts = AskedKind()
    if there is None or not there.prompts:
        column = brought.sheet.named.get("prompt", "")
        form = SCHEMES[TABLE] if there is None else there.study.scheme
        prompts = ask_prompt_kind(question, form, column, brought.stories, file.file_id)

    def work(tell: Tell) -> ImportResult:
        study = rating_imports.import_ratings(viewer, name, brought, prompts=prompts.kind)
        left_out = "".join(f" {one.sentence}" for one in brought.left_out)
        said = f"Imported {so_many(len(brought.ratings), 'judgment')} into the study {name.strip()!r}.{left_out}"
        return said, study.id

    waits = say_unanswered([prompts.question]) or bool(refusal)
    import_once((file.file_id, name.strip()), work, doing="Importing the preferences", waits=waits)


def _fields(file: UploadedFile, table: FileOverview) -> tuple[dict[str, str], RowFilter]:
    """Field -> column, and which rows count, as the viewer has it."""
    names = read_once(uploaded.all_names, [file])
    found = guessed(names)
    with st.expander("Columns and rows", icon=":material/tune:", expanded=not suffices(found)):
        as_it_is(table.columns, table.rows, table.first)
        st.caption("Which column holds what? Those whose names say so are chosen already.")
        boxes = st.container(horizontal=True)
        chosen = {
            field: boxes.selectbox(
                CALLED.get(field, field.capitalize()),
                ["", *names],
                names.index(found[field]) + 1 if field in found else 0,
                format_func=lambda column: column or "–",
                key=f"preferences-{field}-{file.file_id}",
                width=220,
            )
            for field in FIELDS
        }
        rows = choose_rows(file, table, *st.columns(2))
    return {field: column for field, column in chosen.items() if column}, rows


def _preview(brought: Restored) -> None:
    people = len({panel.annotator for panel in brought.panels if panel.person})
    by = f"by {so_many(people, 'annotator')}" if people else UNNAMED
    stories = f" of {so_many(len(brought.stories), 'story', 'stories')}" if brought.stories else ""
    if of_people := sum(story.source is Source.HUMAN for story in brought.stories):
        be, becomes = ("is", "it becomes a human story") if of_people == 1 else ("are", "they become the human stories")
        notice(
            f"{so_many(of_people, 'story', 'stories')} {be} people's, by the name of the system, and not a system's: "
            f"{becomes} of their prompts, which metrics compare with, and people are ranked beside the systems. Where "
            "that is wrong, call the system otherwise in the file."
        )
    st.caption(f"{so_many(len(brought.ratings), 'judgment')}{stories} {by}. The first ones:")
    about = {story.key: story for story in brought.stories}
    rows = []
    for given in brought.ratings[:PREVIEWED]:
        one, other = about.get(given.story_key), about.get(given.compared_with)
        value = given.values[PREFERENCE]
        rows.append(
            {
                "Prompt": one.prompt if one else "",
                "A": one.text if one else given.story_key,
                "B": other.text if other else given.compared_with,
                "Winner": "tie" if not value else f"{'A' if value > 0 else 'B'}, by {abs(value):g}",
                "A's system": group_of(one.source, one.system) if one else "",
                "B's system": group_of(other.source, other.system) if other else "",
                "Annotator": brought.panels[given.panel].annotator,
            }
        )
    st.dataframe(rows, hide_index=True, placeholder="–", alt="The first judgments of the file")


def _suggested(file_name: str) -> str:
    """The chosen study, if it asks about pairs; else the file's name."""
    chosen = chosen_study()
    return chosen.study.name if chosen is not None and chosen.study.scheme_key == TABLE else file_name
