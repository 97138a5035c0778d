"""The figures that stand on top of the Judgments page."""

import streamlit as st

from core.analysis.forecast import Forecast
from core.analysis.judgments import Judgments
from core.annotation.agreement import Reading

READ = {
    Reading.NOT_GOOD: "not good: below 0.67",
    Reading.TENTATIVE: "tentative: 0.67 to 0.8",
    Reading.GOOD: "good: above 0.8",
}


def headline(found: Judgments, left: Forecast, open_now: bool) -> None:
    """How much was rated, how far people agree, and what is left; `open_now`: panels are being given out."""
    alpha = found.agreement["valid"].alpha[found.level]
    with st.container(horizontal=True, gap="medium"):
        st.metric("Stories", f"{found.stories:,}", width="content")
        st.metric("Ratings", f"{found.ratings:,}", width="content")
        st.metric(
            "Annotators",
            "hidden" if found.annotators is None else f"{found.annotators:,}",
            width="content",
            help="An import hides who rated." if found.annotators is None else None,
        )
        st.metric(
            f"Alpha ({found.level})",
            number(alpha.value),
            width="content",
            help="Krippendorff's alpha at the level of measurement of the study's scheme.",
        )
        st.metric(
            "One rater",
            number(found.one_rater),
            width="content",
            help="Pearson's r of one rating, drawn at random a story, with the mean of the story's others. A metric "
            "can pass it.",
        )
        st.metric(
            "Ceiling",
            number(found.ceiling),
            width="content",
            help="The correlation that a perfect metric could reach with these noisy mean ratings: sqrt(ICC(1,k)).",
        )
    if found.reading is not None:
        interval = "" if alpha.low is None else f" 95 % of alpha: {alpha.low:.3f} to {alpha.high:.3f}."
        st.caption(f"Agreement is {READ[found.reading]}.{interval}")
    elif alpha.undefined:
        st.caption(f"No alpha: {alpha.undefined}.")
    sentence = forecast_sentence(left)
    if sentence and (open_now or left.valid + left.rejected):
        st.caption(sentence)


def number(value: float | None) -> str:
    """Three decimals, or a dash."""
    return "–" if value is None else f"{value:.3f}"


def forecast_sentence(left: Forecast) -> str:
    """What is left to rate, and how many panels that takes; nothing where the study is full."""
    if not left.open_slots:
        return ""
    wanted = f"Valid panels still wanted: {left.open_slots:,}."
    if left.rejection_rate is None:
        return f"{wanted} How many must come in can be said once some are handed in."
    rate = f"{left.rejected:,} of {left.valid + left.rejected:,} panels were rejected ({left.rejection_rate:.1%})"
    if left.panels is None:
        return f"{wanted} {rate}; no panel was accepted yet, so nobody can say how many it takes."
    return (
        f"{wanted} {rate}; at this rate about {left.panels:,} more must come in (95 %: {left.low:,} to {left.high:,})."
    )
