"""Drift: does a metric agree with people as well on poor stories, on other systems' stories, on other corpora?"""

import streamlit as st

from core.analysis.drift_parts import best_first
from core.errors import FabulaError
from core.figures.correlation import metric_names
from core.figures.drift import MOST
from core.people import Role
from pages.ui.drift_dataset import dataset_section
from pages.ui.drift_quality import quality_section
from pages.ui.drift_system import system_section
from pages.ui.study import choose
from pages.ui.text import problem
from pages.ui.view import View, follow, view
from pages.ui.viewer import require

require(Role.RESEARCHER)
TABS = {"Quality": quality_section, "System": system_section, "Dataset": dataset_section}


@st.cache_data(max_entries=16, show_spinner=False)
def ranked(key: tuple[object, ...], _shown: View) -> list[str]:
    """The metrics' names, the best first."""
    del key
    names = metric_names(_shown.table.columns)
    return [names[place] for place in best_first(_shown.table)]


def metrics_box(names: list[str]) -> list[str]:
    """The metrics that the figures show, as many as a figure can tell apart."""
    kept = st.session_state.get("metrics")
    if kept is None and "metrics" not in st.query_params:
        st.session_state["metrics"] = names[:MOST]
    elif isinstance(kept, list) and not set(kept) <= set(names):  # of another study
        st.session_state["metrics"] = [name for name in kept if name in names] or names[:MOST]
    return st.multiselect(
        "Metrics in the figures",
        names,
        max_selections=MOST,
        key="metrics",
        bind="query-params",
        help=f"Up to {MOST}; the tables have all. The best come first.",
    )


def sections(shown: View) -> None:
    """The tabs; what is not looked at is not computed."""
    if not shown.table.columns:
        st.info("This study has no scores yet.")
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
        return
    names = ranked(shown.key, shown)
    chosen = metrics_box(names)
    tabs = dict(zip(TABS, st.tabs(list(TABS), key="drift", bind="query-params"), strict=True))
    for name, tab in tabs.items():
        if tab.open:
            with tab:
                TABS[name](shown, names, chosen)


st.title("Drift")
summary = choose()
try:
    current = view(summary)
    sections(current)
    follow(current)
except FabulaError as error:
    problem(str(error))
