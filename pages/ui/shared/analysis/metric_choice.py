"""The metric that a page shows alone: kept in the address and from page to page, by name rather than by rank."""

from typing import Any

import streamlit as st

from core.metrics import registered
from core.scores import IMPORTED, ScoreColumn
from pages.ui.shared.analysis.trained_here import trained_here
from pages.ui.shared.analysis.view import View
from pages.ui.shared.page_arrival import first_time, note_drawn
from pages.ui.shared.stories.wanted_stories import carried
from pages.ui.shared.text import escaped, notice

KEY = "metric"
KEPT = "kept_metric"
ADDRESSED = "addressed_metric"
BOX, WIDEST, BESIDE, LETTER = 220, 380, 122, 7
"""Pixels of the box and its label, at least and at most, of what stands beside a name, and of its letters: the end of a
name tells versions of a metric apart.
"""


def choose_metric(shown: View) -> int:
    """A select box over the metrics, in their order; returns the chosen one's number in the table."""
    asked = [st.session_state.get(KEPT), st.query_params.get(KEY)]
    if first_time(KEY):  # a link names the metric that it is about, whatever was looked at before
        asked.reverse()
    chosen: str = next((name for name in asked if name is not None and name in shown.names), _first(shown))
    st.session_state[KEY] = chosen  # always: another page's box has left what it had, and would begin with the first
    number = shown.names.index(chosen)
    width = min(WIDEST, max(BOX, BESIDE + LETTER * max(map(len, shown.names))))
    with shown.bar or st.container():
        st.selectbox(
            "Metric", shown.names, key=KEY, on_change=_picked, width=width, help=_about(shown.table.columns[number])
        )
    st.session_state[KEPT] = st.query_params[KEY] = chosen
    note_drawn(KEY)
    return number


def _first(shown: View) -> str:
    """The best metric that was not trained on stories of the study, unless all were."""
    seen = trained_here(shown)
    fair = (name for name, one in zip(shown.names, shown.table.columns, strict=True) if one.signature not in seen)
    return next(fair, shown.names[0])


def prefer_metric(name: str) -> None:
    """Make this the chosen metric when the page is drawn next."""
    st.session_state[KEPT] = name


def mark_preferred(points: list[dict[str, Any]]) -> None:
    """The same for the metric whose point was pressed."""
    for name in carried(points)[:1]:
        prefer_metric(name)


def heed_address(shown: View) -> None:
    """Keep the metric that a link names for the pages to come, too; take one that these stories have no scores of out
    of the address, and say so.
    """
    asked = st.query_params.get(KEY)
    if asked is None or asked in shown.names:
        if asked is not None and first_time(ADDRESSED):
            prefer_metric(asked)
        note_drawn(ADDRESSED)
        return
    del st.query_params[KEY]
    if KEPT not in st.session_state:
        notice(f"The address names the metric {asked}, which these stories have no scores of.")


def _about(column: ScoreColumn) -> str:
    """What the metric measures, where Fabula computed it, and its signature."""
    kind = None if column.signature.startswith(IMPORTED) else registered(column.metric)
    lines = [kind.card.measures] if kind is not None else []
    return "\n\n".join(map(escaped, [*lines, f"Signature: {column.signature}"]))


def _picked() -> None:
    st.session_state[KEPT] = st.session_state[KEY]
