"""Progress of jobs, read from their rows, so that it is the same on every page and after a reload."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import FabulaError
from core.jobs import Job, JobState, left_first, percent
from core.metrics import find
from core.metrics.custom import class_of, is_own
from core.people import Person, Role
from core.wording import so_many
from db.jobs import jobs
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.jobs.queue import POLL_SECONDS, turn
from pages.ui.shared.viewer import require

MOST = 5
"""So many runs are looked at."""
REASONS_SHOWN = 2
"""Of a run, why stories have no score."""
SHOWN_RUN, SHOWN_TIMES = "shown-run", "shown-run-times"
"""Of the session's state: the run that was asked for elsewhere, and how often one was."""
ICONS = {
    JobState.DONE: ":green[:material/check_circle:]",
    JobState.FAILED: ":red[:material/error:]",
    JobState.CANCELLED: ":gray[:material/cancel:]",
    JobState.INTERRUPTED: ":orange[:material/pause_circle:]",
}


@dataclass(frozen=True)
class JobWording:
    """How a kind of job is spoken of.

    `counted`: what its progress counts by now. `summary`: what it is about and how it is, or how it ended. `more`:
    draws what else there is to see of it, below that.
    """

    counted: Callable[[Job], str]
    summary: Callable[[Job], str]
    more: Callable[[Person, Job], None] = lambda _viewer, _job: None


def job_progress(viewer: Person, study_id: int, active: bool) -> None:
    """Show the newest jobs of a study."""
    runs(viewer, partial(jobs.of_study, study_id, most=MOST), active, SCORING)


def runs(viewer: Person, newest: Callable[[], list[Job]], active: bool, shown: JobWording) -> None:
    """Show the newest jobs; poll only while one of them can still move."""
    st.header("Runs")
    st.fragment(_jobs, run_every=POLL_SECONDS if active else None)(viewer, newest, active, shown)


def show_run(job_id: int) -> None:
    """Bring this run into sight on the next page that has it among its runs."""
    st.session_state[SHOWN_RUN] = job_id
    st.session_state[SHOWN_TIMES] = st.session_state.get(SHOWN_TIMES, 0) + 1


def _jobs(viewer: Person, newest: Callable[[], list[Job]], active: bool, shown: JobWording) -> None:
    require(Role.RESEARCHER)  # it may run by itself for as long as the page is open
    recent = newest()
    asked = st.session_state.get(SHOWN_RUN)
    ended = [job for job in recent[1:] if not job.state.active and job.id != asked]
    for job in recent:
        if job not in ended:
            _one(viewer, job, shown)
    if ended:
        with st.expander("Earlier runs"):
            for job in ended:
                _one(viewer, job, shown)
    if any(job.id == asked for job in recent):
        scrolled(str(st.session_state[SHOWN_TIMES]), to=f"job-{asked}")
    if active and not any(job.state.active for job in recent):
        st.rerun()  # the last one has ended: the page shows its result, and the polling is over


def _one(viewer: Person, job: Job, shown: JobWording) -> None:
    with st.container(border=True, key=f"job-{job.id}"):
        if job.state.active:
            st.progress(job.share, _far(viewer, job, shown))
            st.text(shown.summary(job))
            if job.state is JobState.QUEUED:
                st.caption("It begins by itself, and goes on when you leave this page.")
            shown.more(viewer, job)
            label = "Stopping after this batch" if job.cancel_requested else "Cancel"
            if st.button(label, key=f"cancel-{job.id}", disabled=job.cancel_requested):
                jobs.cancel(viewer, job.id)
                st.rerun(scope="fragment")
            return
        st.markdown(f"{ICONS[job.state]} **{job.state.capitalize()}**")
        st.text(shown.summary(job))
        shown.more(viewer, job)
        may = viewer.may(jobs.least_role(job.settings))
        if (
            may
            and job.state is not JobState.DONE
            and st.button("Resume", key=f"resume-{job.id}", icon=":material/replay:")
        ):
            jobs.resume(viewer, job.id)
            st.rerun()


def _far(viewer: Person, job: Job, shown: JobWording) -> str:
    if job.state is JobState.QUEUED:
        return turn(viewer, job.id)
    return far(job, shown.counted(job))


def far(job: Job, counted: str) -> str:
    """How far a running job is: how much of all of it, and what it counts by now. `counted`: what that is. Where some
    of it takes longer, the share is one of the expected time: it follows the count then, and is said to be.
    """
    if not job.total:
        return f"Preparing: {percent(job.share)} done" if job.share else "Preparing"
    counts, share = f"{job.done:,} of {job.total:,} {counted}", percent(job.share)
    if share == percent(job.done / job.total):
        return f"{share}: {counts}"
    if job.share > job.done / job.total:
        return f"{counts}, the slow ones first: about {share} of the time is over"
    if share == percent(0):
        return f"{counts}, the quick ones first: nearly all of the time is still to come"
    return f"{counts}, the quick ones first: about {share} of the time is over"


def counted_reasons(reasons: Iterable[Mapping[str, int]]) -> str:
    """Why stories have no score, the most frequent reason first, with how many each is of; "" where all have one."""
    together: Counter[str] = Counter()
    for some in reasons:
        together.update(some)
    shown = [f"{reason} ({number:,})" for reason, number in together.most_common(REASONS_SHOWN)]
    more = len(together) - len(shown)
    return "; ".join([*shown, *([f"and {so_many(more, 'other reason')}"] if more else [])])


def _called(metric: str) -> str:
    """The name of a metric: of one's own that of its class, where its file is not there any more."""
    if not is_own(metric):
        return metric
    try:
        return find(metric).name
    except FabulaError:
        return class_of(metric)


def _scoring_summary(job: Job) -> str:
    """Say what a scoring job scores and how it is, or how it ended."""
    asked = ", ".join(map(_called, job.settings.get("metrics", [])))
    if job.state.active:
        names, _, _ = job.message.partition(":")
        if names == asked:
            return job.message
        asked = ", ".join(map(_called, left_first(job.settings, job.result)))
        return f"{asked}; now {job.message}" if job.state is JobState.RUNNING else f"{asked}: {job.message}"
    if half := job.settings.get("half"):
        asked += f", own wordings on the {half} half"
    if job.state is not JobState.DONE or job.result is None:
        return f"{asked}: {job.message}"
    rows = job.result["rows"]
    scored, reused, undefined = (sum(row[name] for row in rows) for name in ("scored", "reused", "undefined"))
    took = sum(row["seconds"] for row in rows)
    message = f"{asked}: {scored:,} scores computed in {took:.1f} s, {reused:,} reused, {undefined:,} undefined"
    reasons = counted_reasons([row["reasons"] for row in rows])
    message += f": {reasons}." if reasons else "."
    return "\n".join([message, *job.result.get("notices", [])])


SCORING = JobWording(lambda _job: "scores", _scoring_summary)
