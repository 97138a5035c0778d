"""The table of agreement, and what each figure in it means."""

import streamlit as st

from core.analysis.judgments.judgments import Agreement, Judgments
from core.statistics.intervals import Estimate
from pages.ui.shared.tables.result_table import table

VARIANTS = {"valid": "Valid ratings", "with_controls": "With controls", "before_rejection": "Before rejection"}
MEANINGS = """
- **Krippendorff's alpha**: 1 is full agreement, 0 what chance gives. *Nominal* counts every difference alike, *ordinal*
  by rank, *interval* by its square. OpenMEVA reads below 0.67 as not good, up to 0.8 as tentative, above as good;
  Krippendorff (2004) draws not even tentative conclusions below .667. Below 0.2, where agreement is slight (Landis and
  Koch 1977), it is said to be hardly better than chance.
- **Fleiss' kappa**: how much more often two ratings of a story are the same step than by chance; a near miss is a miss.
- **ICC(1,k)**: how much of the differences between the stories' mean ratings is real; more ratings a story raise it.
- **Kendall's W**: how far annotators rank the stories of one prompt alike, from 0 to 1, whatever their leniency.
  Chance gives about 1 / m with m annotators: .50 with 2, .33 with 3.
"""
ADDED = {
    "with_controls": "the control stories: they are easy to tell from the others, so agreement looks better",
    "before_rejection": "the ratings that were rejected: the distance to the valid ratings is what the rule bought",
}
"""What a choice adds to the valid ratings; one that adds none would seem to say that it makes no difference."""


def agreement_table(judgments: Judgments) -> None:
    """Every measure over the choices of ratings, without those that are the valid ones again."""
    valid = judgments.agreement["valid"]
    choices = {
        name: agreement
        for name, agreement in judgments.agreement.items()
        if name == "valid" or agreement.ratings > valid.ratings
    }
    variants = {VARIANTS[name]: _measures(agreement) for name, agreement in choices.items()}
    rows = [
        {"Measure": measure, **{title: measures[measure] for title, measures in variants.items()}}
        for measure in variants[VARIANTS["valid"]]
    ]
    table("Agreement", rows)
    counted = "; ".join(
        f"{VARIANTS[name].lower()}: {agreement.ratings:,} ratings, {agreement.paired:,} stories rated twice or more"
        for name, agreement in choices.items()
    )
    st.caption(f"{counted[0].upper()}{counted[1:]}.")
    lacking: dict[str, list[str]] = {}
    for measure, estimate in variants[VARIANTS["valid"]].items():
        if estimate.undefined:
            lacking.setdefault(estimate.undefined, []).append(measure)
    for why, measures in lacking.items():
        what = "figures of valid ratings" if len(measures) == len(rows) else "; ".join(measures)
        st.caption(f"No {what}: {why}.")
    st.markdown(
        MEANINGS + "".join(f"- **{VARIANTS[name]}** adds {text}.\n" for name, text in ADDED.items() if name in choices)
    )


def _measures(agreement: Agreement) -> dict[str, Estimate]:
    alphas = {f"Alpha, {level}": alpha for level, alpha in agreement.alpha.items()}
    return {
        **alphas,
        "Fleiss' kappa": agreement.fleiss_kappa,
        "ICC(1,k)": agreement.icc,
        "Kendall's W": agreement.kendall_w,
    }
