"""Annotators against the rest, and the effect of a story's place."""

import streamlit as st

from core.analysis.judgments import Judgments
from core.annotation.draws import Estimate
from core.figures.judgments import positions
from pages.ui.judgment_systems import CHART, interval


def annotators_table(found: Judgments) -> None:
    """A row an annotator, those who agree least first."""
    rest = found.against_the_rest
    if rest.undefined:
        st.info(f"Annotators cannot be compared: {rest.undefined}.")
        return
    rows = sorted(rest.annotators.items(), key=lambda item: _rank(item[1].spearman))
    undefined = any(one.pearson.undefined for _, one in rows)
    st.dataframe(
        [
            {
                "Annotator": f"annotator {who}",
                "Stories": one.n,
                "Spearman's ρ": one.spearman.value,
                "95 % of ρ": interval(one.spearman.low, one.spearman.high),
                "Pearson's r": one.pearson.value,
                "95 % of r": interval(one.pearson.low, one.pearson.high),
                "Leniency": one.leniency.value,
                "95 % of leniency": interval(one.leniency.low, one.leniency.high),
                **({"Undefined": one.pearson.undefined or ""} if undefined else {}),
            }
            for who, one in rows
        ],
        hide_index=True,
        alt="Annotators against the rest",
        column_config={
            "Spearman's ρ": st.column_config.NumberColumn(format="%.3f"),
            "Pearson's r": st.column_config.NumberColumn(format="%.3f"),
            "Leniency": st.column_config.NumberColumn(format="%+.2f"),
        },
    )
    st.caption(
        "Each annotator's ratings against the mean of the others' ratings of the same stories; those who agree least "
        "come first. Leniency: points above that mean, on average. Nobody is rejected for any of it."
    )


def _rank(one: Estimate) -> float:
    return 2.0 if one.value is None else one.value  # undefined ones last


def position_chart(found: Judgments) -> None:
    """Whether stories shown early are rated otherwise than those shown late."""
    effect = found.position_effect
    if effect.undefined:
        st.info(f"The effect of position cannot be shown: {effect.undefined}.")
        return
    st.plotly_chart(positions(effect.positions), config=CHART, key="positions", alt="Ratings by position")
    st.dataframe(
        [
            {
                "Position": place,
                "Ratings": one.n,
                "Deviation": one.deviation.value,
                "95 %": interval(one.deviation.low, one.deviation.high),
            }
            for place, one in effect.positions.items()
        ],
        hide_index=True,
        alt="Ratings by position",
        column_config={"Deviation": st.column_config.NumberColumn(format="%+.3f")},
    )
    st.caption(
        f"Each rating's distance from its story's mean rating. p = {effect.p:.3g}: how often positions shuffled within "
        "the panels would move ratings as much."
    )
