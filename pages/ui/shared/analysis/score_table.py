"""A study's scores and judgments, read once for all pages and viewers."""

import streamlit as st

from core.annotation.target import Target
from core.scores import RatingChoice, ScoreTable
from db.scores import tables


@st.cache_resource(max_entries=2, show_spinner="Reading scores and ratings")
def whole(study_id: int, version: str, validity: RatingChoice, target: Target | None = None) -> ScoreTable:
    """All stories of the study, with what people said on the target. Kept as it is, never copied: it may hold 100,000
    stories, and nothing changes it.
    """
    return tables.table(study_id, target=target, validity=validity, kept=_columns(study_id))


@st.cache_resource(max_entries=2, show_spinner=False)
def _columns(study_id: int) -> tables.Kept:
    """The scores that were read last: where ratings alone have changed, they are as they were."""
    return {}
