"""Metric report: all that is known of one metric on a page, with a verdict, and the same as a file."""

import streamlit as st

from core.errors import FabulaError
from core.figures.correlation import metric_names
from core.people import Role
from pages.ui.metric_choice import choose_metric
from pages.ui.report_sections import computed, save, show
from pages.ui.study import choose
from pages.ui.text import problem
from pages.ui.view import View, follow, view
from pages.ui.viewer import require

require(Role.RESEARCHER)


def report(shown: View) -> None:
    """The report of the chosen metric."""
    if not shown.table.columns:
        st.info("This study has no scores yet.")
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
        return
    names = metric_names(shown.table.columns)
    metric = names[choose_metric(names, [column.signature for column in shown.table.columns])]
    found, parts = computed(shown.key, metric, shown)
    save(found)
    show(found, parts)


st.title("Metric report")
summary = choose()
try:
    current = view(summary)
    report(current)
    follow(current)
except FabulaError as error:
    problem(str(error))
