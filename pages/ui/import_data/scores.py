"""The Import page's part for scores from other programs: which columns, under what names, with which sign."""

from functools import partial
from pathlib import PurePosixPath

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.annotation.past_imports import SCORES, Origin
from core.formats.cells import is_empty
from core.formats.scores import Brought, MetricColumn
from core.formats.tables import Table
from core.formats.uploads import uploaded
from core.formats.uploads.examples import scores_example
from core.formats.uploads.score_columns import offered_scores
from core.people import Person
from core.stories import Source
from db.scores import scores
from pages.ui.import_data.running import ImportResult, Tell
from pages.ui.import_data.steps import PREVIEWED, import_once, named_columns, say_chosen
from pages.ui.shared.example_file import example_file
from pages.ui.shared.study_choice import choose
from pages.ui.shared.text import escaped
from pages.ui.shared.uploads import read_once

NAMED = 5
"""Metrics that a message names."""
TAKE, COLUMN, NAME, LOWER, ROWS, FIRST = (
    *("Import", "Column", "Metric", "Lower is better", "Rows with a score", "First scores"),
)


def import_scores(viewer: Person) -> None:
    """Scores of one metric or more into the chosen study."""
    summary = choose()
    where = st.empty()
    file = st.file_uploader(
        "A text file with one number per line, or a table", ["txt", "csv", "tsv", "json", "jsonl", "parquet"]
    )
    example = st.empty()
    if file is None:
        say_chosen(where, summary.study)
        with example.container():
            example_file(
                scores_example(scores.story_keys(summary.study.id)),
                "A text file follows the order of the study's stories; a table names each story by its id, and may "
                "hold many metrics. OpenMEVA's JSON file of scores is read as it is. The example has made-up scores "
                "of this study's first stories.",
            )
        return
    if PurePosixPath(file.name).suffix.lower() == ".txt":
        wanted, identity = _one(file.name), None
    else:
        wanted, identity = _several(read_once(uploaded.score_table, [file]))
    if not wanted:
        st.info("Choose at least one column of scores.")
        return
    _offer(viewer, summary.study.id, file, wanted, identity)


def _one(name: str) -> list[MetricColumn]:
    metric = st.text_input("Metric's name", name.rsplit(".", 1)[0].removesuffix("_score"), max_chars=100)
    return [MetricColumn(metric, None, st.toggle("Lower is better (the scores are negated)"))]


def _several(table: Table) -> tuple[list[MetricColumn], str | None]:
    """The columns that are ticked, and the column of the ids."""
    identity = (
        st.selectbox("Column of the id", ["", *table.columns], format_func=lambda c: c or "found by its name") or None
    )
    offered = offered_scores(table, identity)
    single = list(offered.columns) == ["score"]
    stem = table.name.rsplit(".", 1)[0].removesuffix("_score")
    first = [
        {
            TAKE: column in offered.usual,
            COLUMN: column,
            NAME: stem if single else column,
            LOWER: False,
            ROWS: f"{scored:,} of {len(table.rows):,}",
            FIRST: ", ".join(str(cell) for row in table.rows[:3] if not is_empty(cell := row.get(column))),
        }
        for column, scored in offered.columns.items()
    ]
    for sentence in offered.refused[:NAMED]:
        st.warning(f"Not offered: {escaped(sentence)} Correct it in the file, or leave the cell empty.")
    if not first:
        st.warning("No column of this table holds numbers and else only empty cells.")
        return [], identity
    if offered.people:
        st.caption(
            f"Not chosen, as they look like people's ratings: {named_columns(offered.people)}. Those come in with "
            "*Ratings, or an export*."
        )
    st.caption("Which columns to import, what to call each metric, and whether lower is better there:")
    edited = st.data_editor(
        pd.DataFrame(first), hide_index=True, disabled=[COLUMN, ROWS, FIRST], key=f"columns-{table.name}"
    )
    rows = [row for row in edited.to_dict("records") if row[TAKE]]
    return [MetricColumn(str(row[NAME] or ""), str(row[COLUMN]), bool(row[LOWER])) for row in rows], identity


def _brought(
    study_id: int, file: UploadedFile, wanted: list[MetricColumn], identity: str | None
) -> tuple[Brought, list[str]]:
    """What the file brings, and the stories that it may be of: people's too where they stand beside the others and
    somebody says so.
    """
    reader = partial(uploaded.scores, wanted=tuple(wanted), identity=identity)
    keys, every = scores.story_keys(study_id), scores.story_keys(study_id, scores.sources(study_id))
    beside = len(every) > len(keys)
    of_people = beside and st.checkbox(
        "Keep scores of people's stories too",
        help="For metrics that read a story alone: one that compares with references has compared people's stories "
        "with themselves, which says nothing.",
    )
    if of_people:
        return read_once(partial(reader, keys=tuple(every)), [file]), every
    people = tuple(sorted(scores.story_keys(study_id, (Source.HUMAN,))))
    brought = read_once(partial(reader, keys=tuple(keys), people=people), [file])
    if brought.of_people:
        left_out = f"Left out as rows of people's stories: {brought.of_people:,}."
        st.caption(left_out if beside else brought.unscored_people)
    return brought, keys


def _offer(viewer: Person, study_id: int, file: UploadedFile, wanted: list[MetricColumn], identity: str | None) -> None:
    """A preview, and the button that imports."""
    brought, keys = _brought(study_id, file, wanted, identity)
    numbers = sorted({len(record.values) for record in brought.records})
    several = " to ".join(f"{number:,}" for number in dict.fromkeys((numbers[0], numbers[-1])))
    st.caption(f"{several} of {len(keys):,} stories have a score. The first ones:")
    first_keys = list(dict.fromkeys(key for record in brought.records for key in record.values))[:PREVIEWED]
    rows = [{"Id": key, **{record.metric: record.values.get(key) for record in brought.records}} for key in first_keys]
    st.dataframe(rows, hide_index=True, placeholder="–", alt="The first scores of the file")
    for notice in brought.notices:
        st.caption(escaped(notice))
    if brought.left_out:
        st.caption(f"Left out as rows of no story of this study: {brought.left_out:,}.")
    signatures = [(record.metric, record.signature) for record in brought.records]
    replace = st.checkbox("Replace imported scores of the same names")

    def work(tell: Tell) -> ImportResult:
        origin = Origin(SCORES, (file.name,))
        scores.import_scores(viewer, study_id, *brought.records, replace=replace, origin=origin)
        names = ", ".join(record.metric for record in brought.records[:NAMED])
        names += f" and {more:,} more" if (more := len(brought.records) - NAMED) > 0 else ""
        each = "each of " if len(brought.records) > 1 else ""
        return f"Imported {several} scores of {each}{names}.", study_id

    import_once((study_id, replace, *signatures), work, label="Import the scores", doing="Importing the scores")
