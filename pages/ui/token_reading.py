"""Having texts read by a model in the worker: what was read before is there at once, the rest is awaited."""

import time
from collections.abc import Sequence

import streamlit as st

from core.errors import FabulaError
from core.jobs import Job, JobState
from core.models.catalogue import answers_at_once
from core.people import Person, Role
from core.token_jobs import Asked
from core.tokens import TokenTable
from db import jobs, token_texts
from pages.ui.text import problem
from pages.ui.viewer import require

POLL_SECONDS = 0.4
PATIENCE, LOOK_SECONDS = 1.5, 0.04
"""A short text is read before anybody would see that it is waited for."""
ASKED = "token-jobs"


@st.cache_resource(max_entries=16, show_spinner=False)
def _kept(signature: str, text: str) -> TokenTable:
    found = token_texts.find(signature, text)
    if found is None:
        raise LookupError  # and so it is not remembered that there was none
    return found


def read_already(asked: Asked) -> TokenTable | None:
    """What is kept of this reading; None where it is yet to be made. Raises ModelMissing."""
    job = _job(asked)
    if job is not None and job.state is JobState.DONE and job.result is not None:
        signature = job.result["signature"]
    elif answers_at_once(asked.model or None, asked.role):
        signature = asked.signature()
    else:
        return None  # whether a hub has a newer revision is for the worker to find out
    try:
        return _kept(signature, asked.text)
    except LookupError:
        return None


def _job(asked: Asked) -> Job | None:
    """The latest job of this session that was asked just that."""
    number = st.session_state.get(ASKED, {}).get(asked)
    return None if number is None else jobs.get(number)


def job_number(asked: Asked) -> int | None:
    """The id of that job, for the address."""
    found = st.session_state.get(ASKED, {}).get(asked)
    return None if found is None else int(found)


def ask(viewer: Person, wanted: Sequence[Asked]) -> None:
    """Have the worker read these, unless it is about to; waits a moment, as most are there by then."""
    known = dict(st.session_state.get(ASKED, {}))
    for one in wanted:
        job = _job(one)
        if job is None or not job.state.active:
            known[one] = jobs.add(viewer, "tokens", None, one.settings()).id
    st.session_state[ASKED] = known
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE and any(jobs.get(known[one]).state.active for one in wanted):
        time.sleep(LOOK_SECONDS)


def awaited(viewer: Person, wanted: Sequence[Asked]) -> None:
    """How far the reading of these is, and how it failed; nothing for what nobody has asked for."""
    found = [job for one in wanted if (job := _job(one)) is not None]
    for job in found:
        if job.state is JobState.FAILED:
            problem(job.message)
        elif job.state is JobState.CANCELLED:
            st.info("The reading was cancelled.")
        elif job.state is JobState.INTERRUPTED:
            st.info("The reading was interrupted. Press the button again.")
    if active := [job.id for job in found if job.state.active]:
        st.fragment(_progress, run_every=POLL_SECONDS)(viewer, active)


def _progress(viewer: Person, numbers: Sequence[int]) -> None:
    require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    try:
        found = [jobs.get(number) for number in numbers]
    except FabulaError as error:
        problem(str(error))
        return
    for job in found:
        if not job.state.active:
            continue
        told = f"{job.done:,} of {job.total:,} tokens read" if job.total else job.message.capitalize()
        st.progress(min(1.0, job.done / job.total) if job.total else 0.0, told)
        label = "Stopping after this batch" if job.cancel_requested else "Cancel"
        if st.button(label, key=f"cancel-{job.id}", disabled=job.cancel_requested):
            jobs.cancel(viewer, job.id)
            st.rerun(scope="fragment")
    if any(not job.state.active for job in found):
        st.rerun()
