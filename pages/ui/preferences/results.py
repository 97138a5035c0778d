"""What the Preferences page shows, computed once for all viewers of a state of the data."""

from dataclasses import dataclass

import streamlit as st

from core.analysis.judges.reported import pairs_held_out
from core.analysis.preferences.agreement import PreferenceAgreement, agreement
from core.analysis.preferences.metrics import MetricPreferences, judge_metrics
from core.analysis.preferences.pair_judges import PairTrial, try_judges
from core.analysis.preferences.ranking import Ranking, rank
from core.annotation.studies import Study
from core.annotation.target import usual_target
from core.judges.halves import Half
from core.metrics.run import Sources
from core.scores import RatingChoice
from db.ratings.preferences import preferences_of
from db.scores import pair_verdicts, scores
from db.studies import halves, studies
from pages.ui.shared.analysis.score_table import whole


@dataclass(frozen=True)
class PreferenceResults:
    """Systems by strength, how far people agree, metrics beside them, and what judges of pairs say in both orders."""

    ranking: Ranking
    agreement: PreferenceAgreement
    metrics: MetricPreferences
    judges: tuple[PairTrial, ...]


def results(study: Study, version: str, seed: int, resamples: int) -> PreferenceResults:
    """Of this version of the study's ratings and scores."""
    return _computed(study.id, version, seed, resamples, scores.sources(study.id))


@st.cache_resource(max_entries=8, show_spinner="Ranking the systems")
def _computed(study_id: int, version: str, seed: int, resamples: int, sources: Sources) -> PreferenceResults:
    judged = preferences_of(study_id)
    table = whole(study_id, version, RatingChoice.VALID, usual_target(studies.get(study_id).scheme), sources)
    ranking = rank(judged, seed=seed, resamples=resamples)
    judges = pairs_held_out(pair_verdicts.columns(study_id), halves.prompts(study_id, Half.HELD_OUT))
    return PreferenceResults(
        ranking,
        agreement(preferences_of(study_id, repeats=True), seed=seed, resamples=resamples),
        judge_metrics(judged, table, judges, seed=seed, resamples=resamples),
        try_judges(judges, judged),
    )
