"""Every metric with every criterion, at a glance and as a table."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.analysis.criteria.heat_map import HeatMap, Level, heat_map, starred
from core.analysis.verdict.criteria import on_map
from core.figures.correlation import AXES
from core.figures.criteria import metrics_by_criteria
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from pages.ui.correlation.rows import SYMBOLS
from pages.ui.shared.analysis import metric_choice, target_choice
from pages.ui.shared.analysis.finding import say
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.downloads import chart, table_with_downloads

LEVELS = {Level.PROMPT: "Stories of a prompt", Level.SYSTEM: "Systems"}


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
        default=Level.PROMPT,
        required=True,
        key="level",
        bind="query-params",
        help="Whether a metric tells the better of one prompt's stories, averaged over prompts, or the better system.",
    )
    result = computed(shown.key, level, coefficient, shown.table, shown.seed, shown.resamples)
    names = shown.names
    rated = np.flatnonzero(np.isfinite(shown.table.human)).tolist()
    say(shown, on_map(result, names, len(rated), len({shown.table.prompts[place] for place in rated})))
    chart(metrics_by_criteria(result, names), key="by_criterion", alt="Correlation of each metric with each criterion")
    st.caption(
        "Blue: the metric rises with the judgment; orange: it falls with it. The metrics whose coefficients are "
        "largest on average, whatever their sign, stand on top. Star: p < 0.01, from draws of whole prompts."
    )
    _to_scatter([names[number] for number in result.metrics], result.criteria)
    symbol = SYMBOLS[coefficient]
    rows: list[dict[str, object]] = []
    for number, cells, reasons in zip(result.metrics, result.cells, result.reasons, strict=True):
        row: dict[str, object] = {"Metric": names[number]}
        for criterion, cell, reason in zip(result.criteria, cells, reasons, strict=True):
            row[f"{symbol}, {criterion}"] = Estimate(cell.value, cell.low, cell.high, reason)
            row[f"p, {criterion}"] = cell.p_cluster
        rows.append(row)
    defined = [cell for cells in result.cells for cell in cells if cell.value is not None]
    table_with_downloads(
        [{name: value for name, value in row.items() if not name.startswith("p, ")} for row in rows],
        "Metrics by criteria",
        f"{AXES[coefficient]} of each metric with each criterion, {LEVELS[level].lower()}.",
        data_rows=rows,
    )
    st.caption(f"{sum(map(starred, defined)):,} of {len(defined):,} coefficients have a star.")


def _to_scatter(names: Sequence[str], criteria: Sequence[str]) -> None:
    """A way from a cell to the stories behind it: cells themselves cannot be pressed."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Metric", names, key="cell-metric", width=240)
        st.selectbox("Criterion", criteria, key="cell-criterion", width=240)
        st.button("Its stories, as points", icon=":material/scatter_plot:", key="cell-scatter", on_click=_scatter)


def _scatter() -> None:
    metric, criterion = st.session_state["cell-metric"], st.session_state["cell-criterion"]
    st.session_state["tab"] = "Scatter"
    st.session_state[metric_choice.KEPT] = metric
    st.session_state[target_choice.KEPT] = st.query_params[target_choice.KEY] = criterion
