"""The queue of jobs: what runs, what waits, and what comes before one's own."""

import streamlit as st

from core.jobs import Queued
from core.people import Person, Role
from db.jobs.lanes import is_quick
from db.jobs.queue import queue
from pages.ui.shared.viewer import require

POLL_SECONDS = 1.0
"""Of all that follows jobs on a page: what says more of them at once says the same."""
DOES = {
    "score": "scores",
    "biases": "a judge's biases",
    "train": "a training",
    "perception": "critics",
    "test set": "a test set",
    "capability": "metrics on a test set",
    "tokens": "a text, token by token",
    "sentences": "a story's sentences",
    "explain": "a story explained",
}
"""What a kind of work is called where nobody knows what it is about."""


def show_queue(viewer: Person, kind: str) -> None:
    """What runs and waits of such work as this, whoever asked for it; nothing where there is nothing."""
    if any(is_quick(job.kind) == is_quick(kind) for job in queue(viewer)):
        st.fragment(_queue, run_every=POLL_SECONDS)(kind)


def turn(viewer: Person, job_id: int) -> str:
    """How many have their turn before a job that waits."""
    before = next((job.before for job in queue(viewer) if job.id == job_id), 0)
    return "Waiting: it is the next" if not before else f"Waiting: {before:,} before it"


def _queue(kind: str) -> None:
    viewer = require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    jobs = [job for job in queue(viewer) if is_quick(job.kind) == is_quick(kind)]
    waits = sum(not job.running for job in jobs)
    if not jobs:
        return
    mine = [job.running for job in jobs if job.mine]
    counted = [(sum(mine), "running"), (len(mine) - sum(mine), "waiting")]
    yours = f"; yours: {', '.join(f'{number} {state}' for number, state in counted if number)}" if mine else ""
    label = f"Queue: {len(jobs) - waits} running, {waits} waiting{yours}"
    with st.expander(label, key=f"queue-{is_quick(kind)}", icon=":material/list:"):
        st.table(
            [
                {
                    "Turn": "in a terminal" if not job.here else _turn(job),
                    "Work": DOES[job.kind],
                    "On": job.about or "–",
                    "Asked for by": _who(job),
                    "How far": job.far,
                }
                for job in jobs
            ],
            hide_index=True,
            alt="Work that runs or waits, in its order",
        )


def _turn(job: Queued) -> str:
    if job.running:
        return "now"
    return f"after {job.before}" if job.before else "next"


def _who(job: Queued) -> str:
    return "you" if job.mine else job.by or "somebody else"
