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
from core.figures.data import figure_rows
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from pages.ui.correlation.rows import SYMBOLS, latex_caption
from pages.ui.correlation.scatter import show_scatter
from pages.ui.shared.analysis.finding import disagreeing, verdict
from pages.ui.shared.analysis.target_choice import prefer_target
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import carried
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.tables.no_claim import NO_CLAIM, with_no_claim
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
    figure = metrics_by_criteria(printed, names)
    of_cells = [no_claim(*size, agreed=may) for _ in result.metrics for may in agreed]
    chart(
        figure,
        key="by_criterion",
        alt="Correlation of each metric with each criterion",
        data_rows=lambda: with_no_claim(figure_rows(figure), of_cells),
        on_points=_mark,
    )
    marks = sum(bool(mark(cell)) for row in printed.cells for cell in row)
    st.caption(
        "Blue: the metric rises with the judgment; orange: it falls with it. The metrics whose coefficients are "
        "largest on average, whatever their sign, stand on top. "
        + ("†: p < 0.01, from draws of whole prompts. " if marks else "")
        + "Press a cell, here or in the table, for its stories as points."
    )
    _table(shown, result, _no_claim(size, disagreed))
    markable = [
        cell for row in printed.cells for cell, may in zip(row, agreed, strict=True) if may and cell.value is not None
    ]
    counted = f"{marks:,} of {len(markable):,} coefficients have a mark." if markable else ""
    said = " ".join(filter(None, (counted, without_marks(disagreed)))) if claimed(*size) else NO_MARK
    st.caption(escaped(said))


def _table(shown: View, result: HeatMap, reason: str) -> None:
    """The numbers of the map. `reason`: why nothing may be claimed of all of them, or of some."""
    symbol = SYMBOLS[result.coefficient]
    rows: list[dict[str, object]] = []
    for number, cells, reasons in zip(result.metrics, result.cells, result.reasons, strict=True):
        row: dict[str, object] = {"Metric": shown.names[number]}
        for criterion, cell, why in zip(result.criteria, cells, reasons, strict=True):
            row[f"{symbol}, {criterion}"] = Estimate(cell.value, cell.low, cell.high, why)
            row[f"p, {criterion}"] = cell.p_cluster
        rows.append(row)
    what = f"{AXES[result.coefficient]} of each metric with each criterion, {LEVELS[result.level].lower()}"
    table_with_downloads(
        [{name: value for name, value in row.items() if not name.startswith("p, ")} for row in rows],
        "Metrics by criteria",
        latex_caption(shown, what, agreed=False, why=f"{NO_CLAIM}: {reason}." if reason else ""),
        data_rows=with_no_claim(rows, [reason] * len(rows)),
        on_cell=lambda row, column: _scatter(shown.names[result.metrics[row]], column.partition(", ")[2]),
    )


def _no_claim(size: tuple[int, int], disagreed: Sequence[str]) -> str:
    """Why nothing may be claimed of all these criteria, or of some, for files that have their numbers all the same."""
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
