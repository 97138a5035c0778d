"""Progress of a study's jobs: read from their rows, so it is the same on every page and after a reload."""

import streamlit as st

from core.jobs import Job, JobState
from core.people import Person, Role
from db import jobs
from pages.ui.viewer import require

POLL_SECONDS = 1.0
MOST = 5
"""So many runs of a study are looked at."""
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
    require(Role.RESEARCHER)  # it may run by itself for as long as the page is open
    recent = jobs.of_study(study_id, most=MOST)
    ended = [job for job in recent[1:] if not job.state.active]
    for job in recent:
        if job not in ended:
            _one(viewer, job)
    if ended:
        with st.expander("Earlier runs"):
            for job in ended:
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
        may = viewer.may(jobs.least_role(job.settings))
        if (
            may
            and job.state is not JobState.DONE
            and st.button("Resume", key=f"resume-{job.id}", icon=":material/replay:")
        ):
            jobs.resume(viewer, job.id)
            st.rerun()


def _speed(job: Job) -> str:
    return f"{job.done:,} of {job.total:,} scores" if job.total else "Waiting"


def _ending(job: Job) -> str:
    asked = ", ".join(job.settings.get("metrics", []))
    if job.state is not JobState.DONE or job.result is None:
        return f"{asked}: {job.message}"
    rows = job.result["rows"]
    scored, reused, undefined = (sum(row[name] for row in rows) for name in ("scored", "reused", "undefined"))
    took = sum(row["seconds"] for row in rows)
    told = f"{asked}: {scored:,} scores computed in {took:.1f} s, {reused:,} reused, {undefined:,} undefined."
    return "\n".join([told, *job.result.get("notices", [])])
