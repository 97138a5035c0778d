"""Trainings in progress and past: how far, the loss so far, resume, or delete the remains of one."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.durations import duration
from core.figures.style import number
from core.figures.training import CHOSEN, EVALUATED, RANKED, TWO_SHARES, figure_name, held_out, losses
from core.jobs import Job, JobState
from core.models.catalogue import DEFAULTS
from core.people import Person, Role
from core.training.engine.curve import Curve, curve_from
from core.training.registry import settings_from
from db.jobs import jobs
from pages.ui.shared.jobs.progress import MOST, JobWording, runs
from pages.ui.shared.jobs.queue import show_queue
from pages.ui.shared.tables.downloads import CHART
from pages.ui.shared.text import problem
from pages.ui.train.checkpoint_actions import to_score

KIND = "train"
FEW_HELD_OUT = 20
COUNTED = {"Making": "negatives", "Reading": "stories read", "Training": "steps"}
"""What progress counts, by the word that a phase's message begins with."""
SHOWN_FIGURES = 4
"""The first ones of a card."""


def train_runs(viewer: Person) -> None:
    """The newest trainings, or what comes here."""
    show_queue(viewer, KIND)
    newest = partial(jobs.of_kind, KIND, most=MOST)
    recent = newest()
    if not recent:
        st.caption("No training yet. What you start here runs by itself: the page can be closed meanwhile.")
        return
    runs(viewer, newest, any(job.state.active for job in recent), JobWording(_counted, _summary, _more))


def _counted(job: Job) -> str:
    return COUNTED.get(job.message.split()[0], "stories")


def _summary(job: Job) -> str:
    settings = settings_from(job.settings)
    of = ", ".join(story.name for story in settings.stories)
    about = f"{settings.name}: {settings.called} on {settings.base or DEFAULTS[settings.role]}, of {of}"
    if job.state is not JobState.DONE or job.result is None:
        return f"{about}\n{job.message[:1].upper()}{job.message[1:]}"
    result = job.result
    figures = _figures(list(result["figures"].items())[:SHOWN_FIGURES])
    unit = "pairs" if settings.kind == "union" else "stories"
    time = "under a second" if result["seconds"] < 1 else f"{result['seconds']:,.0f} s"
    held = result.get("held_out")  # cross-fitted ones have none, nor have results of before
    held_text = f", {held:,} of them held out to check it" if held else ""
    few = f" So few held-out {unit} say little of it: train on more." if held and held < FEW_HELD_OUT else ""
    took = f"{result['pairs']:,} {unit}{held_text}, {time} of training{_waited(job, result['seconds'])}."
    learnt = f"{figures[:1].upper()}{figures[1:]}.{few}"
    return "\n".join([about, f"{took} {learnt}", *result.get("notices", [])])


def _waited(job: Job, trained: float) -> str:
    """How long all of it took: the seconds of training are those of its steps, around which stories are read, negatives
    made and the base fetched. One that was resumed was not begun when its row says: "" then.
    """
    whole = (job.ended_at - job.started_at).total_seconds() if job.started_at and job.ended_at else 0.0
    return f", {duration(whole)} in all" if whole >= trained + 1 else ""


def _figures(shown: Sequence[tuple[str, float]]) -> str:
    """In one line; what they are of is said once where it is the same."""
    of = {what.partition(": ")[0] for what, _ in shown if ": " in what}
    same = f"{of.pop()}: " if len(of) == 1 and all(": " in what for what, _ in shown) else ""
    return same + ", ".join(f"{figure_name(what.removeprefix(same))} {number(value)}" for what, value in shown)


def _more(viewer: Person, job: Job) -> None:
    """The curve, as far as there is one, and what can be done next."""
    if any(RANKED in what for what in list((job.result or {}).get("figures", ()))[:SHOWN_FIGURES]):
        st.caption(TWO_SHARES)
    curve = (job.result or {}).get("curve")
    if curve is not None and curve["steps"]:
        trained_curve = curve_from(curve)
        if trained_curve.best is not None and len(trained_curve.evaluations) > 1 and (job.result or {}).get("held_out"):
            st.caption(CHOSEN)
        left, right = st.columns(2)
        with left:
            st.plotly_chart(
                losses({"loss": trained_curve}), config=CHART, key=f"loss-{job.id}", alt="Loss while training"
            )
        with right:
            _held_out(job.id, trained_curve)
    if job.state is JobState.DONE:
        to_score(job.settings["name"])
    elif not job.state.active:
        _put_away(viewer, job)


def _held_out(job_id: int, curve: Curve) -> None:
    """How held-out stories were scored step by step; what was measured once is a sentence, no line."""
    key = next((key for key in EVALUATED if curve.measured(key)), None)
    if key is None:
        st.caption("Held-out stories are looked at now and then, and at the end.")
        return
    name, measured = EVALUATED[key], curve.measured(key)
    if len(measured) == 1:
        ((step, value),) = measured
        st.caption(f"Held-out {name} {number(value)} at step {step:,}: measured once.")
        return
    figure = held_out({f"held-out {name}": curve}, key, name)
    st.plotly_chart(figure, config=CHART, key=f"auc-{job_id}", alt=f"Held-out {name} while training")


def _put_away(viewer: Person, job: Job) -> None:
    """What is under way may take gigabytes."""
    settings = settings_from(job.settings)
    if not settings.folder.exists():
        return
    with st.popover("Delete what was trained", icon=":material/delete:", key=f"put-away-{job.id}"):
        st.text("Frees the disk. Resume then begins from the start, and not at all where the stories were a table's.")
        if st.button("Delete it", type="primary", key=f"put-away-yes-{job.id}"):
            viewer.must_be(Role.RESEARCHER)
            if any(other.state.active for other in jobs.of_kind(KIND, most=MOST) if other.settings == job.settings):
                problem("This training is under way.")
                return
            settings.discard()
            st.rerun()
