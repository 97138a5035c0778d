"""Correlation: how far each metric agrees with people. Follows scores and ratings as they arrive."""

import streamlit as st

from core.errors import FabulaError
from core.figures.correlation import AXES, metric_names
from core.people import Role
from core.studies import StudySummary
from pages.ui.correlation_data import Found, overall
from pages.ui.correlation_errors import error_types
from pages.ui.correlation_more import more_section
from pages.ui.correlation_prompts import within
from pages.ui.correlation_scatter import scatter_plot
from pages.ui.correlation_significance import significance_section
from pages.ui.correlation_systems import systems
from pages.ui.correlation_table import correlations
from pages.ui.metric_choice import choose_metric
from pages.ui.study import choose
from pages.ui.text import problem
from pages.ui.view import View, follow, view
from pages.ui.viewer import require

require(Role.RESEARCHER)
TABS = ("Table", "Scatter", "By error type", "By system", "Within prompts", "Significance", "How many more?")
OF_A_COEFFICIENT = TABS[:4]  # those that show one coefficient at a time


def page(summary: StudySummary) -> None:
    """Everything below the study's name."""
    shown = view(summary)
    if not shown.table.columns:
        st.info("This study has no scores yet.")
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
    else:
        notes = st.container()
        found = tabs(shown)
        if all(one.correlation.n == 0 for one in found.rows):
            notes.info(
                "No story has both a score and a valid rating yet. This page fills as annotators hand in panels."
            )
    follow(shown)


def tabs(shown: View) -> Found:
    """Only the tab that is looked at is made; the intervals of all stories are the table's alone, so only it waits."""
    above = st.container()
    drawn = dict(zip(TABS, st.tabs(TABS, key="tab", bind="query-params"), strict=True))
    chosen = next((name for name, tab in drawn.items() if tab.open), TABS[0])
    coefficient = "pearson"
    if chosen in OF_A_COEFFICIENT:
        coefficient = above.segmented_control(
            "Coefficient",
            list(AXES),
            format_func=AXES.__getitem__,
            default="pearson",
            required=True,
            key="coefficient",
            bind="query-params",
        )
    with drawn[chosen]:
        found = overall(shown.key, shown.table, shown.seed, shown.resamples if chosen == "Table" else 0)
        match chosen:
            case "Table":
                correlations(shown, found, coefficient)
            case "Scatter":
                scatter_plot(shown, found, metric(found), coefficient)
            case "By error type":
                error_types(shown, coefficient)
            case "By system":
                systems(shown, found, metric(found), coefficient)
            case "Within prompts":
                within(shown, found)
            case "Significance":
                significance_section(shown)
            case _:
                more_section(shown)
    return found


def metric(found: Found) -> tuple[str, str]:
    """The metric that was chosen, by name and signature."""
    chosen = found.rows[choose_metric(metric_names(found.rows), [one.signature for one in found.rows])]
    return chosen.metric, chosen.signature


st.title("Correlation")
try:
    page(choose())
except FabulaError as error:
    problem(str(error))
