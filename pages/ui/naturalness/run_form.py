"""Scoring from the Naturalness page: an ordinary run of an Fp metric over both sides."""

from typing import Any

import streamlit as st

from core.errors import FabulaError
from core.metrics import METRICS
from core.metrics.run import checked
from core.models.catalogue import BUNDLED, DEFAULTS, ModelRole
from core.people import Person
from core.stories import Source
from core.tokens import Mode
from db.jobs import jobs
from pages.ui.naturalness.sides import Sides
from pages.ui.shared.jobs.progress import MOST, job_progress
from pages.ui.shared.jobs.queue import show_queue
from pages.ui.shared.jobs.run_options import device_box
from pages.ui.shared.text import problem
from pages.ui.tokens.choice import MODES, MODES_HELP

LENGTHS = ("all", "50", "100", "200")


def measure_form(viewer: Person, sides: Sides, *, expanded: bool) -> None:
    """What to measure with, and how far it is."""
    with st.expander("Measure", icon=":material/speed:", expanded=expanded):
        st.caption(
            "A language model reads the texts of both sides, each by itself, without its prompt. What is stored "
            "already is not measured again."
        )
        left, right = st.columns(2)
        with right:
            mode = Mode(
                st.segmented_control(
                    "How it reads",
                    list(Mode),
                    default=Mode.CAUSAL,
                    format_func=MODES.__getitem__,
                    required=True,
                    key="measure-mode",
                    help=MODES_HELP,
                )
            )
            first = st.selectbox("Tokens of each text", LENGTHS, accept_new_options=True, key="measure-first")
        with left:
            model = _model(mode)
            device = device_box("measure-device")
        metric = _metric(mode)
        st.caption(
            f"`{metric}` is one of the study's metrics then: minus Fp, as in every metric more is better. It is "
            "compared with the others, and findings are corrected for one more."
        )
        if st.button("Measure both sides", type="primary", icon=":material/play_arrow:", key="measure"):
            try:
                for study_id, sources in _work(sides):
                    run = run_of(model, mode, str(first), str(device), sources)
                    jobs.add(viewer, "score", study_id, checked(run))
            except FabulaError as error:
                problem(str(error))
    show_queue(viewer, "score")
    for study_id in sides.study_ids:
        recent = jobs.of_study(study_id, most=MOST)
        if any(job.state.active for job in recent) or (expanded and recent):
            with st.container(key=f"runs-{study_id}"):
                job_progress(viewer, study_id, any(job.state.active for job in recent))


def _model(mode: Mode) -> str:
    """A name, "" for the usual one."""
    if mode is not Mode.CAUSAL:
        return st.text_input(
            "Masked model", placeholder="a folder, or a name such as google-bert/bert-base-cased", key="measure-masked"
        ).strip()
    bundled = [name for name, bundled_model in BUNDLED.items() if bundled_model.role is ModelRole.LANGUAGE]
    picked = st.selectbox(
        "Language model",
        bundled,
        accept_new_options=True,
        key="measure-model",
        help="A bundled one, a folder on this machine or a hub name: type it in.",
    )
    return "" if picked == DEFAULTS[ModelRole.LANGUAGE] else str(picked).strip()


def _metric(mode: Mode) -> str:
    return "fp" if mode is Mode.CAUSAL else "fp-masked"


def _work(sides: Sides) -> list[tuple[int, list[Source]]]:
    """Which sources of which study."""
    if sides.other is not None:
        return [(sides.study_id, [Source.SYSTEM]), (sides.other, [Source.HUMAN])]
    return [(sides.study_id, [Source.SYSTEM] if sides.human else [Source.SYSTEM, Source.HUMAN])]


def run_of(model: str, mode: Mode, first: str, device: str, sources: list[Source]) -> dict[str, Any]:
    """The settings of a run: as those of the page Run metrics, with the sources that it does not score."""
    metric = _metric(mode)
    own = {"of": "story-alone"} if mode is Mode.CAUSAL else {"mode": mode.value}
    role = METRICS[metric].role
    return {
        "metrics": [metric],
        "models": {role: model} if model and role else {},
        "device": device,
        "precision": "float32",
        "options": {metric: {**own, "first": first}},
        "sources": [source.value for source in sources],
    }
