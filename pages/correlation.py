"""Correlation: how far each metric agrees with people. Follows scores and ratings as they arrive."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.correlation import AXES
from core.people import Role
from pages.ui.correlation.criteria import by_criterion
from pages.ui.correlation.error_types import error_types
from pages.ui.correlation.partial import systems_and_length
from pages.ui.correlation.prompts import within_prompts
from pages.ui.correlation.sample_size import more_section
from pages.ui.correlation.scatter import scatter_plot
from pages.ui.correlation.significance import significance_section
from pages.ui.correlation.systems import systems
from pages.ui.correlation.table import correlations
from pages.ui.shared.analysis.page_frame import analysis, without_correlation
from pages.ui.shared.analysis.trained_here import trained_caution
from pages.ui.shared.analysis.tuned import tuned_caution
from pages.ui.shared.analysis.view import View
from pages.ui.shared.viewer import require

require(Role.RESEARCHER)
CRITERIA = "By criterion"
TABS = (
    "Table",
    "Scatter",
    "By error type",
    "By system",
    "Within prompts",
    "Systems and length",
    "Significance",
    "How many more?",
)
FIXED = {
    "Within prompts": "All three are shown",
    "Systems and length": "Pearson's r is shown",
    "Significance": "Chosen with the tests",
    "How many more?": "",
}
"""The tabs that do not show the coefficient chosen above them, and what they do; nothing where a metric is chosen on
the same line, which has no room left.
"""
PRESSED = {"Systems and length": ["pearson"], "Within prompts": list(AXES)}
"""The coefficients that such a tab shows."""


def coefficient_of(bar: DeltaGenerator) -> str:
    """The coefficient that is pressed."""
    return bar.segmented_control(
        "Coefficient",
        list(AXES),
        format_func=AXES.__getitem__,
        default="pearson",
        required=True,
        key="coefficient",
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
    )


def no_choice(bar: DeltaGenerator, tab: str) -> None:
    """The same where there is no choice: always there, so that the tabs below keep their place, and pressed is what the
    tab shows.
    """
    bar.segmented_control(
        "Coefficient",
        list(AXES),
        format_func=AXES.__getitem__,
        default=PRESSED.get(tab, []),
        selection_mode="multi",  # a tab may show all three
        key=f"coefficient-of-{tab}",
        label_visibility="collapsed",
        disabled=True,
    )
    if FIXED[tab]:
        bar.caption(FIXED[tab], width="content")


def tabs(shown: View) -> None:
    """Only the tab that is looked at is made."""
    if without_correlation(shown):
        return
    tuned_caution(shown)
    trained_caution(shown)
    names = (TABS[0], CRITERIA, *TABS[1:]) if shown.table.criteria else TABS
    drawn = dict(zip(names, st.tabs(names, key="tab", bind="query-params"), strict=True))
    chosen = next((name for name, tab in drawn.items() if tab.open), TABS[0])
    bar = shown.bar or st.container()
    coefficient = "pearson" if chosen in FIXED else coefficient_of(bar)
    if chosen in FIXED:
        no_choice(bar, chosen)
    with drawn[chosen]:
        match chosen:
            case "Table":
                correlations(shown, coefficient)
            case "By criterion":
                by_criterion(shown, coefficient)
            case "Scatter":
                scatter_plot(shown, coefficient)
            case "By error type":
                error_types(shown, coefficient)
            case "By system":
                systems(shown, coefficient)
            case "Within prompts":
                within_prompts(shown)
            case "Systems and length":
                systems_and_length(shown)
            case "Significance":
                significance_section(shown)
            case _:
                more_section(shown)


analysis("Correlation", "How far does each metric agree with people?", tabs)
