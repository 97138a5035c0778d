"""A study's scores and judgments, read once for all pages and viewers."""

import streamlit as st

from core.annotation.target import Target, usual_target
from core.metrics.run import SCORED, Sources
from core.scores import RatingChoice, ScoreTable
from db.scores import tables
from db.studies import studies


def whole(
    study_id: int, version: str, validity: RatingChoice, target: Target | None = None, sources: Sources = SCORED
) -> ScoreTable:
    """All stories that these sources have in the study, with what people said on the target. Kept as it is, never
    copied: it may hold 100,000 stories, and nothing changes it.
    """
    return _whole(study_id, version, validity, target or usual_target(studies.get(study_id).scheme), sources)


@st.cache_resource(max_entries=2, show_spinner="Reading scores and ratings")
def _whole(study_id: int, version: str, validity: RatingChoice, target: Target, sources: Sources) -> ScoreTable:
    return tables.table(study_id, target=target, validity=validity, kept=_columns(study_id, sources), sources=sources)


@st.cache_resource(max_entries=2, show_spinner=False)
def _columns(study_id: int, sources: Sources) -> tables.Kept:
    """The scores that were read last: where ratings alone have changed, they are as they were."""
    return {}
