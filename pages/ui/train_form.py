"""The form of a new training: stories, base, what learns, what it costs, and the button."""

from dataclasses import replace

import streamlit as st

from core.errors import FabulaError
from core.models.catalogue import BUNDLED, DEFAULTS, Role
from core.people import Person
from core.perturb.negatives import Technique
from core.training.plan import Tuning
from core.training.stories import save_upload
from core.training.union_order import UnionOrder
from db import jobs
from pages.ui.negative_source import choose_settings
from pages.ui.text import problem
from pages.ui.train_estimate import estimate, overlapping
from pages.ui.train_more import more_settings
from pages.ui.train_stories import Chosen, choose_stories

NAME, PROBLEM = "train-name", "train-problem"
TUNINGS = {
    Tuning.FROZEN: "Heads only",
    Tuning.ADAPTER: "Adapters too",
    Tuning.FULL: "Whole base",
}
TUNINGS_HELP = (
    "Heads only: the base reads each story once and stays as it is; minutes on a CPU, and a checkpoint of some hundred "
    "kilobytes. Adapters too: low-rank ones in its attention learn with the heads. Whole base: all of it learns. Both "
    "are many times slower: for a GPU."
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


def _order(viewer: Person, chosen: Chosen) -> UnionOrder | None:
    """What the widgets say; None where a technique is missing, or a layer is no number, which is said."""
    left, middle, right = st.columns([3, 5, 3])
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
    more = more_settings(Tuning(tuning))
    if settings is None or more is None:
        return None
    return UnionOrder(
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


def _overlap(viewer: Person, order: UnionOrder, chosen: Chosen) -> tuple[UnionOrder, bool]:
    """Whether it may run on stories that people have rated, which the viewer has to insist on."""
    told = overlapping(viewer, chosen)
    if not told:
        return order, True
    st.warning(told)
    insisted = st.checkbox("Train on them all the same; the card will say so", key="train-overlap")
    return replace(order, overlap_allowed=insisted), insisted


def _start(viewer: Person, order: UnionOrder, chosen: Chosen) -> None:
    try:
        for one, texts in zip(chosen.sets, chosen.texts, strict=True):
            if one.upload:
                save_upload(order.folder, texts)
        jobs.add(viewer, "train", None, order.settings())
        st.session_state[NAME] = ""  # the next one has another
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)
