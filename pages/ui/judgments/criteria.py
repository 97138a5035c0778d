"""The criteria of a study side by side: what was given, how far raters agree, how far the criteria say the same."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.criteria.overview import CriteriaMatrix, CriterionSummary
from core.figures.criteria import among_criteria
from core.figures.style import number
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.text import escaped


def criteria(summaries: Sequence[CriterionSummary], matrix: CriteriaMatrix) -> None:
    """A row a criterion, and the heat map of the criteria."""
    rows = [
        {
            "Criterion": item.criterion,
            "Stories": item.stories,
            "Ratings": item.ratings,
            "Mean": item.mean,
            "SD": item.sd,
            "Level": item.level,
            "Alpha": item.alpha,
            "ICC(1,k)": item.agreement.icc,
        }
        for item in summaries
    ]
    table_with_downloads(rows, "Criteria")
    st.caption(
        "Means and standard deviations of the stories' mean ratings. Alpha: Krippendorff's, at the criterion's own "
        "level of measurement; ICC(1,k): how much of the differences between stories' means is real."
    )
    chart(among_criteria(matrix), key="among_criteria", alt="Correlations among the criteria")
    st.caption(_halo(matrix))


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
