"""A bias run: which model is asked again, about how many stories, what that takes, and how far it is."""

from functools import partial
from typing import Any

import streamlit as st

from core.analysis.judges.bias_runs import amounts, check_run
from core.analysis.judges.probes import MOST_STORIES, STORIES, draw_stories
from core.errors import FabulaError
from core.jobs import Job, JobState
from core.metrics.judging.base import NAME
from core.metrics.run import checked, endpoint_of, seconds, steps
from core.people import Person
from db.jobs import jobs
from db.judges import probes
from db.judges.judged import judged_study
from pages.ui.score.endpoint_form import endpoint_form
from pages.ui.score.judge_template import template_titles
from pages.ui.score.run_estimate import cost
from pages.ui.shared.analysis.view import View
from pages.ui.shared.jobs.progress import MOST, JobWording, runs
from pages.ui.shared.jobs.queue import show_queue
from pages.ui.shared.jobs.run_options import run_options
from pages.ui.shared.text import problem

KIND, BUTTON = "biases", "measure-biases"


def bias_run(viewer: Person, shown: View) -> None:
    """The form of a run on the judgment that the page is about, and the button."""
    st.header("Run a judge again")
    st.caption(
        "A sample of the stories is judged as they are; once more; in three other wordings of the prompt; with "
        "instructions put into the story; damaged; and with changes that should not matter."
    )
    with st.container(border=True):
        names = [f"{NAME}:{criterion}" for criterion in shown.target.criteria]
        run = run_options(viewer, names, template_titles(shown.study.id))
        endpoint = endpoint_form(viewer, shown.study.id, run)
        left, right = st.columns(2)
        run |= {
            "stories": left.number_input(
                "Stories", 1, MOST_STORIES, STORIES, key="bias-stories", help="Spread over prompts and systems"
            ),
            "seed": right.number_input("Seed of the draw", 0, 2**31, 0, key="bias-seed"),
            **(endpoint or {}),
        }
        fine = endpoint is not None
        try:
            for sentence in _takes(shown.study.id, run) if fine else ():
                st.text(sentence)
        except FabulaError as error:
            fine = False
            problem(str(error))
        if st.button("Measure biases", type="primary", icon=":material/balance:", disabled=not fine, key=BUTTON):
            try:
                judged = judged_study(shown.study.id)
                check_run(run, judged.scheme)
                jobs.add(viewer, KIND, shown.study.id, checked(run, judged))
            except FabulaError as error:
                problem(str(error))
            else:
                st.rerun()


def _takes(study_id: int, run: dict[str, Any]) -> list[str]:
    """A sentence a judge: what it is asked at most, and how long that takes or what it costs."""
    sample = draw_stories(probes.stories(study_id), run["stories"], seed=run["seed"])
    endpoint, measured = endpoint_of(run), jobs.speeds()
    sentences = []
    for step, (judge, questions, characters) in zip(
        steps(run), amounts(run, judged_study(study_id), sample), strict=True
    ):
        if endpoint:
            sentences += cost(judge, endpoint, questions, characters)
            continue
        takes = seconds(step, characters, measured)
        sentences.append(f"{judge.name}: {questions:,} questions at most, {takes.words}.")
    return sentences


def bias_runs(viewer: Person, study_id: int) -> None:
    """The study's newest bias runs, and the queue where one waits."""
    newest = partial(jobs.of_study, study_id, MOST, KIND)
    if recent := newest():
        show_queue(viewer, KIND)
        runs(viewer, newest, any(job.state.active for job in recent), JobWording(lambda _job: "questions", _summary))


def _summary(job: Job) -> str:
    asked = ", ".join(job.settings.get("metrics", []))
    if job.state.active:
        return job.message
    if job.state is not JobState.DONE or job.result is None:
        return f"{asked}: {job.message}"
    lines = [
        f"{row['metric']}: {row['questions']:,} questions about {row['stories']:,} stories in {row['seconds']:.1f} s."
        for row in job.result["rows"]
    ]
    return "\n".join([*lines, *job.result.get("notices", [])])
