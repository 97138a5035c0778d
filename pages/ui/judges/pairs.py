"""Judges in a study of pairs: which story is better, held against people's choices."""

import streamlit as st

from pages.ui.preferences.judges import beside_raters, judges_table, say_worth
from pages.ui.preferences.metrics import NOTES
from pages.ui.preferences.results import results
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import JUDGE_RUN
from pages.ui.shared.text import escaped


def pairs_section(shown: View) -> None:
    """Every judge of pairs beside raters; where there is none, how to come by one."""
    found = results(shown.study, shown.version, shown.seed, shown.resamples)
    if not found.judges:
        st.info(
            "This study asks which of two stories is better, and no judge has been asked that yet: "
            + (
                "run one on the page Run metrics, where it is chosen already."
                if found.metrics.judgments
                else "one can be asked about the pairs that people have compared, and there are none yet."
            )
        )
        if found.metrics.judgments:
            st.page_link("score.py", label="Run a judge", icon=":material/gavel:", query_params=JUDGE_RUN)
        return
    place = shown.bar or st
    place.page_link("score.py", label="Run a judge", icon=":material/gavel:", query_params=JUDGE_RUN)
    say_worth(found.judges, found.metrics, found.agreement)
    judges_table(found.judges, {row.signature: row.accuracy for row in found.metrics.rows})
    st.caption(f"Accuracy: {NOTES['Accuracy'][:1].lower()}{NOTES['Accuracy'][1:]}.")
    st.caption(escaped(beside_raters(found.agreement)))
