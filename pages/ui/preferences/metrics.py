"""Metrics beside people's preferences."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.preferences.metrics import MetricPreference, MetricPreferences
from core.analysis.preferences.ranking import Ranking
from core.figures.systems.preferences import metric_accuracies
from core.formats.results_csv import ResultRow
from core.metrics.naming import unique_names
from core.stories import Source
from pages.ui.shared.analysis.page_frame import lead_to_scores
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

NOTES = {
    "Accuracy": "Share of the judged pairs that the metric orders as people did; its ties count half, so guessing gets "
    "half",
    "n": "Judgments of two stories with a score each",
    "Without scores": "Judgments that do not count, as a story of theirs has no score",
    "Tied": "Of those that count, how often the metric gives both stories the same score",
    "Systems": "Systems with scores and a strength",
    "Kendall's τ-b": "Of the systems' mean scores with their strengths",
    "Spearman's ρ": "Of the systems' mean scores with their strengths",
    "p of τ": "How easily so few systems would agree so well by chance; takes systems as independent",
}


def metrics_section(metrics: MetricPreferences, ranking: Ranking) -> None:
    """How often each metric orders two stories as people did, and systems as people do."""
    st.subheader("Do metrics prefer what people prefer?")
    if not metrics.rows:
        lead_to_scores()
        return
    names = unique_names([(row.metric, row.signature) for row in metrics.rows])
    chart(metric_accuracies(metrics), key="accuracies", alt="Metrics against preferences")
    for sentence in _left_out(metrics, ranking):
        st.caption(sentence)
    table(
        "Metrics against preferences",
        [_row(name, row) for name, row in zip(names, metrics.rows, strict=True)],
        notes=NOTES,
    )
    for reason in dict.fromkeys(row.undefined for row in metrics.rows if row.undefined):
        alike = [name for name, row in zip(names, metrics.rows, strict=True) if row.undefined == reason]
        whose = "" if len(alike) == len(names) else f" of {', '.join(alike)}"
        st.caption(escaped(f"No correlation over systems{whose}: {reason}."))
    _strengths_section(names, metrics)


def _left_out(metrics: MetricPreferences, ranking: Ranking) -> list[str]:
    result = []
    if metrics.ties:
        calls = "judgment calls" if metrics.ties == 1 else "judgments call"
        result.append(f"{metrics.ties:,} {calls} both stories equal and are left out.")
    human = any(row.system == Source.HUMAN for row in ranking.rows)
    if human and any(row.missing for row in metrics.rows):
        result.append(
            "People's stories have no scores: judgments in which one of them is a side do not count here, and no "
            "accuracy can be told where all do. The systems' mean scores can still be set beside their strengths."
        )
    return result


def _row(name: str, row: MetricPreference) -> ResultRow:
    return {
        "Metric": name,
        "Accuracy": row.accuracy,
        "n": row.n,
        "Without scores": row.missing,
        "Tied": row.tied,
        "Systems": row.systems,
        "Kendall's τ-b": row.kendall.value,
        "p of τ": row.kendall.p,
        "Spearman's ρ": row.spearman.value,
        "Signature": row.signature,
    }


def _strengths_section(names: Sequence[str], metrics: MetricPreferences) -> None:
    """The accuracies by how much better people found a story, where the study asks."""
    strengths = [part.strength for part in metrics.rows[0].by_strength]
    if len(strengths) < 2:
        return
    table(
        "Accuracy by strength of preference",
        [
            {"Metric": name}
            | {f"Degree {part.strength}": part.accuracy for part in row.by_strength}
            | {f"n of degree {part.strength}": part.n for part in row.by_strength}
            for name, row in zip(names, metrics.rows, strict=True)
        ],
    )
    st.caption(
        f"By how much people found a story better, from degree 1, the least that the form offers, to {strengths[-1]}. "
        "A good metric is surest where people are."
    )
