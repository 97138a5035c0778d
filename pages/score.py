"""Score: choose metrics, see what they cost, watch them run, see what they gave."""

from typing import Any

import streamlit as st

from core.errors import FabulaError
from core.metrics import find
from core.metrics.custom import is_own, needs_no_model
from core.metrics.run import checked, under_way
from core.people import Role
from core.scores import RatingChoice
from core.stories import Source
from db.jobs import jobs
from db.jobs.lanes import OWN_LIGHT, STORED, Lane, apart, unmarked
from db.jobs.queue import is_busy
from db.judges.judged import judged_study
from db.ratings import ratings
from db.scores import scores
from db.training import checkpoints
from pages.ui.score.endpoint_form import endpoint_form
from pages.ui.score.engine_form import engine_form
from pages.ui.score.form import few_first, heed_address, note_tried, score_form
from pages.ui.score.judge_template import half_choice, judge_prompt, say_of_verdict
from pages.ui.score.results import score_results
from pages.ui.score.run_estimate import costs, estimate, so_far, stored, work_of
from pages.ui.score.run_state import note_begun, run_state
from pages.ui.shared.analysis.trained_here import say_before_run
from pages.ui.shared.analysis.view import ranked
from pages.ui.shared.jobs.progress import MOST, job_progress
from pages.ui.shared.jobs.queue import show_queue
from pages.ui.shared.page_head import headed
from pages.ui.shared.stories.story_drawer import story_drawer
from pages.ui.shared.text import escaped, problem
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)


def begin(settings: dict[str, Any]) -> None:
    """Queue the run, without what is being scored already: its metrics that load no model, as they need none or all of
    their scores are stored, apart where they would wait for heavy work of before.
    """
    settings = left(settings)
    if not settings["metrics"]:
        return
    own = [name for name in settings["metrics"] if is_own(name) and needs_no_model(find(name))]
    marks = {OWN_LIGHT: own, STORED: stored(settings, study.id)}
    settings |= {key: names for key, names in marks.items() if names}
    for part in apart(settings) if is_busy(Lane.HEAVY) else [settings]:
        job = jobs.add(viewer, "score", study.id, part)
    note_begun(study.id, job, run)


def left(settings: dict[str, Any]) -> dict[str, Any]:
    """A run without the metrics that a run of before scores these stories with already."""
    active = [unmarked(job.settings) for job in jobs.of_study(study.id, most=MOST) if job.state.active]
    already = under_way(settings, active)
    return {**settings, "metrics": [name for name in settings["metrics"] if name not in already]}


def asked_anew(run: dict[str, Any]) -> dict[str, Any]:
    """The same of a run as the form gives it, and what is left out is said."""
    if not any(job.state.active for job in jobs.of_study(study.id, most=MOST)):
        return run
    every = checked(run, judged_study(study.id))
    rest = left(every)
    if already := [name for name in every["metrics"] if name not in rest["metrics"]]:
        st.caption(escaped(f"Being scored already, so that they are not asked for again: {', '.join(already)}."))
    return {**run, "metrics": rest["metrics"]}


summary = headed("Run metrics", "Which metrics score these stories, and what do they give?")
study = summary.study
if not summary.stories:
    st.info("This study has no stories yet.")
    st.page_link("import_data.py", label="Import some", icon=":material/upload:")
    st.stop()

heed_address(viewer, study.id)
moving = any(job.state.active for job in jobs.of_study(study.id, most=MOST))
with st.container(border=True, gap="xsmall"):  # so that the button is in sight
    form, askable = score_form(viewer, summary)
    run = checkpoints.placed(form)
    endpoint = endpoint_form(viewer, study.id, run)
    run |= (endpoint or {}) | ({} if study.scheme.unit.of_pairs else half_choice(run))
    elsewhere = engine_form(viewer)
    run |= elsewhere or {}
    fine = askable and bool(run["metrics"]) and endpoint is not None and elsewhere is not None
    label = "Run the metrics"
    if not run["metrics"]:
        st.caption("Choose at least one metric.")
    else:
        # In a container: once a run has ended there is less to say, and what is open below must stay open.
        with st.container(gap="xsmall"):
            try:
                say_before_run(study.id, ratings.version(study.id), run)
                if fine:
                    asked = asked_anew(run)
                    fine = bool(asked["metrics"])
                if fine:
                    work = work_of(asked, study.id)
                    scored = so_far(work, asked, study.id)
                    if work.begun:
                        label = f"Run the other {work.rest}"
                    elif few := few_first(work, summary, run):
                        run |= few
                        asked |= few
                        work = work_of(asked, study.id)
                        label = f"Run on {run['most']} {'pairs' if work.unit == 'pair' else 'stories'}"
                    if work.unit == "story":
                        say_of_verdict(study, run)
                    st.text(f"{scored} {estimate(asked, study.id, work)}".lstrip())
                    for sentence in costs(asked, study.id):
                        st.text(sentence)
            except FabulaError as error:
                fine = False
                problem(str(error))
        judge_prompt(viewer, study.id, run)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(label, type="primary", icon=":material/play_arrow:", disabled=not fine):
            moving = True  # it may end before this drawing does, which has said already what there is to compute
            note_tried(study.id, run)
            try:
                begin(checked(run, judged_study(study.id)))
            except FabulaError as error:
                problem(str(error))
        run_state(study.id, run)

show_queue(viewer, "score")
recent = jobs.of_study(study.id, most=MOST)
active = moving or any(job.state.active for job in recent)
if recent:
    job_progress(viewer, study.id, active)
sources = scores.sources(study.id)
if Source.HUMAN in sources:
    st.caption(
        "People's stories are compared here, so they are scored too: the Preferences page takes these scores in, and "
        "what follows is of the systems' stories."
    )
references = 0 if Source.HUMAN in sources else summary.references
target = score_results(viewer, study, scores.count_stories(study.id, sources), references, active)
story_drawer(
    study.id,
    lambda: ranked(viewer, study.id, ratings.version(study.id), RatingChoice.VALID, target),
)
