"""The criteria of a study side by side: what was given, how far raters agree, how far the criteria say the same."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.analysis.criteria.overview import CriteriaMatrix, CriterionSummary, farthest_apart
from core.figures.criteria import among_criteria
from core.figures.style import number
from core.scores import ScoreTable
from pages.ui.shared.stories.story_drawer import open_row
from pages.ui.shared.stories.wanted_stories import carried
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.text import escaped

DECIDING = "Alpha, interval"
NOTES = {DECIDING: "The one that decides: metrics are held against means of ratings, which are of this level"}


def criteria(summaries: Sequence[CriterionSummary], matrix: CriteriaMatrix, read: Callable[[], ScoreTable]) -> None:
    """A row a criterion, and the heat map of the criteria. `read`: the table of all rated stories."""
    rows = [
        {
            "Criterion": item.criterion,
            "Stories": item.stories,
            "Ratings": item.ratings,
            "Mean": item.mean,
            "SD": item.sd,
            "Level": item.level,
            "Alpha": item.alpha,
            DECIDING: item.agreement.alpha["interval"],
            "ICC(1,k)": item.agreement.icc,
        }
        for item in summaries
    ]
    table_with_downloads(rows, "Criteria", notes=NOTES)
    st.caption(
        "Means and standard deviations of the stories' mean ratings. Alpha: Krippendorff's, at the criterion's own "
        "level of measurement. Alpha, interval, decides whether metrics can be held against the ratings: where its "
        "interval holds 0, or lies below, nothing shows that they agree. ICC(1,k): how much of the differences between "
        "stories' means is real."
    )
    chart(
        among_criteria(matrix),
        key="among_criteria",
        alt="Correlations among the criteria",
        on_points=partial(_mark, read),
    )
    st.caption(
        f"{_halo(matrix)} †: p < 0.01, from draws of whole prompts. Press a cell for the stories on which its two "
        "criteria part most, the farthest first."
    )


def _mark(read: Callable[[], ScoreTable], points: list[dict[str, Any]]) -> None:
    """Open the story on which the two criteria of the cell that was pressed part most."""
    parts = carried(points)
    if not parts:  # of the diagonal
        return
    first, second = parts
    keys = farthest_apart(read(), first, second)
    if keys:
        open_row(keys, 0)


def _halo(matrix: CriteriaMatrix) -> str:
    """The two pairs that are nearest and farthest, in a sentence."""
    names = [escaped(name) for name in matrix.criteria]
    pairs = [
        (cell.value, names[i], names[j])
        for i, row in enumerate(matrix.cells)
        for j, cell in enumerate(row[:i])
        if cell.value is not None
    ]
    if not pairs:
        return "No two criteria have a correlation yet."
    high, low = max(pairs), min(pairs)
    return (
        f"Nearest: {high[1]} and {high[2]} (r = {number(high[0])}); farthest: {low[1]} and {low[2]} "
        f"(r = {number(low[0])}). Criteria that hardly differ may be one impression rated several times (halo)."
    )
