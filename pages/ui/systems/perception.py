"""Which Perception Scores are shown among the metrics of the Systems page, and how their texts are weighted."""

from dataclasses import replace

import streamlit as st

from core.people import Person
from core.training.perception.order import signature
from core.training.perception.scores import Trained, Weights, Without, perception_column
from db.training import perceptions
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped

HOW = {Weights.PAPER: "As the paper prints it", Weights.CONFIDENCE: "More where sure", Weights.NONE: "All alike"}
LEFT_OUT = {Without.NOTHING: "Both c and m", Without.M: "c alone", Without.C: "m alone"}
OWN = "Each system's own"


def with_perception(viewer: Person, shown: View) -> tuple[View, tuple[Trained, ...]]:
    """The view with Perception Scores as one more metric, and what the critics said; as it was where there are none."""
    trainings = perceptions.listed(viewer, shown.study.id)
    if not trainings:
        return shown, ()
    by_id = {perceived.id: perceived for perceived in trainings}
    if "perception" in st.session_state and st.session_state["perception"] not in by_id:
        del st.session_state["perception"]
    with st.popover("Perception Score: weights, critics", icon=":material/balance:", key="perception-choice"):
        number = st.selectbox(
            "Training",
            list(by_id),
            format_func=lambda i: f"{by_id[i].created_at:%Y-%m-%d %H:%M} UTC" if i in by_id else "deleted",
            key="perception",
            bind="query-params",
        )
        how = st.segmented_control(
            "Weights of texts",
            list(Weights),
            format_func=HOW.__getitem__,
            default=Weights.PAPER,
            required=True,
            key="perception-weights",
            bind="query-params",
            help="w ∝ 1 / (c + m), as equation 16 prints it, gives texts that a critic is sure of less weight, though "
            "the paper's text wants it the other way: w ∝ c + m.",
        )
        without = st.segmented_control(
            "Made of",
            list(Without),
            format_func=LEFT_OUT.__getitem__,
            default=Without.NOTHING,
            required=True,
            disabled=how is Weights.NONE,
            key="perception-without",
            bind="query-params",
            help="c: how sure the critic says it is of a pair. m: how little its answer varies under dropout. The "
            "paper's Table 2 leaves either out.",
        )
        trained = _trained(number, viewer)
        critics = _critics(trained)
        sure = st.checkbox("This training is to be deleted", key=f"perception-sure-{number}")
        st.button(
            "Delete it",
            disabled=not sure,
            icon=":material/delete:",
            key="perception-delete",
            on_click=perceptions.remove,
            args=(viewer, number),
        )
    way = (Weights(how), Without(without))
    name = signature(by_id[number].settings, *way, critics_of=critics)
    column = perception_column(trained, shown.table.keys, name, *way, critics_of=critics)
    table = replace(shown.table, columns=(*shown.table.columns, column))
    return replace(shown, table=table, version=f"{shown.version} {number} {name}"), trained


@st.cache_resource(max_entries=8, show_spinner=False)
def _trained(number: int, _viewer: Person) -> tuple[Trained, ...]:
    """What critics said never changes."""
    return perceptions.trained(_viewer, number)


def _critics(trained: tuple[Trained, ...]) -> str | None:
    """Whose critics judge; None for each system's own. Asked where critics have judged other systems' texts."""
    systems = list(dict.fromkeys(item.system for item in trained))
    if all(len(item.judged) < 2 for item in trained):
        return None
    chosen = st.selectbox(
        "Critics",
        ["", *systems],
        format_func=lambda system: f"Trained for {system}" if system else OWN,
        key="perception-critics",
        bind="query-params",
        help="One system's critics on every system's texts: the paper's test of robustness to endings (Table 3).",
    )
    return chosen or None


def caption(trained: tuple[Trained, ...]) -> None:
    """What the numbers are, whether critics compared within prompts or not."""
    texts = sum(len(item.judged[0].keys) for item in trained if item.seed == trained[0].seed)
    systems = escaped(", ".join(dict.fromkeys(item.system for item in trained)))
    st.caption(
        f"A critic a system learns to tell its texts from people's, and then looks at {texts:,} "
        f"texts that it has not seen. At .5 it cannot tell them apart, at 0 it always can. Trained for {systems}."
    )
