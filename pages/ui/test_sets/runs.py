"""Test sets in progress and past: how far they are, what came of them, and links to the results."""

from functools import partial

import streamlit as st

from core.jobs import Job, JobState
from core.people import Person
from db.jobs import jobs
from pages.ui.shared.jobs.progress import MOST, JobWording, runs
from pages.ui.shared.jobs.queue import show_queue
from pages.ui.shared.stories.human_stories import OURS_NAME
from pages.ui.test_sets.choice import BROWSE, SETS, look_at

KIND = "test set"


def set_runs(viewer: Person) -> None:
    """The runs that are not over and the newest others, or what comes here."""
    show_queue(viewer, KIND)
    newest = partial(jobs.recent, KIND, MOST)
    recent = newest()
    if not recent:
        st.caption("No run yet. What you start here runs by itself: the page can be closed meanwhile.")
        return
    runs(viewer, newest, any(job.state.active for job in recent), JobWording(_counted, _summary, _more))


def _counted(job: Job) -> str:
    return "sentences" if job.message.lower().startswith(("judging", "paraphrasing")) else "stories"


def _summary(job: Job) -> str:
    settings = job.settings
    about = f"{settings['name']}: {settings['test']}, of {settings.get('study') or OURS_NAME}"
    if job.state is not JobState.DONE or job.result is None:
        return f"{about}\n{job.message[:1].upper()}{job.message[1:]}"
    result = job.result
    name = f"{result['cases']:,} cases of {result['stories']:,} stories."
    return "\n".join([about, name, *result.get("notices", [])])


def _more(viewer: Person, job: Job) -> None:
    """The way to what was made."""
    if job.state is not JobState.DONE or job.result is None:
        return
    number, name = int(job.result["test_set"]), str(job.settings["name"])
    with st.container(horizontal=True):
        for label, icon, tab in (("What it holds", "table_view", SETS), ("Browse its cases", "menu_book", BROWSE)):
            if st.button(label, icon=f":material/{icon}:", key=f"{tab}-{job.id}", on_click=look_at, args=(number, tab)):
                st.rerun()  # all of the page, not only the runs
        st.page_link(
            "capability.py",
            label="Run metrics on it",
            icon=":material/speed:",
            query_params={"sets": name, "look": "Run metrics"},
        )
