"""The form of a new training: which metric, stories, settings, what it costs, and the button."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from core.errors import FabulaError
from core.people import Person
from core.training.engine.order import Order
from core.training.engine.stories import save_upload
from db.jobs import jobs
from pages.ui.shared.text import problem
from pages.ui.train.estimate import estimate, overlapping
from pages.ui.train.other_forms import bleurt_order, discriminator_order, language_order, ruber_order
from pages.ui.train.stories import Chosen, choose_stories, choose_studies
from pages.ui.train.union_form import union_order

NAME, PROBLEM, KIND = "train-name", "train-problem", "train-kind"


@dataclass(frozen=True)
class Kind:
    """What can be trained: its name, what it learns, its form. `judged`: from studies' own stories or ratings, of so
    many studies at most; 0 for human stories.
    """

    name: str
    learns: str
    form: Callable[[Person, Chosen, str], Order | None]
    judged: int = 0


KINDS = {
    "union": Kind(
        "UNION",
        "It learns to tell people's stories from damaged copies of them, and needs no rating.",
        union_order,
    ),
    "ruber": Kind(
        "RUBER",
        "It learns which continuation belongs to which opening, from people's stories. Together with its other half it "
        "makes the blends ruber and ruber-bert.",
        ruber_order,
    ),
    "language-model": Kind(
        "Language model",
        "It learns what people's stories are like, word by word, for the metric perplexity-finetuned.",
        language_order,
    ),
    "discriminator": Kind(
        "DisScore",
        "It learns to tell people's stories from systems', for the metric disscore.",
        discriminator_order,
        20,
    ),
    "bleurt": Kind(
        "Ratings",
        "It learns what people said of a study's stories, beside the human stories of the same prompts, for the metric "
        "bleurt-finetuned.",
        bleurt_order,
        1,
    ),
}


def new_training(viewer: Person) -> None:
    """All of it in one box; what is wrong is said before it runs."""
    if (asked := st.query_params.get(KIND)) in KINDS:  # as the command line calls it; the control's own are its labels
        st.query_params[KIND] = KINDS[str(asked)].name
        st.session_state[KIND] = asked
    with st.container(border=True):
        picked = st.segmented_control(
            "What to train",
            list(KINDS),
            format_func=lambda kind: KINDS[kind].name,
            default="union",
            required=True,
            key=KIND,
            bind="query-params",
        )
        kind = KINDS[str(picked)]
        st.caption(kind.learns)
        chosen = choose_studies(viewer, kind.judged) if kind.judged else choose_stories(viewer)
        name = st.text_input("Name of the checkpoint", key=NAME, max_chars=100, placeholder=f"my {kind.name}").strip()
        order = kind.form(viewer, chosen, name)
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


def _overlap(viewer: Person, order: Order, chosen: Chosen) -> tuple[Order, bool]:
    """Whether it may run on stories that people have rated, which the viewer has to insist on."""
    told = "" if KINDS[order.kind].judged else overlapping(viewer, chosen)  # those are cross-fitted: it does no harm
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
