"""Judges in a study of pairs: which story is better, held against people's choices."""

import streamlit as st

from pages.ui.preferences.judges import beside_raters, judges_table
from pages.ui.preferences.metrics import NOTES
from pages.ui.preferences.results import results
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped


def pairs_section(shown: View) -> None:
    """Every judge of pairs beside raters; where there is none, how to come by one."""
    found = results(shown.study, shown.version, shown.seed, shown.resamples)
    if not found.judges:
        st.info(
            "This study asks which of two stories is better, and no judge has been run on that yet: run one on the "
            "page Run metrics once people have compared some."
        )
        st.page_link("score.py", label="Run a judge", icon=":material/speed:")
        return
    judges_table(found.judges, {row.signature: row.accuracy for row in found.metrics.rows})
    st.caption(f"Accuracy: {NOTES['Accuracy'][:1].lower()}{NOTES['Accuracy'][1:]}.")
    st.caption(escaped(beside_raters(found.agreement)))
