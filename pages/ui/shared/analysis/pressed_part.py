"""The stories behind a part of a figure that was pressed: the address names the part, the list stands below it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.people import Role
from core.scores import ScoreTable
from core.stored_texts import strings_at
from db.stories import selections
from pages.ui.shared.stories.selection_form import keep_selection
from pages.ui.shared.stories.story_drawer import PRESS_ROW, open_row
from pages.ui.shared.stories.wanted_stories import carried
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.viewer import require

LEVEL, PAIR, BAR = "rated", "pair", "scored"
"""What addresses call a level of ratings that was pressed, by its two ends, a pair of sets, by their numbers, and a bar
of a metric's scores, by its name and the bar's number.
"""
BETWEEN = ","
"""Stands between what a part carries."""


def mark_part(address: str, points: list[dict[str, Any]]) -> None:
    """Put what the part carries that was pressed into the address; where it is pressed again, take it out."""
    parts = carried(points)
    if parts:
        st.query_params[address] = BETWEEN.join(parts)
    else:
        st.query_params.pop(address, None)


def part_stories(
    study_id: int,
    scores: ScoreTable,
    said: str,
    name: str,
    places: Sequence[int],
    columns: Mapping[str, Sequence[object]],
) -> None:
    """The stories in these rows of `scores`, each a press from its text; all of them can be kept as a selection.

    `said`: what they are, in Markdown. `name`: of the list, which no other table of the page has. `columns`: what
    stands beside each story's name and system, a value a story.
    """
    keys = list(strings_at(scores.keys, np.array(places, dtype=np.intp)))
    st.markdown(f"**{said}: {len(keys):,} stor{'y' if len(keys) == 1 else 'ies'}**")
    if not keys:
        return
    rows = [
        {"Story": key, "System": scores.systems[place], **dict(zip(columns, values, strict=True))}
        for key, place, *values in zip(keys, places, *columns.values(), strict=True)
    ]
    table(name, rows, on_row=partial(open_row, keys))
    st.caption(PRESS_ROW)
    viewer = require(Role.RESEARCHER)
    different = tuple(dict.fromkeys(keys))
    keep_selection(
        len(different),
        lambda called: selections.save_keys(viewer, study_id, called, different),
        key=f"keep-{name.lower().replace(' ', '-')}",
    )
