"""Judges of pairs: how often they choose as a rater does, and whether they mind which story is shown first."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.judges.reported import pairs_caution
from core.analysis.preferences.agreement import PreferenceAgreement
from core.analysis.preferences.metrics import MetricPreferences
from core.analysis.preferences.pair_judges import PairTrial
from core.analysis.verdict.preferences import on_pair_judges
from core.analysis.verdict.sentences import VerdictSentence
from core.formats.results_csv import ResultRow
from core.metrics.naming import unique_names
from core.statistics.intervals import Estimate
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

NOTES = {
    "Chooses as a rater": "Of the judgments on pairs that it has judged, how often it chooses as the rater does: the "
    "same story, or a tie",
    "Calls equal": "Of these judgments, those on whose pair it calls both stories equal, or changes its mind",
    "Changes its mind": "Of the pairs, how often it says another thing when the two stories are exchanged: then it has "
    "called both equal",
    "For the first side": "Of its answers that name a story, how many name the one shown first; far from a half it "
    "favours a side",
    "Pairs": "With an answer in both orders",
}


def judges_section(judges: Sequence[PairTrial], metrics: MetricPreferences, agreement: PreferenceAgreement) -> None:
    """Every judge of pairs beside raters, and what it says in the other order."""
    st.header("Do judges mind which story stands first?")
    if (found := _worth(judges, metrics, agreement)) is not None:
        st.markdown(escaped(found.text))
    judges_table(judges, {})
    st.caption(escaped(beside_raters(agreement)))


def say_worth(judges: Sequence[PairTrial], metrics: MetricPreferences, agreement: PreferenceAgreement) -> None:
    """What the best of the judges is worth, above all that shows it."""
    if (found := _worth(judges, metrics, agreement)) is not None:
        verdict(escaped(found.text))


def _worth(
    judges: Sequence[PairTrial], metrics: MetricPreferences, agreement: PreferenceAgreement
) -> VerdictSentence | None:
    signatures = [row.signature for row in judges]
    names = dict(zip(signatures, unique_names([(row.metric, row.signature) for row in judges]), strict=True))
    return on_pair_judges(judges, names, metrics.rows, agreement)


def judges_table(judges: Sequence[PairTrial], accuracies: dict[str, Estimate]) -> None:
    """A row a judge; `accuracies`: by signature, where they are not told elsewhere."""
    names = unique_names([(row.metric, row.signature) for row in judges])
    table(
        "Judges of pairs",
        [_row(name, row, accuracies) for name, row in zip(names, judges, strict=True)],
        notes=NOTES,
    )
    if caution := pairs_caution({name: row.signature for name, row in zip(names, judges, strict=True)}):
        st.caption(escaped(caution))


def beside_raters(agreement: PreferenceAgreement) -> str:
    """How often two raters choose alike, which is what a judge's choices are beside."""
    why = "A judge is asked about each pair in both orders. Intervals are 95 %, by prompt."
    if agreement.agreeing.value is None:
        return f"{why} How often two raters choose alike is not known: {agreement.agreeing.undefined}."
    return f"{why} Two raters choose alike in {agreement.agreeing.text('.1%')} of the cases."


def _row(name: str, row: PairTrial, accuracies: dict[str, Estimate]) -> ResultRow:
    accuracy = {"Accuracy": accuracies[row.signature]} if row.signature in accuracies else {}
    return {
        "Judge": name,
        **accuracy,
        "Changes its mind": row.position.changed,
        "For the first side": row.position.first,
        "Chooses as a rater": row.alike,
        "Calls equal": row.tied,
        "Judgments": row.n,
        "Pairs": row.position.pairs,
        "Signature": row.signature,
    }
