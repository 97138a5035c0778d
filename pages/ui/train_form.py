"""The form of a new training: stories, base, what learns, what it costs, and the button."""

import re
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from core.errors import FabulaError
from core.metrics.base import PRECISIONS
from core.models.catalogue import BUNDLED, DEFAULTS, Role
from core.people import Person
from core.perturb.negatives import Technique
from core.training.order import Order
from core.training.plan import LAMBDA, USUAL, Tuning
from core.training.stories import save_upload
from db import jobs
from pages.ui.negative_source import choose_settings
from pages.ui.text import problem
from pages.ui.train_estimate import estimate, overlapping
from pages.ui.train_stories import Chosen, choose_stories

NAME, PROBLEM = "train-name", "train-problem"
TUNINGS = {
    Tuning.FROZEN: "Heads only",
    Tuning.ADAPTER: "Heads and adapters",
    Tuning.FULL: "Heads and the whole base",
}
TUNINGS_HELP = (
    "Heads only: the base reads each story once and stays as it is; minutes on a CPU, and a checkpoint of some hundred "
    "kilobytes. Adapters in its attention, or all of it, learn with the heads: many times slower, for a GPU."
)


def new_training(viewer: Person) -> None:
    """All of it in one box; what is wrong is said before it runs."""
    with st.container(border=True):
        chosen = choose_stories(viewer)
        order = _order(viewer, chosen)
        if order is None:
            return
        fine = True
        try:
            st.text(estimate(viewer, order, chosen))
            order, fine = _overlap(viewer, order, chosen)
        except FabulaError as error:
            fine = False
            (problem if chosen.sets else st.info)(str(error))
        if fine and not order.name:
            st.caption("Give the checkpoint a name, and it can begin.")
        if told := st.session_state.pop(PROBLEM, ""):
            problem(told)
        st.button(
            "Start training",
            type="primary",
            icon=":material/model_training:",
            disabled=not (fine and order.name),
            on_click=_start,
            args=(viewer, order, chosen),
        )


def _order(viewer: Person, chosen: Chosen) -> Order | None:
    """What the widgets say; None where a technique is missing, or a layer is no number, which is said."""
    left, middle, right = st.columns([3, 4, 3])
    base = left.selectbox(
        "Base",
        list(BUNDLED),
        list(BUNDLED).index(DEFAULTS[Role.BASE]),
        accept_new_options=True,
        key="train-base",
        help="The model that reads the stories: a bundled one, a folder on this machine or a hub name. Type it in.",
    )
    tuning = middle.segmented_control(
        "What learns",
        list(Tuning),
        default=Tuning.FROZEN,
        format_func=TUNINGS.__getitem__,
        required=True,
        key="train-tuning",
        help=TUNINGS_HELP,
    )
    name = right.text_input("Name of the checkpoint", key=NAME, max_chars=100, placeholder="my UNION").strip()
    settings = choose_settings(viewer)
    more = _more(Tuning(tuning))
    if settings is None or more is None:
        return None
    return Order(
        name,
        chosen.sets,
        base="" if base == DEFAULTS[Role.BASE] else str(base).strip(),
        layers=more.layers,
        tuning=Tuning(tuning),
        reconstruction=more.reconstruction,
        without=tuple(one for one in Technique if one not in settings.mix.techniques),
        words=more.words,
        epochs=more.epochs,
        seed=settings.seed,
        precision=more.precision,
        device=more.device,
        knowledge=settings.knowledge,
    )


class _More(NamedTuple):
    reconstruction: float
    layers: tuple[int, ...]
    words: int
    epochs: int
    device: str
    precision: str


def _more(tuning: Tuning) -> _More | None:
    """What few change; None where the layers are no numbers."""
    with st.expander("Reconstruction, epochs, layers, device", icon=":material/tune:"):
        left, middle, right = st.columns(3)
        second = left.toggle(
            "Reconstruction",
            value=True,
            key="train-reconstruction",
            help="The paper's second task: say what the human story was. The metric union takes checkpoints with it, "
            "union-no-recon those without.",
        )
        weight = left.number_input("Its weight λ", 0.01, 10.0, LAMBDA, 0.05, key="train-lambda", disabled=not second)
        epochs = middle.number_input(
            "Epochs",
            1,
            1000,
            USUAL[tuning].epochs or 1,
            key=f"train-epochs-{tuning}",
            help="How often it sees a story.",
        )
        words = middle.number_input(
            "Words",
            0,
            10_000,
            200,
            key="train-words",
            help="Stories are cut at a sentence's end within so many; 0: never.",
        )
        layers = right.text_input(
            "Layers to read",
            key="train-layers",
            placeholder="the usual two",
            help="Numbers of the base's layers, 1 being the lowest: 16, 20.",
        )
        device = left.segmented_control(
            "Device", ["auto", "cpu", "cuda"], default="auto", required=True, key="train-device"
        )
        precision = middle.segmented_control(
            "Precision", list(PRECISIONS), default=PRECISIONS[0], required=True, key="train-precision"
        )
    numbers = [one for one in re.split(r"[,\s]+", layers or "") if one]
    if not all(one.isdecimal() and len(one) < 4 for one in numbers):
        problem(f"Layers are numbers such as 16, 20; {layers!r} is not.")
        return None
    read = tuple(sorted({int(one) for one in numbers}))
    return _More(weight if second else 0.0, read, int(words), int(epochs), str(device), str(precision))


def _overlap(viewer: Person, order: Order, chosen: Chosen) -> tuple[Order, bool]:
    """Whether it may run on stories that people have rated, which the viewer has to insist on."""
    told = overlapping(viewer, chosen)
    if not told:
        return order, True
    st.warning(told)
    insisted = st.checkbox("Train on them all the same; the card will say so", key="train-overlap")
    return replace(order, overlap_allowed=insisted), insisted


def _start(viewer: Person, order: Order, chosen: Chosen) -> None:
    try:
        for one, texts in zip(chosen.sets, chosen.texts, strict=True):
            if one.upload:
                save_upload(order.folder, texts)
        jobs.add(viewer, "train", None, order.settings())
        st.session_state[NAME] = ""  # the next one has another
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)
