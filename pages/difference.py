"""Difference: when a metric sees a difference between sets of stories, do people see it too? OpenMEVA's Figure 2."""

import streamlit as st

from core.analysis.difference import MetricDifference, difference_table
from core.errors import StorageError
from core.figures.correlation import metric_names
from core.people import Role
from core.scores import ScoreTable
from pages.ui.difference_metric import metric_section
from pages.ui.difference_metrics import metrics_section
from pages.ui.study import choose
from pages.ui.text import problem
from pages.ui.view import follow, view
from pages.ui.viewer import require

require(Role.RESEARCHER)


@st.cache_data(max_entries=8, show_spinner="Comparing sets of stories")
def computed(key: tuple[object, ...], _table: ScoreTable, seed: int) -> tuple[MetricDifference, ...]:
    """The differences of every metric for this state of the data."""
    return difference_table(_table, seed=seed)


def best_first(found: tuple[MetricDifference, ...], names: list[str]) -> tuple[list[str], list[MetricDifference]]:
    """By R squared, undefined ones last; names and metrics in the same order."""
    order = sorted(range(len(found)), key=lambda i: -(found[i].difference.r2 or -1.0))
    return [names[i] for i in order], [found[i] for i in order]


def page() -> None:
    """Every metric, then one of them pair by pair."""
    st.title("Difference")
    summary = choose()
    try:
        shown = view(summary)
    except StorageError as error:
        problem(str(error))
        return
    follow(shown)
    if not shown.table.columns:
        st.info("This study has no scores yet.")
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
        return
    names, found = best_first(computed(shown.key, shown.table, shown.seed), metric_names(shown.table.columns))
    if not shown.table.rated:
        st.info("No story here has a valid rating yet. This page fills as annotators hand in panels.")
        return
    metrics_section(names, found, shown.table.rated, shown.seed)
    metric_section(names, found, shown.key)


page()
