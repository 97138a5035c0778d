"""The form of a new training: which metric, stories, settings, what it costs, and the button."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from core.checkpoints.kinds import BLEURT, DISSCORE, LANGUAGE_MODEL, RUBER, UNION
from core.errors import FabulaError
from core.jobs import Job, JobState
from core.people import Person, Role
from core.training.engine.settings import LearnsFrom, TrainingSettings
from core.training.engine.stories import save_upload
from core.training.registry import TRAINABLE
from db.jobs import jobs
from pages.ui.shared.jobs.queue import POLL_SECONDS
from pages.ui.shared.text import escaped, problem
from pages.ui.shared.viewer import require
from pages.ui.train.estimate import estimate
from pages.ui.train.material import say_material
from pages.ui.train.other_forms import bleurt_settings, discriminator_settings, language_settings, ruber_settings
from pages.ui.train.rated import without_rated
from pages.ui.train.stories import TrainingStories, choose_stories, choose_studies
from pages.ui.train.union_form import union_settings

NAME, NAMED, PROBLEM, KIND = "train-name", "train-named", "train-problem", "train-kind"
BEGUN = "train-begun"
"""The part of the session's state with the id of the training that was begun here last."""


FORMS: dict[str, Callable[[Person, TrainingStories, str], TrainingSettings | None]] = {
    UNION: union_settings,
    RUBER: ruber_settings,
    LANGUAGE_MODEL: language_settings,
    DISSCORE: discriminator_settings,
    BLEURT: bleurt_settings,
}
"""What asks for the settings of a kind; one that has no form here is trained with its usual ones."""
MOST_STUDIES = {LearnsFrom.HUMAN_STORIES: 0, LearnsFrom.STUDIES: 20, LearnsFrom.RATINGS: 1}
"""Of whose own stories or ratings it may learn; 0 for human stories."""


def new_training(viewer: Person) -> None:
    """All of it in one box; what is wrong is said before it runs."""
    if (asked := st.query_params.get(KIND)) in TRAINABLE:  # as commands call it; the control's own are labels
        st.query_params[KIND] = TRAINABLE[str(asked)].title
        st.session_state[KIND] = asked
    with st.container(border=True):
        picked = st.segmented_control(
            "What to train",
            list(TRAINABLE),
            format_func=lambda kind: TRAINABLE[kind].title,
            default="union",
            required=True,
            key=KIND,
            bind="query-params",
        )
        kind = TRAINABLE[str(picked)]
        st.caption(kind.about)
        if st.session_state.pop(NAMED, False):
            st.session_state[NAME] = ""  # the next one has another
        name = st.text_input(
            "Name of the checkpoint", key=NAME, max_chars=100, placeholder=f"such as: my {kind.title}"
        ).strip()
        most = MOST_STUDIES[kind.learns_from]
        chosen, insisted = choose_studies(viewer, most) if most else choose_stories(viewer), False
        if not most:
            chosen, insisted = without_rated(viewer, chosen)
        form = FORMS.get(kind.kind)
        settings = form(viewer, chosen, name) if form else kind(name, chosen.sets)
        if settings is None:
            return
        settings = replace(settings, overlap_allowed=insisted)
        fine = True
        say_material(settings, chosen)
        try:
            st.text(estimate(viewer, settings, chosen))
        except FabulaError as error:
            fine = False
            # Without a name nobody has asked for it yet: after a training the form still says what was just trained.
            (problem if chosen.sets and settings.name else st.info)(str(error))
        if not settings.name and (job := _begun()) is not None:
            st.fragment(_say_begun, run_every=POLL_SECONDS if job.state.active else None)()
        elif fine and not settings.name:
            st.caption("Give the checkpoint a name, at the top of this form, and it can begin.")
        if message := st.session_state.pop(PROBLEM, ""):
            problem(message)
        # No callback, whose arguments would be what was chosen when the button was drawn last.
        if st.button("Start training", type="primary", icon=":material/model_training:", disabled=not fine) and fine:
            _start(viewer, settings, chosen)
            st.rerun()


def _begun() -> Job | None:
    """The training that was begun here last, if any."""
    number = st.session_state.get(BEGUN)
    return None if number is None else jobs.get(number)


def _say_begun() -> None:
    """What became of it."""
    require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    job = _begun()
    if job is None:
        return
    name = f"**{escaped(job.settings['name'])}**"
    outcome = {
        JobState.QUEUED: f":material/hourglass_top: {name} is in the queue, and starts when its turn comes. "
        "Its progress is",
        JobState.RUNNING: f":material/hourglass_top: {name} is being trained. Its progress is",
        JobState.DONE: f":green[:material/check_circle:] {name} is trained. What it has learnt is",
    }.get(job.state, f":material/error: The training of {name} has stopped. Why is")
    st.markdown(f"{outcome} below, under [Runs](#runs). To train another, name its checkpoint.")


def _start(viewer: Person, settings: TrainingSettings, chosen: TrainingStories) -> None:
    if not settings.name:
        st.session_state[PROBLEM] = "Give the checkpoint a name, at the top of this form, and it can begin."
        return
    try:
        for story_set, texts in zip(chosen.sets, chosen.texts, strict=True):
            if story_set.upload:
                save_upload(settings.folder, texts)
        st.session_state[BEGUN] = jobs.add(viewer, "train", None, settings.as_json()).id
        st.session_state[NAMED] = True
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)
