"""Difference: when a metric sees a difference between sets of stories, do people see it too? OpenMEVA's Figure 2."""

import streamlit as st

from core.analysis.difference.differences import FEWEST, Convention, MetricDifference, difference_table
from core.people import Role
from core.scores import ScoreTable
from pages.ui.difference.all_metrics import choose_convention, metrics_section, say_closest
from pages.ui.difference.single_metric import metric_section
from pages.ui.shared.analysis.finding import agreement
from pages.ui.shared.analysis.page_frame import analysis, without_correlation
from pages.ui.shared.analysis.trained_here import trained_caution, trained_here
from pages.ui.shared.analysis.tuned import tuned_caution
from pages.ui.shared.analysis.view import View
from pages.ui.shared.viewer import require

require(Role.RESEARCHER)


@st.cache_data(max_entries=8, show_spinner="Comparing sets of stories")
def computed(
    key: tuple[object, ...], _table: ScoreTable, seed: int, convention: Convention
) -> tuple[MetricDifference, ...]:
    """The differences of every metric for this state of the data."""
    return difference_table(_table, seed=seed, convention=convention)


def sections(shown: View) -> None:
    """Every metric, then one of them pair by pair."""
    if without_correlation(shown, FEWEST):
        return
    tuned_caution(shown)
    trained_caution(shown)
    metric_differences = computed(shown.key, shown.table, shown.seed, choose_convention(shown.bar or st.container()))
    seen = trained_here(shown)
    trained = {name for name, one in zip(shown.names, shown.table.columns, strict=True) if one.signature in seen}
    if not agreement(shown).disagree:  # then numbers only describe these stories
        say_closest(shown.names, metric_differences, trained)
    below = metrics_section(shown.names, metric_differences, shown.table.rated, shown.seed)
    metric_section(shown, metric_differences, below)


analysis("Difference", "When a metric sees a difference between sets of stories, do people see it too?", sections)
