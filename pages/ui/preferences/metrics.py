"""Metrics beside people's preferences."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.preferences.metrics import MetricPreference, MetricPreferences
from core.analysis.preferences.ranking import Ranking
from core.analysis.preferences.remarks import missing, unscored
from core.analysis.verdict.best_system import other_orders
from core.figures.systems.preferences import metric_accuracies
from core.formats.results_csv import ResultRow
from core.metrics.naming import unique_names
from pages.ui.shared.analysis.page_frame import lead_to_scores
from pages.ui.shared.stories.wanted_stories import mark_metric, want_scatter
from pages.ui.shared.tables.column_notes import P_OF_SYSTEMS
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

NOTES = {
    "Accuracy": "Share of the judged pairs that the metric orders as people did; its ties count half, so guessing gets "
    "half",
    "n": "Judgments of two stories with a score each",
    "Without scores": "Judgments that do not count, as a story of theirs has no score",
    "Tied": "Of those that count, how often the metric gives both stories the same score",
    "Systems": "Systems with scored and compared stories, people not among them",
    "Kendall's τ-b": "Of the systems' mean scores with their mean shares of comparisons won, as on Systems",
    "Spearman's ρ": "Of the systems' mean scores with their mean shares of comparisons won, as on Systems",
    "p of τ": P_OF_SYSTEMS,
}


def metrics_section(metrics: MetricPreferences, ranking: Ranking) -> None:
    """How often each metric orders two stories as people did, and systems as people do."""
    st.header("Do metrics prefer what people prefer?")
    if not metrics.rows:
        lead_to_scores()
        return
    names = unique_names([(row.metric, row.signature) for row in metrics.rows])
    chart(metric_accuracies(metrics), key="accuracies", alt="Metrics against preferences", on_points=mark_metric)
    _left_out(names, metrics)
    table(
        "Metrics against preferences",
        [_row(name, row) for name, row in zip(names, metrics.rows, strict=True)],
        {"p of τ": P},
        notes=NOTES,
        on_row=lambda row: want_scatter(names[row]),
    )
    st.caption("Press a dot or a row for the metric's scores beside how often each story was preferred.")
    _over_systems(names, metrics, ranking)
    _strengths_section(names, metrics)


def _over_systems(names: Sequence[str], metrics: MetricPreferences, ranking: Ranking) -> None:
    """What the correlations over systems compare, and how people's order there differs from the ranking."""
    correlations = [row.over for row in metrics.rows]
    for reason in dict.fromkeys(over.undefined for over in correlations if over.undefined):
        alike = [name for name, over in zip(names, correlations, strict=True) if over.undefined == reason]
        whose = "" if len(alike) == len(names) else f" of {', '.join(alike)}"
        st.caption(escaped(f"No correlation over systems{whose}: {reason}."))
    if all(over.undefined for over in correlations):
        return
    st.caption(
        "Correlations over systems are those of the page Systems: a metric's means beside the means of the shares of "
        "comparisons that the same stories have won, without people as a system. Strengths above rest on all judgments "
        "and allow for whom a system met, so that their order may be another."
    )
    drawn = {row.system: row.rank.value for row in ranking.rows if row.rank.value is not None}
    for sentence in other_orders(names, correlations, drawn):
        st.caption(escaped(sentence))


def _left_out(names: Sequence[str], metrics: MetricPreferences) -> None:
    """What no accuracy counts, why, and what to do where scores are still to come."""
    if metrics.ties:
        calls = "judgment calls" if metrics.ties == 1 else "judgments call"
        st.caption(f"{metrics.ties:,} {calls} both stories equal and are left out.")
    for sentence in missing(metrics, names):
        st.caption(escaped(sentence))
    if unscored(metrics, imported=False):
        st.caption("Run a metric again, and it scores the compared stories that have no score yet, people's too.")
        st.page_link("score.py", label="Run metrics", icon=":material/speed:")
    if unscored(metrics, imported=True):
        st.caption(
            "A metric from a file has the scores that the file gave; those of people's stories come in where you say "
            "so at the import, of metrics that read a story alone."
        )
        st.page_link("import_data.py", label="Import scores", icon=":material/upload:", query_params={"kind": "scores"})


def _row(name: str, row: MetricPreference) -> ResultRow:
    return {
        "Metric": name,
        "Accuracy": row.accuracy,
        "n": row.n,
        "Without scores": row.missing,
        "Tied": row.tied,
        "Systems": row.over.systems,
        "Kendall's τ-b": row.over.kendall.value,
        "p of τ": row.over.kendall.p,
        "Spearman's ρ": row.over.spearman.value,
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
