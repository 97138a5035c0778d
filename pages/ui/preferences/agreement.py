"""How far people agree on which of two stories is better."""

import streamlit as st

from core.analysis.preferences.agreement import PreferenceAgreement
from pages.ui.shared.tables.result_table import table

MEANINGS = (
    "Raters who agree: of two raters and two stories, how often they chose alike, the same story or a tie. Alpha: "
    "Krippendorff's, of the choices with their strengths; 1 is full agreement, 0 what chance gives. Kept: where "
    "somebody judged the same two stories again, how often they chose as before, whatever the side. Intervals are "
    "95 %, by prompt."
)


def agreement_section(agreement: PreferenceAgreement) -> None:
    """Raters with one another, and each with themselves."""
    st.header("Do people agree?")
    found = {
        "Raters who agree": (agreement.agreeing, agreement.rater_pairs, "two raters of a pair of stories"),
        "Alpha, ordinal": (agreement.alpha, agreement.shared, "pairs of stories that two raters or more judged"),
        "Kept": (agreement.kept, agreement.repeats, "pairs that somebody judged again"),
    }
    table(
        "Agreement",
        [
            {"Figure": name, "Value": value, "n": number, "n counts": what}
            for name, (value, number, what) in found.items()
        ],
        notes={"n": "What the figure is over"},
    )
    st.caption(MEANINGS)
