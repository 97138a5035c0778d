"""Every metric with every criterion, at a glance and as a table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.criteria.heat_map import HeatMap, Level, heat_map, mark
from core.analysis.verdict.criteria import no_claim_on, on_map, without_marks
from core.analysis.verdict.few_stories import if_claimed, no_claim
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED, claimed
from core.figures.correlation import AXES
from core.figures.criteria import metrics_by_criteria
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from pages.ui.correlation.rows import SYMBOLS, with_no_claim
from pages.ui.correlation.scatter import show_scatter
from pages.ui.shared.analysis.finding import disagreeing, verdict
from pages.ui.shared.analysis.target_choice import prefer_target
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import carried
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.text import escaped

NO_MARK = (
    f"Of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts no coefficient has a mark: too few to "
    "claim anything."
)
ALL_STORIES = "All stories"
LEVELS = {Level.STORY: ALL_STORIES, Level.PROMPT: "Stories of a prompt", Level.SYSTEM: "Systems"}


@st.cache_data(max_entries=8, show_spinner="Correlating every metric with every criterion")
def computed(
    key: tuple[object, ...], level: Level, coefficient: str, _table: ScoreTable, seed: int, resamples: int
) -> HeatMap:
    """The heat map of this state of the data."""
    del key
    return heat_map(_table, level=level, coefficient=coefficient, seed=seed, resamples=resamples)


def by_criterion(shown: View, coefficient: str) -> None:
    """The heat map, and the same numbers with their intervals."""
    level = st.segmented_control(
        "Over",
        list(LEVELS),
        format_func=LEVELS.__getitem__,
        default=Level.STORY,  # as on the other tabs
        required=True,
        key="level",
        bind="query-params",
        help="Whether a metric tells the better of any two stories, of one prompt's stories, averaged over prompts, or "
        "the better system.",
    )
    result = computed(shown.key, level, coefficient, shown.table, shown.seed, shown.resamples)
    names = shown.names
    rated = np.flatnonzero(np.isfinite(shown.table.human)).tolist()
    size = len(rated), len({shown.table.prompts[place] for place in rated})
    disagreed = disagreeing(shown)
    if said := on_map(result, names, *size, disagreed):  # not silenced by the ratings on the criterion that is chosen
        verdict(escaped(said))
    agreed = [criterion not in disagreed for criterion in result.criteria]
    printed = replace(
        result,
        cells=tuple(
            tuple(if_claimed(cell, *size, agreed=may) for cell, may in zip(row, agreed, strict=True))
            for row in result.cells
        ),
    )
    chart(
        metrics_by_criteria(printed, names),
        key="by_criterion",
        alt="Correlation of each metric with each criterion",
        on_points=_mark,
    )
    st.caption(
        "Blue: the metric rises with the judgment; orange: it falls with it. The metrics whose coefficients are "
        "largest on average, whatever their sign, stand on top. "
        "†: p < 0.01, from draws of whole prompts. Press a cell, here or in the table, for its stories as points."
    )
    symbol = SYMBOLS[coefficient]
    rows: list[dict[str, object]] = []
    for number, cells, reasons in zip(result.metrics, result.cells, result.reasons, strict=True):
        row: dict[str, object] = {"Metric": names[number]}
        for criterion, cell, reason in zip(result.criteria, cells, reasons, strict=True):
            row[f"{symbol}, {criterion}"] = Estimate(cell.value, cell.low, cell.high, reason)
            row[f"p, {criterion}"] = cell.p_cluster
        rows.append(row)
    markable = [
        cell for row in printed.cells for cell, may in zip(row, agreed, strict=True) if may and cell.value is not None
    ]
    table_with_downloads(
        [{name: value for name, value in row.items() if not name.startswith("p, ")} for row in rows],
        "Metrics by criteria",
        f"{AXES[coefficient]} of each metric with each criterion, {LEVELS[level].lower()}.",
        data_rows=with_no_claim(rows, [_no_claim(size, disagreed)] * len(rows)),
        on_cell=lambda row, column: _scatter(names[result.metrics[row]], column.partition(", ")[2]),
    )
    marked = f"{sum(bool(mark(cell)) for cell in markable):,} of {len(markable):,} coefficients have a mark."
    counted = (marked if markable else "", without_marks(disagreed))
    st.caption(escaped(" ".join(filter(None, counted))) if claimed(*size) else NO_MARK)


def _no_claim(size: tuple[int, int], disagreed: Sequence[str]) -> str:
    """Why nothing may be claimed of all these criteria, or of some, for the file that has their p all the same."""
    return no_claim(*size, agreed=True) or no_claim_on(disagreed)


def _mark(points: list[dict[str, Any]]) -> None:
    parts = carried(points)
    if parts:
        _scatter(*parts)


def _scatter(metric: str, criterion: str) -> None:
    """Show the metric's stories as points when the page is drawn next; a metric's own cell names no criterion."""
    show_scatter(metric)
    if criterion:
        prefer_target(criterion)
