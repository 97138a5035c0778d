"""A study's scores and judgments, read once for all pages and viewers."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

import streamlit as st

from core.annotation.target import Target, usual_target
from core.metrics.run import SCORED, Sources
from core.scores import RatingChoice, ScoreTable
from db.scores import tables
from db.studies import studies

Made = TypeVar("Made")


def whole(
    study_id: int, version: str, validity: RatingChoice, target: Target | None = None, sources: Sources = SCORED
) -> ScoreTable:
    """All stories that these sources have in the study, with what people said on the target. Kept as it is, never
    copied: it may hold 100,000 stories, and nothing changes it.
    """
    judged = target or usual_target(studies.get(study_id).scheme)

    def read() -> ScoreTable:
        kept = _columns(study_id, sources)
        with st.spinner("Reading scores and ratings"):
            return tables.table(study_id, target=judged, validity=validity, kept=kept, sources=sources)

    return _tables(study_id, validity, judged, sources).of(version, read)


class Latest(Generic[Made]):
    """What was made of a study's latest version: of 100,000 stories two at once would take 100 MB more."""

    def __init__(self) -> None:
        self._version: str | None = None
        self._made: Made | None = None
        self._lock = Lock()

    def of(self, version: str, make: Callable[[], Made]) -> Made:
        """What was made of this version; what was made of the one before goes first."""
        with self._lock:
            if self._made is None or self._version != version:
                self._made = None
                self._made, self._version = make(), version
            return self._made


@st.cache_resource(max_entries=2, show_spinner=False)
def _tables(study_id: int, validity: RatingChoice, target: Target, sources: Sources) -> Latest[ScoreTable]:
    return Latest()


@st.cache_resource(max_entries=2, show_spinner=False)
def _columns(study_id: int, sources: Sources) -> tables.Kept:
    """The scores that were read last: where ratings alone have changed, they are as they were."""
    return {}
