"""What the critics of a Perception Score are to be like."""

import streamlit as st

from core.checkpoints.kinds import Tuning
from core.models.catalogue import BUNDLED, MINILM
from core.training.engine.recipe import Way
from core.training.perception.order import PerceptionOrder
from core.training.perception.settings import EPOCHS, PENALISED, SEEDS, PerceptionPlan
from db.studies import story_texts
from pages.ui.shared.analysis.view import View


def critics_order(shown: View) -> PerceptionOrder:
    """What the widgets say."""
    systems = sorted(set(shown.table.systems))
    kept = st.session_state.get("critics-systems")
    if isinstance(kept, list) and not set(kept) <= set(systems):
        del st.session_state["critics-systems"]
    picked = st.multiselect(
        "Systems", systems, default=systems, key="critics-systems", help="Each gets critics of its own."
    )
    left, middle, right = st.columns(3)
    conditional = left.toggle(
        "Compare within prompts",
        value=True,
        key="critics-conditional",
        help="On: a text after its prompt, beside people's stories of the same prompt. Off: texts alone, each beside "
        "four of any prompt, for systems that continue no prompt.",
    )
    groups = left.toggle(
        "Judge other systems too",
        key="critics-groups",
        help="Each critic also judges the texts of the other systems: for robustness to endings.",
    )
    seeds = middle.number_input(
        "Critics a system", 1, 20, SEEDS, key="critics-seeds", help="Trained with different random numbers, averaged."
    )
    epochs = middle.number_input("Epochs", 1, 100, EPOCHS, key="critics-epochs", help="How often one sees a pair.")
    tuning = right.segmented_control(
        "What learns",
        [Tuning.ADAPTER, Tuning.FULL],
        format_func={Tuning.ADAPTER: "Adapters", Tuning.FULL: "Whole base"}.__getitem__,
        default=Tuning.ADAPTER,
        required=True,
        key="critics-tuning",
    )
    penalised = middle.segmented_control(
        "Gradient penalty",
        list(Way),
        format_func={Way.FABULA: "On a quarter", Way.PAPER: "On all pairs"}.__getitem__,
        default=Way.FABULA,
        required=True,
        key="critics-penalised",
        help="Of a step's 16 pairs, those on which it is taken: four, which stand for all, or all as in the paper, "
        "which takes far longer.",
    )
    base = right.selectbox(
        "Base",
        [MINILM, *(name for name in BUNDLED if name != MINILM)],
        accept_new_options=True,
        key="critics-base",
        help="The model that reads: a bundled one, a folder on this machine or a hub name.",
    )
    plan = PerceptionPlan(
        conditional=conditional,
        tuning=Tuning(tuning),
        penalised=PENALISED[Way(penalised)],
        seeds=tuple(range(int(seeds))),
        epochs=int(epochs),
    )
    version = story_texts.version(shown.study.id)
    return PerceptionOrder(shown.study.id, version, tuple(picked), str(base).strip(), groups=groups, plan=plan)
