"""Which rows of a file of judgments count, as the Import page asks for it; a press leaves rejected work out."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.formats.exports.chosen_rows import STATUS, is_rejected, rejected_sentence
from core.formats.exports.overview import FileOverview
from core.formats.tables import RowFilter
from pages.ui.shared.text import warning

CHOOSE = f"to leave them out, choose above “Only rows where” {STATUS} is Approved"
"""What to do where so much stands in the column that it cannot be offered as a choice."""
SHOWN = 60
"""Characters of a value that are shown."""
NOT_COMPARED = "Capitals and blanks around do not matter."


def choose_rows(file: UploadedFile, table: FileOverview, left: DeltaGenerator, right: DeltaGenerator) -> RowFilter:
    """Ask `left` for a column and `right` for what it must hold: a choice where few values stand in it."""
    column = left.selectbox(
        "Only rows where", ["", *table.columns], format_func=lambda item: item or "all", key=_column_key(file)
    )
    if column in table.values:
        values = right.multiselect(
            "is",
            table.values[column],
            format_func=lambda value: value[:SHOWN] or "empty",
            key=_values_key(file, column),
            placeholder="one of these",
            help=NOT_COMPARED,
        )
        return RowFilter(tuple((column, value) for value in values))
    value = right.text_input(
        "is",
        key=f"value-{file.file_id}",
        disabled=not column,
        placeholder="all of the cell",
        help=f"All that stands in the cell. {NOT_COMPARED}",
    )
    return RowFilter(((column, value),) if column and value else ())


def warn_of_rejected(file: UploadedFile, number: int, values: Mapping[str, Sequence[str]]) -> None:
    """Say that work comes in that was rejected, and offer to leave it out; `values`: those of columns with few."""
    if not number:
        return
    others = [value for value in values.get(STATUS, ()) if not is_rejected(value)]
    if not others:  # all of it was, or nobody can choose by it
        warning(rejected_sentence(number, CHOOSE if STATUS not in values else ""))
        return
    warning(rejected_sentence(number))

    def leave_out() -> None:
        st.session_state[_column_key(file)] = STATUS
        st.session_state[_values_key(file, STATUS)] = others

    st.button("Leave the rejected work out", icon=":material/filter_alt:", on_click=leave_out)


def _column_key(file: UploadedFile) -> str:
    return f"where-{file.file_id}"


def _values_key(file: UploadedFile, column: str) -> str:
    return f"values-{column}-{file.file_id}"
