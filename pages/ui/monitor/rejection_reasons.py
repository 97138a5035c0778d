"""Why somebody is not paid, in the words of the platform that they came from."""

import streamlit as st

from core.recruitment import PROLIFIC, REJECTIONS, SHORTEST_REASON
from db.studies import studies


def rejection_category(study_id: int, given: str, key: str) -> str:
    """The category of a rejection, asked where the study is on Prolific, which wants one; "" elsewhere.

    `given`: the one that there is already; `key`: tells one box from another.
    """
    if studies.get(study_id).recruitment.platform != PROLIFIC:
        return ""
    chosen = st.selectbox(
        "Category (Prolific wants one to withhold)",
        list(REJECTIONS),
        index=list(REJECTIONS).index(given) if given in REJECTIONS else None,
        format_func=REJECTIONS.__getitem__,
        placeholder="Choose",
        key=f"category-{key}",
    )
    st.caption(
        f"Prolific shows the reason to the participant: at least {SHORTEST_REASON} characters. A submission is "
        "rejected only if all of its panels are withheld."
    )
    return chosen or ""
