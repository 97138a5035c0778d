"""Work that the viewer waits for: requested from the worker, awaited, and found again in its row."""

import time
from collections.abc import Hashable, Sequence
from typing import Any, Protocol

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.errors import FabulaError
from core.jobs import Job, JobState
from core.people import Person, Role
from db.jobs import jobs
from pages.ui.shared.jobs.queue import show_queue, turn
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

POLL_SECONDS = 0.4
PATIENCE, LOOK_SECONDS = 1.5, 0.04
"""A short text is read before anybody would see that it is waited for."""
LONGER = 20
"""So many times longer is a drawer's work waited for in sight: to open it anew throws whoever reads it to its top."""


class Request(Hashable, Protocol):
    """What is asked, which two can be alike in."""

    def settings(self) -> dict[str, Any]:
        """Return the settings that a job keeps."""
        ...


def latest(kind: str, asked: Request) -> Job | None:
    """The latest job of this session that was asked just that."""
    number = job_number(kind, asked)
    return None if number is None else jobs.get(number)


def job_number(kind: str, asked: Request) -> int | None:
    """The id of that job, for the address."""
    result = st.session_state.get(_key(kind), {}).get(asked)
    return None if result is None else int(result)


def remember(kind: str, asked: Request, number: int) -> None:
    """Take a job for this session's own: the one that the address names."""
    st.session_state[_key(kind)] = {**st.session_state.get(_key(kind), {}), asked: number}


def _key(kind: str) -> str:
    return f"{kind}-jobs"


def ask(viewer: Person, kind: str, wanted: Sequence[Request]) -> None:
    """Have the worker do these, unless it is about to; waits a moment, as most are there by then."""
    numbers = []
    for request in wanted:
        job = latest(kind, request)
        if job is None or not job.state.active:
            job = jobs.add(viewer, kind, None, request.settings())
            remember(kind, request, job.id)
        numbers.append(job.id)
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE and any(jobs.get(number).state.active for number in numbers):
        time.sleep(LOOK_SECONDS)


def stay(kind: str, wanted: Sequence[Request], units: str) -> bool:
    """Show how far the work on these is, for as long as one waits for a model to be loaded and a text to be read; says
    whether it has ended. What the viewer does meanwhile comes first.
    """
    shown, begun = st.empty(), time.monotonic()
    while active := [job for request in wanted if (job := latest(kind, request)) is not None and job.state.active]:
        if time.monotonic() - begun > LONGER * PATIENCE:
            shown.empty()
            return False
        job = active[0]
        shown.progress(min(1.0, job.done / job.total) if job.total else 0.0, _far(job, units))
        time.sleep(POLL_SECONDS)
    shown.empty()
    return True


def draw_anew() -> None:
    """Draw what is being drawn once more: in a drawer that alone, so that it stays where it was scrolled to."""
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # the whole page is being drawn
        st.rerun()


def awaited(viewer: Person, kind: str, wanted: Sequence[Request], units: str, *, queue: bool = True) -> None:
    """How far the work on these is, and how it failed; nothing for what nobody has asked for. `units`: what the
    progress counts; `queue`: whether the page shows here what else the worker does, as it can in one place.
    """
    latest_jobs = [job for request in wanted if (job := latest(kind, request)) is not None]
    for job in latest_jobs:
        if job.state is JobState.FAILED:
            problem(job.message)
        elif job.state is JobState.CANCELLED:
            st.info("The reading was cancelled.")
        elif job.state is JobState.INTERRUPTED:
            st.info("The reading was interrupted. Press the button again.")
    if active := [job.id for job in latest_jobs if job.state.active]:
        if queue:
            show_queue(viewer, kind)
        st.fragment(_progress, run_every=POLL_SECONDS)(viewer, active, units)


def _progress(viewer: Person, numbers: Sequence[int], units: str) -> None:
    require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    try:
        latest_jobs = [jobs.get(number) for number in numbers]
    except FabulaError as error:
        problem(str(error))
        return
    for job in latest_jobs:
        if not job.state.active:
            continue
        message = turn(viewer, job.id) if job.state is JobState.QUEUED else _far(job, units)
        st.progress(min(1.0, job.done / job.total) if job.total else 0.0, message)
        label = "Stopping after this batch" if job.cancel_requested else "Cancel"
        if st.button(label, key=f"cancel-{job.id}", disabled=job.cancel_requested):
            jobs.cancel(viewer, job.id)
            st.rerun(scope="fragment")
    if any(not job.state.active for job in latest_jobs):
        st.rerun()


def _far(job: Job, units: str) -> str:
    return f"{job.done:,} of {job.total:,} {units} read" if job.total else job.message.capitalize()
