"""Progress of a study's jobs: read from their rows, so it is the same on every page and after a reload."""

import streamlit as st

from core.jobs import Job, JobState
from core.people import Person
from db import jobs

POLL_SECONDS = 1.0
ICONS = {
    JobState.DONE: ":green[:material/check_circle:]",
    JobState.FAILED: ":red[:material/error:]",
    JobState.CANCELLED: ":gray[:material/cancel:]",
    JobState.INTERRUPTED: ":orange[:material/pause_circle:]",
}


def job_progress(viewer: Person, study_id: int, active: bool) -> None:
    """Show the newest jobs; poll only while one of them can still move."""
    st.subheader("Runs")
    st.fragment(_jobs, run_every=POLL_SECONDS if active else None)(viewer, study_id, active)


def _jobs(viewer: Person, study_id: int, active: bool) -> None:
    recent = jobs.of_study(study_id, most=3)
    for job in recent:
        _one(viewer, job)
    if active and not any(job.state.active for job in recent):
        st.rerun()  # the last one has ended: the page shows its result, and the polling is over


def _one(viewer: Person, job: Job) -> None:
    with st.container(border=True, key=f"job-{job.id}"):
        if job.state.active:
            share = job.done / job.total if job.total else 0.0
            st.progress(min(share, 1.0), _speed(job))
            st.text(job.message)
            label = "Stopping after this batch" if job.cancel_requested else "Cancel"
            if st.button(label, key=f"cancel-{job.id}", disabled=job.cancel_requested):
                jobs.cancel(viewer, job.id)
                st.rerun(scope="fragment")
            return
        st.markdown(f"{ICONS[job.state]} **{job.state.capitalize()}**")
        st.text(_ending(job))
        if job.state is not JobState.DONE and st.button("Resume", key=f"resume-{job.id}", icon=":material/replay:"):
            jobs.resume(viewer, job.id)
            st.rerun()


def _speed(job: Job) -> str:
    return f"{job.done:,} of {job.total:,} scores" if job.total else "Waiting"


def _ending(job: Job) -> str:
    if job.state is not JobState.DONE or job.result is None:
        return f"{', '.join(job.settings.get('metrics', []))}: {job.message}"
    parts = [
        f"{row['metric']} scored {row['scored']:,}, reused {row['reused']:,}, undefined {row['undefined']:,}"
        for row in job.result["rows"]
    ]
    return "\n".join([*parts, *job.result.get("notices", [])])
