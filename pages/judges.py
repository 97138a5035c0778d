"""Judges: which language model that rates stories agrees with people, and may it stand in for one of them?"""

import streamlit as st

from core.figures.correlation import AXES
from core.people import Role
from pages.ui.judges.agreement import agreement_section
from pages.ui.judges.biases import biases_section
from pages.ui.judges.confusion import confusion_section
from pages.ui.judges.disagreements import disagreements_section
from pages.ui.judges.replacement import replacement_section
from pages.ui.judges.results import judges_here, trial_of
from pages.ui.shared.analysis.page_frame import analysis, without_ratings
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)
TABS = ("Agreement", "May it replace a person?", "Confusion", "Disagreements", "Biases")


def tabs(shown: View) -> None:
    """Only the tab that is looked at is made."""
    if shown.study.scheme.unit.of_pairs:
        st.info("This study asks which of two stories is better, and a judge here rates single ones.")
        return
    if without_ratings(shown):
        return
    if not judges_here(shown):
        st.info(
            f"No judge has rated the {escaped(shown.target.title)} here yet. A judge is a language model that rates "
            "stories: import the ratings of some, or choose another judgment above."
        )
        st.page_link("import_data.py", label="Import judges' ratings", icon=":material/upload:")
        biases_section(viewer, shown)
        return
    above = st.container()
    drawn = dict(zip(TABS, st.tabs(TABS, key="tab", bind="query-params"), strict=True))
    chosen = next((name for name, tab in drawn.items() if tab.open), TABS[0])
    coefficient = above.segmented_control(
        "Coefficient",
        list(AXES),
        format_func=AXES.__getitem__,
        default="pearson",
        required=True,
        key="coefficient",
        bind="query-params",
        persist_state="session",
        disabled=chosen != TABS[0],  # always there: the tabs below keep their place
    )
    with drawn[chosen]:
        match chosen:
            case "Agreement":
                agreement_section(shown, trial_of(shown), coefficient)
            case "Confusion":
                confusion_section(shown, trial_of(shown))
            case "Disagreements":
                disagreements_section(viewer, shown, trial_of(shown))
            case "Biases":
                biases_section(viewer, shown)
            case _:
                replacement_section(viewer, shown)


analysis("Judges", tabs)
