"""The figures at the top of the Preferences page."""

import streamlit as st

from core.analysis.preferences.agreement import PreferenceAgreement
from core.analysis.preferences.ranking import SIDES_UNKNOWN, Ranking
from core.statistics.intervals import Estimate


def headline(ranking: Ranking, agreement: PreferenceAgreement, judgments: int) -> None:
    """How much was judged, how far people agree, and whether they favour a side; `judgments`: all there are."""
    with st.container(horizontal=True, gap="medium"):
        st.metric(
            "Judgments",
            f"{judgments:,}",
            width="content",
            help="Valid ones, each of two stories. A pair that a panel shows again counts once, and none with a "
            "damaged story does.",
        )
        if ranking.judgments:
            st.metric("Prompts", f"{ranking.prompts:,}", width="content")
            st.metric("Systems", f"{len(ranking.rows):,}", width="content")
        _share(
            "Raters who agree",
            agreement.agreeing,
            "Of two raters who judged the same two stories, how often they chose alike: the same story, or a tie.",
        )
        _share("Ties", ranking.ties, "Judgments that called both stories equal.")
        if ranking.first.undefined != SIDES_UNKNOWN:
            _share(
                "First side won",
                ranking.first,
                "Of the judgments that are no tie, how often the story shown first, on the left, was found better. Far "
                "from 50 % people favour a side.",
            )
    if ranking.first.undefined == SIDES_UNKNOWN:
        st.caption(f"Whether people favour a side cannot be told of imported judgments: {SIDES_UNKNOWN}.")


def _share(label: str, share: Estimate, meaning: str) -> None:
    ends = "" if share.low is None else f" 95 %: {share.ends_text('.1%')}."
    why = f" None here: {share.undefined}." if share.undefined else ""
    value = "–" if share.value is None else f"{share.value:.1%}"
    st.metric(label, value, width="content", help=f"{meaning}{ends}{why}")
