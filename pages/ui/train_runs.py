"""Trainings under way and past: how far, how the loss falls, go on, or put away what is left of one."""

from functools import partial

import streamlit as st

from core.figures.training import held_out, losses
from core.jobs import Job, JobState
from core.models.catalogue import DEFAULTS
from core.models.catalogue import Role as Used
from core.people import Person, Role
from core.training.curve import curve_from
from core.training.orders import order_from
from db import jobs
from pages.ui.exports import CHART
from pages.ui.job_progress import MOST, Shown, runs
from pages.ui.text import problem
from pages.ui.train_one import to_score

KIND = "train"
SHOWN_FIGURES = {"auc": "AUC", "accuracy": "accuracy", "ranked": "pairs in the right order"}


def train_runs(viewer: Person) -> None:
    """The newest trainings, or what comes here."""
    newest = partial(jobs.of_kind, KIND, most=MOST)
    recent = newest()
    if not recent:
        st.caption("No training yet. What you start here runs by itself: the page can be closed meanwhile.")
        return
    runs(viewer, newest, any(job.state.active for job in recent), Shown(_counted, _told, _more))


def _counted(job: Job) -> str:
    return "steps" if job.message.startswith("Training") else "stories"


def _told(job: Job) -> str:
    given = job.settings
    of = ", ".join(one["name"] for one in given["stories"])
    about = f"{given['name']}: UNION on {given['base'] or DEFAULTS[Used.BASE]}, of {of}"
    if job.state is not JobState.DONE or job.result is None:
        return f"{about}\n{job.message[:1].upper()}{job.message[1:]}"
    result = job.result
    told = {what.removeprefix("held-out pairs: "): value for what, value in result["figures"].items()}
    figures = ", ".join(f"{name} {told[what]:.3f}" for what, name in SHOWN_FIGURES.items() if what in told)
    took = f"{result['pairs']:,} pairs, {result['seconds']:,.0f} s of training. Held out: {figures}."
    return "\n".join([about, took, *result.get("notices", [])])


def _more(viewer: Person, job: Job) -> None:
    """The curve, as far as there is one, and what can be done next."""
    curve = (job.result or {}).get("curve")
    if curve is not None and curve["steps"]:
        found = curve_from(curve)
        left, right = st.columns(2)
        with left:
            st.plotly_chart(losses({"loss": found}), config=CHART, key=f"loss-{job.id}", alt="Loss while training")
        with right:
            if found.evaluations:
                figure = held_out({"held-out AUC": found})
                st.plotly_chart(figure, config=CHART, key=f"auc-{job.id}", alt="Held-out AUC while training")
            else:
                st.caption("Held-out stories are looked at every 100 steps, and at the end.")
    if job.state is JobState.DONE:
        to_score(job.settings["name"])
    elif not job.state.active:
        _put_away(viewer, job)


def _put_away(viewer: Person, job: Job) -> None:
    """What is under way may take gigabytes."""
    order = order_from(job.settings)
    if not order.folder.exists():
        return
    with st.popover("Delete what was trained", icon=":material/delete:", key=f"put-away-{job.id}"):
        st.text("Frees the disk. Resume then begins from the start, and not at all where the stories were a table's.")
        if st.button("Delete it", type="primary", key=f"put-away-yes-{job.id}"):
            viewer.must_be(Role.RESEARCHER)
            if jobs.get(job.id).state.active:
                problem("This training has just been resumed.")
                return
            order.discard()
            st.rerun()
