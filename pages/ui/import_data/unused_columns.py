"""The columns of a file of ratings of which nothing comes in, as the Import page sees them."""

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.formats.columns import parts_of
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.restored import Restored
from core.formats.uploads import uploaded
from pages.ui.import_data.steps import named_columns
from pages.ui.shared.uploads import read_once

MANY_ROWS = 3
"""In so many rows stands each of a column's few values, where it may say who rated."""


def numbers_unused(file: UploadedFile, choice: ColumnChoice, brought: Restored) -> list[str]:
    """The columns of numbers of which nothing comes in."""
    numbers = read_once(uploaded.file_overview, [file]).numbers
    return [column for column in _unused(file, choice, brought) if column in numbers]


def _unused(file: UploadedFile, choice: ColumnChoice, brought: Restored) -> list[str]:
    """The columns of which nothing comes in."""
    table = read_once(uploaded.file_overview, [file])
    held = (*brought.sheet.named.values(), *(column for column, _ in choice.rows))
    used = {part for column in held for part in parts_of(column, table.columns)}
    return [column for column in table.columns if column not in used]


def say_who(file: UploadedFile, choice: ColumnChoice, brought: Restored) -> None:
    """Where no rater is named, say which column may name them: one with few values, each of them in many rows."""
    table = read_once(uploaded.file_overview, [file])
    values = {column: len(table.values.get(column, ())) for column in _unused(file, choice, brought)}
    may = [column for column, number in values.items() if 1 < number <= table.rows / MANY_ROWS]
    if may and not any(given.raters > 1 for given in brought.ratings[:1]):  # a mean is nobody's
        st.info(
            f"Does {named_columns(may)} say who rated? Then choose it as *Annotator* above, under *Columns, rows and "
            "scale*: without it the raters are *rater 1*, *rater 2* and so on, and nothing is known of a person.",
            icon=":material/info:",
        )
