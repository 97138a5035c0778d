"""What a study has found: the sentence, and the figure that proves it."""

from dataclasses import dataclass

import streamlit as st

from core.analysis.correlation.limits import Limits
from core.analysis.correlation.metric_order import best_first
from core.analysis.correlation.sample import Filter
from core.analysis.judgments.reliability import Reliability
from core.analysis.verdict.few_stories import only_claimed
from core.analysis.verdict.finding import Finding
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.preferences import on_accuracy
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED
from core.annotation.monitor.standing import Standing
from core.annotation.studies import StudySummary
from core.annotation.target import Target
from core.figures.correlation import by_metric
from core.judges.naming import so_many_metrics
from core.scores import RatingChoice
from core.statistics.correlation import MetricCorrelation
from db.ratings import ratings
from pages.ui.preferences.results import PreferenceResults, results
from pages.ui.shared.analysis.correlations import overall, people
from pages.ui.shared.analysis.degenerate_note import degenerate_note, without_degenerate
from pages.ui.shared.analysis.finding import agreement, finding_of, grade_of_finding, say_finding, say_grade, verdict
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.analysis.view import USUALLY, View
from pages.ui.shared.stories.wanted_stories import mark_metric
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.text import escaped

SHOWN = 12
"""Metrics of the figure: the best."""
NO_LINE = (
    f"A dot without a line is of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts, too few to "
    "claim anything: an interval of these could be far too narrow."
)


@dataclass(frozen=True)
class Measured:
    """All of the study's stories, as the Correlation page begins with them, and what follows; of a study of pairs also
    what Preferences has of it.
    """

    view: View
    limits: Limits
    agreement: Reliability
    correlations: tuple[MetricCorrelation, ...]
    finding: Finding | None
    pairs: PreferenceResults | None = None


def measured(summary: StudySummary, target: Target) -> Measured:
    """What is known of the study by this judgment."""
    study, version = summary.study, ratings.version(summary.study.id)
    table = best_first(whole(study.id, version, RatingChoice.VALID, target))
    seed, draws = USUALLY["seed"], USUALLY["draws"]
    shown = View(study, table, {}, Filter(), RatingChoice.VALID, seed, draws, version, target)
    limits = people(shown.key, "pearson", table, seed)
    pairs = results(study, version, seed, draws) if study.scheme.unit.of_pairs and table.rated else None
    if not (table.columns and table.rated):
        return Measured(shown, limits, agreement(shown), (), None, pairs)
    correlations = overall(shown.key, table, seed, draws)
    return Measured(shown, limits, agreement(shown), correlations, finding_of(shown), pairs)


def found(shown: Measured, stands: Standing) -> None:
    """The sentence, and the best metrics with their intervals."""
    if shown.finding is None:
        verdict(_lacking(shown, stands))
        return
    grade = grade_of_finding(shown.view, shown.finding)
    doubt = without_degenerate(shown.view, shown.finding)
    say_finding(shown.finding, grade, doubt=doubt, criterion=shown.view.table.criterion)
    if said := _on_pairs(shown):
        st.caption(escaped(said))
    if shown.agreement.opposed:
        st.caption(shown.agreement.opposed)
    averaged = shown.agreement.averaged
    if averaged.caution:  # how far people agree on pairs stands beside it
        st.caption(averaged.won if averaged.compared else averaged.caution)
    degenerate_note(shown.view, shown.finding.best, told=bool(doubt))
    behind = [prompts_behind(shown.view.table, column.values) for column in shown.view.table.columns]
    _, too_few = only_claimed(shown.correlations, behind)
    correlations, _ = only_claimed(shown.correlations, behind, agreed=not shown.agreement.disagree)
    best = correlations[:SHOWN]
    if len(shown.correlations) > len(best):
        st.caption(f"Drawn are the best {SHOWN} of {so_many_metrics([one.metric for one in shown.correlations])}.")
    chart(
        by_metric(best, "pearson", shown.limits),
        key="overview_metrics",
        alt="Correlation of the best metrics with people",
        on_points=mark_metric,
    )
    if too_few:
        st.caption(NO_LINE)
    say_grade(grade)


def _on_pairs(shown: Measured) -> str:
    """How often the metric of the finding orders two stories as people do; "" where there are no pairs."""
    if shown.pairs is None or shown.finding is None:
        return ""
    name = shown.finding.best
    signature = shown.view.table.columns[shown.view.names.index(name)].signature
    rows = [row for row in shown.pairs.metrics.rows if row.signature == signature]
    accuracy = on_accuracy(name, rows[0]) if rows else None
    return "" if accuracy is None else accuracy.text


def _lacking(shown: Measured, stands: Standing) -> str:
    """Why there is no finding, and what it would say."""
    table = shown.view.table
    if table.rated and table.columns:
        return "No metric can be set against the ratings yet: the Correlation page says why."
    ratings_there = table.rated and not stands.just_begun
    most = "most of its ratings" if table.rated else "ratings"
    missing = [
        said
        for said, there in (
            ("no metric has scored the stories yet", table.columns),
            (f"the study still lacks {most}", ratings_there),
        )
        if not there
    ]
    return f"Which metric agrees best with people will stand here: {', and '.join(missing)}."
