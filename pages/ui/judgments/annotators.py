"""Each annotator against the rest, and the effect of a story's place."""

from collections.abc import Mapping

import streamlit as st

from core.analysis.judgments.judgments import Judgments
from core.annotation.unit import Unit
from core.figures.judgments import positions
from core.people import NUMBERS_SKIP
from core.statistics.intervals import Estimate
from core.wording import p_digits
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table


def annotators_table(judgments: Judgments, names: Mapping[int, str]) -> None:
    """One row per annotator, those who agree least first; `names`: by number."""
    rest = judgments.against_the_rest
    if rest.undefined:
        st.info(f"Annotators cannot be compared: {rest.undefined}.")
        return
    rows = sorted(rest.annotators.items(), key=lambda item: _rank(item[1].spearman))
    table(
        "Annotators against the rest",
        [
            {
                "Annotator": names.get(who, f"annotator {who}"),
                "Stories": annotator_agreement.n,
                "Spearman's ρ": annotator_agreement.spearman,
                "Pearson's r": annotator_agreement.pearson,
                "Leniency": annotator_agreement.leniency,
            }
            for who, annotator_agreement in rows
        ],
        {"Leniency": "%+.2f"},
        people="Annotator",
    )
    st.caption(
        "Each annotator's ratings against the mean of the others' ratings of the same stories; those who agree least "
        "come first. Leniency: points above that mean, on average. Nobody is rejected for any of it. "
        f"{NUMBERS_SKIP}"
    )


def _rank(estimate: Estimate) -> float:
    return 2.0 if estimate.value is None else estimate.value  # undefined ones last


def position_chart(judgments: Judgments, unit: Unit) -> None:
    """Whether stories shown early (of pairs: at the left) are rated otherwise than those shown late."""
    effect = judgments.position_effect
    if effect.p is None:
        st.info(f"The effect of position cannot be shown: {effect.undefined}.")
        return
    chart(positions(effect.positions), key="positions", alt="Ratings by position")
    table(
        "Ratings by position",
        [
            {"Position": place, "Ratings": position.n, "Deviation": position.deviation}
            for place, position in effect.positions.items()
        ],
        {"Deviation": "%+.3f"},
    )
    sides = " Position 1 is the left side." if unit.of_pairs else ""
    st.caption(
        f"Each rating's distance from its story's mean rating.{sides} p = {p_digits(effect.p)}: how often "
        f"{unit.wording.shuffled} would move ratings as much."
    )
