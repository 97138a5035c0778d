"""A list of a table's rows for who uses no pointer: a grid takes each key that walks over it for a press of a cell. The
list comes into sight where the keyboard reaches it; the grid itself is passed over.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from pages.ui.shared.tables.column_notes import INTERVAL

LIST = "choose-"
"""How the key of such a list begins: a style keeps it out of sight."""


def choose_row(
    rows: Sequence[Mapping[str, object]], key: str, on_cell: Callable[[int, str], None], *, alt: str, by_cell: bool
) -> None:
    """What a press does, by a list: of rows, or of cells where these differ. `key`, `alt`: the table's."""
    names = [_name(row) for row in rows]
    columns = list(rows[0]) if rows else []
    targets = [column for column in columns[1:] if not column.startswith(INTERVAL)] if by_cell else columns[:1]
    places = [(row, column) for row in range(len(rows)) for column in targets]
    with st.container(key=f"{LIST}{key}"):
        st.selectbox(
            f"{alt}: choose a {'cell' if by_cell else 'row'}",
            range(len(places)),
            None,
            format_func=lambda place: names[places[place][0]] + (f", {places[place][1]}" if by_cell else ""),
            key=f"{key}-chosen",
            placeholder="Choose, as by a press",
            on_change=partial(_chosen, f"{key}-chosen", places, on_cell),
        )


def tick_rows(
    rows: Sequence[Mapping[str, object]], key: str, on_ticked: Callable[[Sequence[int]], None], *, alt: str
) -> None:
    """The same of rows that can be ticked, several at once."""
    names = [_name(row) for row in rows]
    with st.container(key=f"{LIST}{key}"):
        st.multiselect(
            f"{alt}: choose rows",
            range(len(rows)),
            format_func=names.__getitem__,
            key=f"{key}-chosen",
            placeholder="Choose one or more, as by ticks",
            on_change=lambda: on_ticked(st.session_state[f"{key}-chosen"]),
        )


def _chosen(key: str, places: Sequence[tuple[int, str]], on_cell: Callable[[int, str], None]) -> None:
    place = st.session_state[key]
    st.session_state[key] = None  # so that it can be chosen again
    if place is not None:
        on_cell(*places[place])


def _name(row: Mapping[str, object]) -> str:
    """Its first cell, and the second where that is words too."""
    first, *rest = row.values()
    return f"{first}, {rest[0]}" if rest and isinstance(rest[0], str) and rest[0] else str(first)
