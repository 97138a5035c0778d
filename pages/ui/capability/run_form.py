"""Running metrics on test sets: which can run, which cannot and why, how long it takes, its progress."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from core.analysis.capability.scoring import offered
from core.errors import FabulaError
from core.jobs import Job, JobState
from core.metrics import find
from core.metrics.run import checked
from core.people import Person
from db.jobs import jobs
from db.test_sets.case_table import CaseTable
from db.training import checkpoints
from pages.ui.capability.run_estimate import estimate
from pages.ui.capability.view import BOX, LOOK, SEES
from pages.ui.shared.analysis.set_choices import set_choices
from pages.ui.shared.jobs.progress import MOST, JobWording, runs
from pages.ui.shared.jobs.queue import show_queue
from pages.ui.shared.jobs.run_options import run_options
from pages.ui.shared.text import escaped, problem

KIND = "capability"
AT_FIRST = ("perplexity", "acceptability", "words")
"""Chosen when the form is opened, as for a study without human stories."""


def active() -> bool:
    """Whether a metric is at work on a test set."""
    return bool(jobs.recent(KIND, 0))


def run_form(viewer: Person, tests: CaseTable) -> None:
    """The metrics that run here, what they cost, and the button; the others with the reason."""
    ready, reasons = offered()
    with st.container(border=True):
        chosen = [name for name in ready if name in AT_FIRST]
        names = st.pills("Metrics", ready, selection_mode="multi", default=chosen, key="tested_metrics")
        if names:
            with st.expander("What these metrics measure, and what they cannot see", icon=":material/info:"):
                for name in names:
                    st.markdown(f"**{escaped(name)}**")
                    st.text(find(name).card.measures)
                    st.text(f"Blind spots: {find(name).card.blind_spots}")
        run = checkpoints.placed(run_options(viewer, list(names))) if names else {}
        _not_applicable(reasons)
        fine = bool(names)
        if not fine:
            st.caption("Choose at least one metric.")
        else:
            try:
                st.text(estimate(run, tests))
            except FabulaError as error:
                fine = False
                problem(str(error))
        if st.button("Run the metrics", type="primary", icon=":material/play_arrow:", disabled=not fine):
            _start(viewer, run, tests)


def _start(viewer: Person, run: Mapping[str, Any], tests: CaseTable) -> None:
    """A job a set."""
    try:
        settings = checked(run)
        for item in tests.sets:
            jobs.add(viewer, KIND, None, {"test_set": item.id, "name": item.name, **settings})
    except FabulaError as error:
        problem(str(error))
    else:
        st.rerun()


def _not_applicable(reasons: Mapping[str, tuple[str, ...]]) -> None:
    with st.expander("Not applicable", icon=":material/block:"):
        for reason, names in reasons.items():
            st.markdown(f"{escaped(', '.join(names))}: {escaped(reason)}.")


def set_runs(viewer: Person) -> None:
    """The runs on any set that are not over, of which each set chosen may have one, and the newest others."""
    show_queue(viewer, KIND)
    newest = partial(jobs.recent, KIND, MOST)
    recent = newest()
    if recent:
        runs(
            viewer, newest, any(job.state.active for job in recent), JobWording(lambda _job: "scores", _summary, _more)
        )


def _more(_viewer: Person, job: Job) -> None:
    """The way to what came of it."""
    if job.state is JobState.DONE and job.result is not None:
        name = str(job.settings.get("name"))
        if st.button(SEES, icon=":material/visibility:", key=f"sees-{job.id}", on_click=_look_at, args=(name,)):
            st.rerun()  # all of the page, not only the runs


def _look_at(name: str) -> None:
    """Show what metrics see in the set of this name."""
    set_choices(**{BOX: [name], LOOK: SEES})


def _summary(job: Job) -> str:
    about = f"{job.settings.get('name') or 'A test set'}: {', '.join(job.settings.get('metrics', []))}"
    if job.state is not JobState.DONE or job.result is None:
        return f"{about}\n{job.message[:1].upper()}{job.message[1:]}"
    rows = job.result["rows"]
    scored, took = sum(row["scored"] for row in rows), sum(row["seconds"] for row in rows)
    done = f"{scored:,} scores computed in {took:.1f} s, of {job.result['texts']:,} texts."
    return "\n".join([about, done, *job.result.get("notices", [])])
