"""Drift: does a metric agree with people as well on poor stories, on other systems' stories, on other corpora?"""

import streamlit as st

from core.figures.drift import MOST, USUAL
from core.people import Role
from pages.ui.drift.dataset import dataset_section
from pages.ui.drift.quality import quality_section
from pages.ui.drift.system import system_section
from pages.ui.shared.analysis.page_frame import analysis, without_correlation
from pages.ui.shared.analysis.trained_here import trained_caution
from pages.ui.shared.analysis.tuned import tuned_caution
from pages.ui.shared.analysis.view import View
from pages.ui.shared.viewer import require

require(Role.RESEARCHER)
TABS = ("Quality", "System", "Dataset")


def metrics_box(names: list[str]) -> list[str]:
    """The metrics that the figures show, as many as a figure can tell apart."""
    kept = st.session_state.get("metrics")
    if kept is not None and not set(kept) <= set(names):  # of another study
        st.session_state["metrics"] = [name for name in kept if name in names] or names[:USUAL]
    return st.multiselect(
        "Metrics in the figures",
        names,
        names[:USUAL],
        max_selections=MOST,
        key="metrics",
        bind="query-params",
        persist_state="session",
        help=f"Up to {MOST}; the tables have all. The best come first.",
    )


def sections(shown: View) -> None:
    """The tabs; what is not looked at is not computed."""
    if without_correlation(shown):
        return
    tuned_caution(shown)
    trained_caution(shown)
    tabs = dict(zip(TABS, st.tabs(TABS, key="drift", bind="query-params"), strict=True))
    chosen = next((name for name, tab in tabs.items() if tab.open), TABS[0])
    if chosen == "Dataset":  # a row is a metric there: all have room
        with tabs[chosen]:
            dataset_section(shown)
        return
    with (shown.bar or st.container()).popover("Metrics in the figures", icon=":material/checklist:", key="drawn"):
        metrics = metrics_box(shown.names)
    with tabs[chosen]:
        (quality_section if chosen == "Quality" else system_section)(shown, metrics)


analysis("Drift", "Does a metric agree as well on poor stories, other systems, other corpora?", sections)
