"""Finished explanations, found again in the rows of their jobs."""

import streamlit as st

from core.errors import FabulaError
from core.explanation.results import Explanation, explanation_from
from core.explanation.settings import ExplanationRequest, story_hash
from core.jobs import Job, JobState
from db.jobs import jobs
from pages.ui.shared.jobs.awaited_job import job_number, latest, remember

KIND, ADDRESS = "explain", "explained"
MOST_DIGITS = 10
"""Of an id in an address; a database takes no longer ones."""


def found_already(asked: ExplanationRequest, story: str) -> Explanation | None:
    """What was found of just this, in this session or under the address; None where it is yet to be made. `story`: the
    text that was to be explained.
    """
    job = latest(KIND, asked)
    if job is None and (job := addressed()) is not None and job.settings == asked.settings():
        remember(KIND, asked, job.id)
    if job is None or job.state is not JobState.DONE or job.result is None:
        return None
    if job.result["story"] != story_hash(story):
        return None  # stories have come or gone since, and their negatives are others
    return explanation_from(job.result["explanation"])


def addressed() -> Job | None:
    """The explanation that the address names."""
    number = st.query_params.get(ADDRESS, "")
    if not number.isdecimal() or len(number) >= MOST_DIGITS:
        return None
    try:
        job = jobs.get(int(number))
    except FabulaError:  # deleted: the address still says what to explain
        return None
    return job if job.kind == KIND else None


def into_address(asked: ExplanationRequest) -> None:
    """Name the job in the address: a typed story does not fit into it."""
    if (number := job_number(KIND, asked)) is not None:
        st.query_params[ADDRESS] = str(number)
