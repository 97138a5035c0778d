"""Train the critics of a Perception Score from the Systems page, and watch them."""

from functools import partial

import numpy as np
import streamlit as st

from core.durations import expected
from core.errors import FabulaError
from core.jobs import Job, JobState
from core.people import Person, Role
from core.training.perception.order import GUESS, PerceptionOrder, perception_order, speed_key, work
from core.training.perception.pairs import tested_of
from db.jobs import jobs
from db.training import perceptions
from pages.ui.shared.analysis.view import View
from pages.ui.shared.jobs.progress import MOST, JobWording, runs
from pages.ui.shared.jobs.queue import show_queue
from pages.ui.shared.text import problem
from pages.ui.systems.critics_form import critics_order

PROBLEM = "critics-problem"


def critics_section(viewer: Person, shown: View) -> None:
    """The form, and what runs or ran."""
    recent = jobs.of_study(shown.study.id, most=MOST, kind="perception")
    active = any(job.state.active for job in recent)
    with st.expander("Train critics", icon=":material/model_training:", expanded=not recent):
        order = critics_order(shown)
        if order.systems:
            st.caption(_estimate(shown, order))
        if message := st.session_state.pop(PROBLEM, ""):
            problem(message)
        if st.button(
            "Train them",
            type="primary",
            icon=":material/model_training:",
            disabled=not order.systems or active,
            help="One training of a study at a time." if active else None,
            key="critics-start",
        ):
            _start(viewer, order)  # no callback, whose order would be the one of the drawing before
            st.rerun()
    show_queue(viewer, "perception")
    if recent:
        newest = partial(jobs.of_study, shown.study.id, most=MOST, kind="perception")
        runs(viewer, newest, active, JobWording(lambda _job: "steps", _summary, _more))


def _estimate(shown: View, order: PerceptionOrder) -> str:
    table, plan = shown.table, order.plan
    texts = list(zip(table.texts, table.systems, strict=True))
    characters = sum(len(text) for text, system in texts if system in order.systems)
    rated = {table.prompts[i] for i in np.flatnonzero(np.isfinite(table.human)).tolist()}
    prompts = len(set(table.prompts))
    tested = tested_of(prompts, len(rated), plan) / prompts
    judged = len(order.systems) * sum(len(text) for text, _ in texts) if order.groups else characters
    seeds = len(plan.seeds)
    trained = (1 - tested) * (1 - plan.held_out) * characters
    characters_read = work(plan, trained * seeds, judged * tested * seeds)
    takes = expected(characters_read, GUESS, jobs.speeds().get(speed_key(order)))
    return (
        f"{len(order.systems) * seeds} critics, {takes.words}. A fifth of the prompts is tested on, or those that "
        "people have rated, up to half of all."
    )


def _start(viewer: Person, order: PerceptionOrder) -> None:
    try:
        perceptions.check(viewer, order)
        jobs.add(viewer, "perception", order.study, order.as_json())
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)


def _summary(job: Job) -> str:
    order = perception_order(job.settings)
    about = f"Critics of {', '.join(order.systems)} on {order.base}, {len(order.plan.seeds)} a system"
    if job.state is not JobState.DONE or job.result is None:
        return f"{about}\n{job.message[:1].upper()}{job.message[1:]}"
    left = [f"{name}: {n:,} texts without a reference left out" for name, n in job.result["left_out"].items()]
    return "\n".join([f"{about}: {job.result['seconds']:,.0f} s of training.", *left, *job.result["notices"]])


def _more(viewer: Person, job: Job) -> None:
    """What is left of one that did not end."""
    order = perception_order(job.settings)
    if job.state is JobState.DONE or job.state.active or not order.folder.exists():
        return
    with st.popover("Delete what was trained", icon=":material/delete:", key=f"critics-away-{job.id}"):
        st.text("Frees the disk. Resume then begins from the start.")
        if st.button("Delete it", type="primary", key=f"critics-away-yes-{job.id}"):
            viewer.must_be(Role.RESEARCHER)
            newest = jobs.of_study(order.study, most=MOST, kind="perception")
            if any(other.state.active for other in newest if other.settings == job.settings):
                problem("This training is under way.")
                return
            order.discard()
            st.rerun()
