"""One metric's scores, two sets of scores side by side, and every metric against every other."""

from functools import partial

import streamlit as st

from core.analysis.correlation.metrics import MetricMatrix, compare_columns, metric_matrix
from core.figures.correlation import AXES, metric_names
from core.figures.scores import against, both_rows, distribution, matrix
from core.scores import ScoreTable
from pages.ui.shared.tables.downloads import chart


def single(study_id: int, table: ScoreTable) -> None:
    """One metric's distribution, and another set of scores against it: a second signature, if there is one."""
    names = metric_names(table.columns)
    labels = {i: column.signature for i, column in enumerate(table.columns)}
    for i, column in enumerate(table.columns):
        if column.signature.startswith("file:"):  # an imported one's does not name its metric
            labels[i] = f"{column.metric} from a file ({column.signature})"
    first = st.selectbox("Metric", list(labels), format_func=labels.__getitem__, key=f"first-{study_id}")
    chosen = table.columns[first]
    chart(distribution(chosen, names[first]), key="distribution", alt=f"Distribution of {names[first]}")
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
    comparison = compare_columns(chosen, table.columns[second])
    both = against(chosen, table.columns[second], (names[first], names[second]))
    chart(
        both,
        key="against",
        alt="Two sets of scores",
        data_rows=partial(both_rows, chosen, table.columns[second], table.keys),
    )
    cells = st.columns(4)
    cells[0].metric("Stories with both", f"{comparison.n:,}")
    cells[1].metric("Pearson's r", _number(comparison.pearson))
    cells[2].metric("Spearman's ρ", _number(comparison.spearman))
    if chosen.metric == table.columns[second].metric:  # numbers of two metrics are on scales of their own
        cells[3].metric("Greatest difference", _number(comparison.largest_difference))
        st.caption(f"The second less the first is {_number(comparison.mean_difference)} on average.")
    st.caption(f"Scored only in the first: {comparison.only_first:,}; only in the second: {comparison.only_second:,}.")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


@st.cache_data(max_entries=8, show_spinner=False)
def _matrix(study_id: int, version: str, coefficient: str, _table: ScoreTable) -> MetricMatrix:
    del study_id, version  # what the result is kept under
    return metric_matrix(_table, coefficient)


def metric_pairs(study_id: int, version: str, table: ScoreTable) -> None:
    """Every metric against every other."""
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
    chart(
        matrix(_matrix(study_id, version, coefficient, table), metric_names(table.columns)),
        key="matrix",
        alt="Agreement between metrics",
    )
    st.caption("Over the stories that both metrics score. Blue: they rank stories alike; orange: the other way round.")
