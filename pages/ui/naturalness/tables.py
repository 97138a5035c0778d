"""Distributions, and Tables 2 and 3 of the naturalness paper for these systems and discriminators."""

import numpy as np
import streamlit as st

from core.analysis.judgments.boxes import box
from core.analysis.naturalness.corpora import FpSummary, SystemComparison
from core.analysis.verdict.naturalness import on_differences, on_fp
from core.figures.naturalness import HUMAN, MOST, boxes, cumulative, differences
from pages.ui.naturalness.measurements import Measurements, tables
from pages.ui.naturalness.sides import NaturalnessSample, Sides, discriminator_box
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

NOTES = {
    "SD": "Of the texts, the sample's",
    "Share greater": "Of documents with texts of both sides: the machine text has the higher Fp; a tie counts half",
    "Difference": "Machine less human Fp: over pairs where there are any, else of the two means",
    "Relative": "The difference over the mean human Fp",
    "p": "Of the paired t-test where there are pairs, else of Welch's",
    "p, Holm": "Corrected for all rows of this table",
    "dz": "Cohen's: mean difference of pairs over the SD of the differences",
    "g": "Hedges': difference of the means over the pooled SD",
    "AUC": "How often a machine text has a higher Fp than a human one, over all such pairs of texts",
    "Cliff's delta": "2 AUC - 1",
}
ABOUT = """
- **Table 2**: mean Fp of each side, its SD, and the interval of the mean. **Table 3**: how often, and by how much,
  machine text has the higher Fp. Both hold for the discriminator that they name, and for no other.
- Intervals draw whole documents (prompts). *Share greater* has Wilson's, *AUC* DeLong's, by document.
- Welch's and the Mann–Whitney test take texts as independent; where systems wrote about the same documents the paired
  tests are the ones to read.
- The paper's relative differences are not the difference over the mean human Fp throughout: the printed 42.79 % does
  not follow from .051 and .089 (57 %), while 13.69 % is near .012 / .089. Here it is that quotient.
- In the paper two systems and two discriminators are compared; nothing is corrected there. Here *p, Holm* is.
"""


def distribution_section(measured: Measurements, sample: NaturalnessSample, sides: Sides) -> None:
    """Fp of each side by one discriminator."""
    by = discriminator_box(sample)
    fp = measured.reading(by).fp
    groups = {name: fp[measured.about.of(name)] for name in (None, *measured.about.names)}
    groups = {name: values[np.isfinite(values)] for name, values in groups.items()}
    compared = [row for row in tables(measured.key, measured, sample.seed).comparisons if row.discriminator == by]
    if (said := on_fp(sample.names[by], compared)) is not None:
        verdict(escaped(said))
    shown = dict(list(groups.items())[: MOST + 1])
    chart(cumulative(shown, sample.names[by]), key="fp-lines", alt="Fp of human and machine texts")
    if len(shown) < len(groups):
        st.caption(f"The first {MOST} systems; choose others above. All are below.")
    drawn = {name: box(values) for name, values in groups.items() if len(values)}
    chart(boxes(drawn, sample.names[by]), key="fp-boxes", alt="Box plot of Fp by system", on_points=sides.mark_texts)
    st.caption("Press a diamond for the texts of its side.")


def tables_section(measured: Measurements, sample: NaturalnessSample, sides: Sides) -> None:
    """Both tables and the differences."""
    result = tables(measured.key, measured, sample.seed)
    if (said := on_differences(sample.names, result.comparisons)) is not None:
        verdict(escaped(said))
    chart(
        differences(result.comparisons, measured.about.names),
        key="fp-differences",
        alt="Difference of Fp from human text",
        on_points=sides.mark_texts,
    )
    st.caption("Press a dot, or a row of a table, for the texts of its side.")
    table(
        "Mean Fp",
        [_summary(row, sample) for row in result.summaries],
        notes=NOTES | {"n": "Texts with an Fp"},
        on_row=lambda row: sides.want_texts(result.summaries[row].system or HUMAN),
    )
    table(
        "Differences from human text",
        [_comparison(row, sample) for row in result.comparisons],
        P_FORMATS,
        NOTES,
        on_row=lambda row: sides.want_texts(result.comparisons[row].system),
    )
    with st.expander("How to read these", icon=":material/help:"):
        st.markdown(ABOUT)


P_FORMATS = dict.fromkeys(("p", "p, Holm", "p, Wilcoxon", "p, Welch", "p, Mann–Whitney"), P)


def _summary(row: FpSummary, sample: NaturalnessSample) -> dict[str, object]:
    return {
        "Discriminator": sample.names[row.discriminator],
        "Texts of": row.system or HUMAN,
        "n": row.n,
        "Mean Fp": row.mean,
        "SD": row.sd,
        "Without an Fp": sum(row.left_out.values()),
        "Why": "; ".join(row.left_out),
        "Signature": row.discriminator.signature,
    }


def _comparison(row: SystemComparison, sample: NaturalnessSample) -> dict[str, object]:
    both, alone = row.paired, row.unpaired
    return {
        "Discriminator": sample.names[row.discriminator],
        "System": row.system,
        "Pairs": both.pairs,
        "Share greater": both.share_greater,
        "Difference": row.difference,
        "Relative": row.relative,
        "p": row.p,
        "p, Holm": row.p_holm,
        "p, Wilcoxon": both.wilcoxon_p,
        "p, Welch": alone.welch_p,
        "p, Mann–Whitney": alone.mann_whitney_p,
        "dz": both.dz,
        "g": alone.g,
        "AUC": alone.auc,
        "Cliff's delta": alone.delta,
        "Human texts": alone.human,
        "Machine texts": alone.machine,
    }
