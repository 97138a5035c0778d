"""Every metric over systems: correlations and pairs in the right order."""

import streamlit as st

from core.analysis.systems.order import FEWEST_TOLD_APART, soft_caution
from core.analysis.systems.ranking import SystemCorrelation, Systems
from core.analysis.verdict.best_system import drawn_ranks, other_orders
from core.analysis.verdict.few_stories import DISAGREED
from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate
from pages.ui.shared.tables.column_notes import P_OF_SYSTEMS
from pages.ui.shared.tables.downloads import table_with_downloads
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

NOTES = {
    "p of r": P_OF_SYSTEMS,
    "p of τ-b": P_OF_SYSTEMS,
    "Soft pairs": "Soft pairwise accuracy, WMT 2024's figure: 1 less the mean distance between people's p and the "
    "metric's that one system is better than another",
    "Pairs right": "Share of the pairs of systems that the metric puts in people's order; a tie of the metric is "
    "wrong, and guessing without ties gets half",
    "Pairs": "Pairs of systems with different mean judgments",
    "Right, apart": "The same, of the pairs that people tell apart",
    "Apart": "Pairs whose difference people see clearly: its 95 % interval has no zero in it",
}
CLAIMS = ("p of r", "p of τ-b", "Right, apart", "Apart")
"""The columns that ratings can only carry where they agree."""


HEADINGS = {"Soft pairs": "Soft", "Pairs right": "Right", "Right, apart": "Of apart"}
"""So that the coefficients' intervals, which stand behind all figures, fit a window of 1,280 pixels."""
FORMATS = {"p of r": P, "p of τ-b": P}
COUNTS = {"Systems": "systems", "n": "stories", "Pairs": "pairs of systems", "Apart": "pairs that people tell apart"}
"""Columns that are left out where every metric has the same, and said below the table instead."""


def metrics_section(systems: Systems, names: list[str], *, agreed: bool) -> None:
    """One row per metric; of ratings that have not `agreed`, without p and what people tell apart."""
    st.header("Do metrics rank systems as people do?")
    if all(correlation.undefined and correlation.accuracy.every.value is None for correlation in systems.correlations):
        reasons = "; ".join(dict.fromkeys(correlation.undefined or "" for correlation in systems.correlations))
        st.info(
            f"That cannot be said yet: {escaped(reasons)}. Have more systems' stories rated, or run another metric."
        )
        return
    rows = [_row(name, correlation) for name, correlation in zip(names, systems.correlations, strict=True)]
    if not agreed:
        rows = [{name: cell for name, cell in row.items() if name not in CLAIMS} for row in rows]
    alike = [count for count in COUNTS if count in rows[0] and len({row[count] for row in rows}) == 1]
    shown = [{column: cell for column, cell in row.items() if column not in alike} for row in rows]
    table_with_downloads(shown, "Metrics over systems", formats=FORMATS, notes=NOTES, headings=HEADINGS, data_rows=rows)
    same = ", ".join(f"{rows[0][count]:,} {COUNTS[count]}" for count in alike)
    few = max((correlation.systems for correlation in systems.correlations), default=0)
    st.caption(
        (f"Of every metric: {same}. " if same else "")
        + f"Correlations over {few} systems' means. Intervals draw prompts and keep these systems: they say how sure r "
        "is for them, and nothing about other systems. "
        + (
            "Its p speaks of others: with so few systems even a high r may be chance, however narrow its interval. "
            "Which pairs people tell apart is decided by the 95 % interval of the difference of two means; the "
            "intervals of ranks above say which places each system may have, and may leave another number of pairs "
            "open. "
            if agreed
            else f"{DISAGREED} "
        )
        + "Metrics stand in the order of their correlation over stories, not over systems, "
        "as on Correlation, and Perception Scores last."
    )
    softly = [over.systems for over in systems.correlations if over.soft is not None]
    if caution := soft_caution(min(softly, default=FEWEST_TOLD_APART)):
        st.caption(caution)
    for sentence in other_orders(names, systems.correlations, drawn_ranks(systems)):
        st.caption(escaped(sentence))


def _row(name: str, correlation: SystemCorrelation) -> dict[str, object]:
    return {
        "Metric": name,
        "Systems": correlation.systems,
        "n": correlation.n,
        "r": _estimate(correlation.pearson, correlation.undefined),
        "p of r": correlation.pearson.p,
        "ρ": _estimate(correlation.spearman, correlation.undefined),
        "τ-b": _estimate(correlation.kendall, correlation.undefined),
        "p of τ-b": correlation.kendall.p,
        "Soft pairs": correlation.soft,
        "Pairs right": correlation.accuracy.every,
        "Pairs": correlation.accuracy.pairs,
        "Right, apart": correlation.accuracy.apart,
        "Apart": correlation.accuracy.pairs_apart,
        "Signature": correlation.signature,
    }


def _estimate(coefficient: Coefficient, undefined: str | None) -> Estimate:
    return Estimate(coefficient.value, coefficient.low, coefficient.high, undefined)
