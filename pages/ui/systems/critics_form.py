"""The form of a Perception Score's critics."""

import streamlit as st

from core.checkpoints.kinds import Tuning
from core.models.catalogue import BUNDLED, MINILM
from core.settings import described
from core.training.engine.recipe import Way
from core.training.perception.order import PerceptionOrder
from core.training.perception.settings import PENALISED, PerceptionPlan
from db.studies import story_texts
from pages.ui.shared.analysis.view import View

_ABOUT = {name: about for name, (about, _, _) in described(PerceptionPlan).items()}
"""How each setting is called, and its bounds."""


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
        _ABOUT["conditional"].label,
        value=PerceptionPlan.conditional,
        key="critics-conditional",
        help="On: a text after its prompt, beside people's stories of the same prompt. Off: texts alone, each beside "
        "four of any prompt, for systems that continue no prompt.",
    )
    groups = left.toggle(
        described(PerceptionOrder)["groups"][0].label,
        key="critics-groups",
        help="Each critic also judges the texts of the other systems: for robustness to endings.",
    )
    with middle:
        seeds = _number("seeds", len(PerceptionPlan.seeds))
        epochs = _number("epochs", PerceptionPlan.epochs)
    tuning = right.segmented_control(
        _ABOUT["tuning"].label,
        _ABOUT["tuning"].choices,
        format_func={Tuning.ADAPTER: "Adapters", Tuning.FULL: "Whole base"}.__getitem__,
        default=PerceptionPlan.tuning,
        required=True,
        key="critics-tuning",
    )
    penalised = middle.segmented_control(
        _ABOUT["penalised"].label,
        list(Way),
        format_func={Way.FABULA: "On a quarter", Way.PAPER: "On all pairs"}.__getitem__,
        default=Way.FABULA,
        required=True,
        key="critics-penalised",
        help="Of a step's 16 pairs, those on which it is taken: four, which stand for all, or all as in the paper, "
        "which takes far longer.",
    )
    base = right.selectbox(
        described(PerceptionOrder)["base"][0].label,
        [MINILM, *(name for name in BUNDLED if name != MINILM)],
        accept_new_options=True,
        key="critics-base",
        help="The model that reads: a bundled one, a folder on this machine or a hub name.",
    )
    plan = PerceptionPlan(
        conditional=conditional,
        tuning=Tuning(tuning),
        penalised=PENALISED[Way(penalised)],
        seeds=tuple(range(seeds)),
        epochs=epochs,
    )
    version = story_texts.version(shown.study.id)
    return PerceptionOrder(shown.study.id, version, tuple(picked), str(base).strip(), groups=groups, plan=plan)


def _number(name: str, usual: int) -> int:
    """The widget of a whole number."""
    about = _ABOUT[name]
    least, most = int(about.least or 0), int(about.most or 0)
    return int(st.number_input(about.label, least, most, usual, key=f"critics-{name}", help=about.help))
