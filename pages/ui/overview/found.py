"""What a study has found: the sentence, and the figure that proves it."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.analysis.correlation.limits import Limits
from core.analysis.correlation.metric_order import best_first
from core.analysis.correlation.sample import Filter
from core.analysis.judgments.reliability import Reliability, reliability
from core.analysis.significance.tests import SignificanceSettings, compare_with_others, permutations_for_pairs
from core.analysis.verdict.finding import Finding, finding
from core.annotation.studies import StudySummary
from core.annotation.target import usual_target
from core.figures.correlation import by_metric
from core.scores import RatingChoice
from core.statistics.correlation import MetricCorrelation
from db.ratings import ratings
from pages.ui.shared.analysis.correlations import overall, people
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.analysis.view import USUALLY, View
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.text import escaped

SHOWN = 8
"""Metrics of the figure: the best."""


@dataclass(frozen=True)
class Measured:
    """All of the study's stories, as the Correlation page begins with them, and what follows."""

    view: View
    limits: Limits
    agreement: Reliability
    correlations: tuple[MetricCorrelation, ...]
    finding: Finding | None


def measured(summary: StudySummary) -> Measured:
    """What is known of the study."""
    study = summary.study
    target, version = usual_target(study.scheme), ratings.version(study.id)
    table = best_first(whole(study.id, version, RatingChoice.VALID, target))
    seed, draws = USUALLY["seed"], USUALLY["draws"]
    shown = View(study, table, {}, Filter(), RatingChoice.VALID, seed, draws, version, target)
    limits = people(shown.key, "pearson", table, seed)
    correlated = overall(shown.key, table, seed, draws) if table.columns and table.rated else ()
    agreement = _agreement(shown.key, shown)
    return Measured(
        shown,
        limits,
        agreement,
        correlated,
        _finding(shown.key, shown, correlated, limits.one_rater, agreement.disagree),
    )


@st.cache_data(max_entries=8, show_spinner=False)
def _agreement(key: tuple[object, ...], _shown: View) -> Reliability:
    return reliability(_shown.table, seed=_shown.seed)


@st.cache_data(max_entries=8, show_spinner="Comparing the metrics")
def _finding(
    key: tuple[object, ...],
    _shown: View,
    _correlated: tuple[MetricCorrelation, ...],
    one_rater: float | None,
    disagree: bool,
) -> Finding | None:
    """The finding, with tests of the best metric against each other."""
    defined = [place for place, one in enumerate(_correlated) if one.correlation.pearson.value is not None]
    if not defined:
        return None
    best = defined[0]  # the table's order is theirs
    settings = SignificanceSettings(
        permutations=permutations_for_pairs(len(_shown.names) - 1), resamples=0, seed=_shown.seed
    )
    scored = np.isfinite(_shown.table.columns[best].values) & np.isfinite(_shown.table.human)
    return finding(
        _shown.names,
        [one.correlation.pearson for one in _correlated],
        [one.correlation.n for one in _correlated],
        compare_with_others(_shown.table, best, _shown.names, settings),
        prompts=len({_shown.table.prompts[place] for place in np.flatnonzero(scored).tolist()}),
        one_rater=one_rater,
        disagree=disagree,
    )


def found(shown: Measured) -> None:
    """The sentence, and the best metrics with their intervals."""
    if shown.finding is None:
        with st.container(key="finding"):
            st.markdown(_lacking(shown))
        return
    with st.container(key="finding"):
        st.markdown(shown.finding.text(lambda name: f"**{escaped(name)}**"))
    if shown.agreement.averaged.caution:
        st.caption(shown.agreement.averaged.caution)
    best = shown.correlations[:SHOWN]
    chart(
        by_metric(best, "pearson", shown.limits),
        key="overview_metrics",
        alt="Correlation of the best metrics with people",
    )
    if len(shown.correlations) > len(best):
        st.caption(f"The best {SHOWN} of {len(shown.correlations):,} metrics.")


def _lacking(shown: Measured) -> str:
    """Why there is no finding, and what it would say."""
    table = shown.view.table
    if table.rated and table.columns:
        return "No metric can be set against the ratings yet: the Correlation page says why."
    missing = (
        "ratings and metrics" if not table.rated and not table.columns else "metrics" if table.rated else "ratings"
    )
    return f"Which metric agrees best with people will stand here: the study still lacks {missing}."
