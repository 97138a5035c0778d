"""What a study's metrics gave: a row each, two signatures side by side, and every metric against every other."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import streamlit as st

from core.analysis.between import MetricMatrix, compare_columns, metric_matrix
from core.analysis.correlation import correlate
from core.figures.correlation import AXES, metric_names
from core.figures.scores import against, distribution, matrix
from core.people import Role
from core.scores import ScoreTable
from db import ratings, tables
from pages.ui.viewer import require

POLL_SECONDS, POLL_LARGE_SECONDS, LARGE = 2.0, 10.0, 5_000
"""A study of more stories than that is read anew less often."""
CHART = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}


@st.cache_data(max_entries=8, show_spinner=False)
def _read(study_id: int, version: str) -> tuple[ScoreTable, list[dict[str, object]]]:
    """The table, and a row a metric: how much is scored, its spread, its agreement with people."""
    table = tables.table(study_id)
    rows: list[dict[str, object]] = []
    for column, name in zip(table.columns, metric_names(table.columns), strict=True):
        defined = column.values[np.isfinite(column.values)]
        found = correlate(column.values, table.human, resamples=0)
        rows.append(
            {
                "Metric": name,
                "Defined": len(defined),
                "Undefined": len(column.reasons),
                "r with people": found.pearson.value,
                "Distribution": np.histogram(defined, bins=20)[0].tolist() if len(defined) else [],
                "Mean": float(defined.mean()) if len(defined) else None,
                "SD": float(defined.std(ddof=1)) if len(defined) > 1 else None,
                "Why undefined": _reasons(column.reasons.values()),
                "Signature": column.signature,
            }
        )
    return replace(table, texts=()), rows  # nothing here shows a story


def _reasons(reasons: Iterable[str]) -> str:
    return "; ".join(f"{count:,}: {reason}" for reason, count in Counter(reasons).most_common())


def score_results(study_id: int, stories: int, active: bool) -> None:
    """Show the results; while a run is active they follow it."""
    st.subheader("Scores of this study")
    every = POLL_SECONDS if stories <= LARGE else POLL_LARGE_SECONDS
    st.fragment(_results, run_every=every if active else None)(study_id, stories)


def _results(study_id: int, stories: int) -> None:
    require(Role.RESEARCHER)  # it may run by itself for as long as the page is open
    version = ratings.version(study_id)
    table, rows = _read(study_id, version)
    if not rows:
        st.caption(f"None yet. There are {stories:,} stories to score.")
        return
    summary, single, between = st.tabs(["Summary", "One or two metrics", "Between metrics"])
    with summary:
        st.dataframe(
            rows,
            hide_index=True,
            alt="Scores by metric",
            column_config={
                "Distribution": st.column_config.BarChartColumn(),
                "r with people": st.column_config.NumberColumn(format="%.4f", help="Pearson's r with the mean rating"),
                "Mean": st.column_config.NumberColumn(format="%.4g"),
                "SD": st.column_config.NumberColumn(format="%.4g"),
            },
        )
        st.page_link("correlation.py", label="How far do they agree with people?", icon=":material/scatter_plot:")
    with single:
        _single(study_id, table)
    with between:
        _between(study_id, version, table)


def _single(study_id: int, table: ScoreTable) -> None:
    """One metric's distribution, and another set of scores against it: a second signature, if there is one."""
    names = metric_names(table.columns)
    labels = {i: column.signature for i, column in enumerate(table.columns)}
    for i, column in enumerate(table.columns):
        if column.signature.startswith("file:"):  # an imported one's does not name its metric
            labels[i] = f"{column.metric} from a file ({column.signature})"
    first = st.selectbox("Metric", list(labels), format_func=labels.__getitem__, key=f"first-{study_id}")
    chosen = table.columns[first]
    st.plotly_chart(distribution(chosen, names[first]), config=CHART, key="distribution", alt="Distribution")
    others = sorted((i for i in labels if i != first), key=lambda i: table.columns[i].metric != chosen.metric)
    if not others:
        st.caption("Run a second metric, or this one with another option, and the two can be compared here.")
        return
    second = st.selectbox(
        "Compared with",
        others,
        format_func=labels.__getitem__,
        key=f"second-{study_id}-{first}",
        help="Other signatures of the same metric come first.",
    )
    found = compare_columns(chosen, table.columns[second])
    both = against(chosen, table.columns[second], (names[first], names[second]))
    st.plotly_chart(both, config=CHART, key="against", alt="Two sets of scores")
    cells = st.columns(4)
    cells[0].metric("Stories with both", f"{found.n:,}")
    cells[1].metric("Pearson's r", _number(found.pearson))
    cells[2].metric("Spearman's ρ", _number(found.spearman))
    if chosen.metric == table.columns[second].metric:  # numbers of two metrics are on scales of their own
        cells[3].metric("Greatest difference", _number(found.largest_difference))
        st.caption(f"The second less the first is {_number(found.mean_difference)} on average.")
    st.caption(f"Scored only in the first: {found.only_first:,}; only in the second: {found.only_second:,}.")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


@st.cache_data(max_entries=8, show_spinner=False)
def _matrix(study_id: int, version: str, coefficient: str, _table: ScoreTable) -> MetricMatrix:
    del study_id, version  # what the result is kept under
    return metric_matrix(_table, coefficient)


def _between(study_id: int, version: str, table: ScoreTable) -> None:
    if len(table.columns) < 2:
        st.caption("Two metrics are needed to compare them with one another.")
        return
    coefficient = st.segmented_control(
        "Coefficient",
        list(AXES),
        format_func=AXES.__getitem__,
        default="pearson",
        required=True,
        key=f"between-{study_id}",
    )
    st.plotly_chart(
        matrix(_matrix(study_id, version, coefficient, table), metric_names(table.columns)),
        config=CHART,
        key="matrix",
        alt="Agreement between metrics",
    )
    st.caption("Over the stories that both metrics score. Blue: they rank stories alike; orange: the other way round.")
