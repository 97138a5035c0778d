"""Why somebody goes unpaid, in the words of the platform that they came from."""

import streamlit as st

from core.annotation.quality import HandedIn
from core.recruitment import PROLIFIC, REJECTIONS, SHORTEST_REASON
from db import studies


def rejection_category(panel: HandedIn) -> str:
    """The category of a rejection, asked where the study is on Prolific, which wants one; "" elsewhere."""
    if studies.get(panel.study_id).recruitment.platform != PROLIFIC:
        return ""
    chosen = st.selectbox(
        "Category (Prolific wants one to withhold)",
        list(REJECTIONS),
        index=list(REJECTIONS).index(panel.payment_category) if panel.payment_category in REJECTIONS else None,
        format_func=REJECTIONS.__getitem__,
        placeholder="Choose",
        key=f"category-{panel.id}",
    )
    st.caption(
        f"Prolific shows the reason to the participant: at least {SHORTEST_REASON} characters. A submission is "
        "rejected only if all of its panels are withheld."
    )
    return chosen or ""
