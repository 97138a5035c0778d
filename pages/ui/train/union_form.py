"""The settings of a new UNION."""

import streamlit as st

from core.checkpoints.kinds import Tuning
from core.models.catalogue import BUNDLED, DEFAULTS, MINILM, ModelRole
from core.people import Person
from core.perturb.negatives.sampler import Technique
from core.training.engine.recipe import Way
from core.training.union.settings import USUAL_MIX, UnionSettings
from pages.ui.shared.stories.negative_settings import choose_settings
from pages.ui.train.advanced_settings import choose_recipe, more_settings
from pages.ui.train.stories import TrainingStories

RECIPE_HELP = (
    "The paper's (UNION 2020, section 4.1): all of a BERT learns, in steps of ten stories at a learning rate of 5e-5, "
    "from its [CLS] alone, and rebuilds every piece over the whole vocabulary; negatives are of the paper's mix, and "
    "names become placeholders. Many times slower: for a GPU."
)
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


def union_settings(viewer: Person, chosen: TrainingStories, name: str) -> UnionSettings | None:
    """What the widgets say; None where a technique is missing, or a layer is no number, which is said."""
    recipe = choose_recipe("train-recipe", RECIPE_HELP)
    paper = recipe is Way.PAPER
    left, right = st.columns([3, 5])
    base = left.selectbox(
        "Base",
        list(BUNDLED),
        list(BUNDLED).index(MINILM if paper else DEFAULTS[ModelRole.BASE]),
        accept_new_options=True,
        key=f"train-base{'-paper' * paper}",
        help="The model that reads the stories: a bundled one, a folder on this machine or a hub name. Type it in.",
    )
    tuning = right.segmented_control(
        "What learns",
        list(Tuning),
        default=Tuning.FULL if paper else Tuning.FROZEN,
        format_func=TUNINGS.__getitem__,
        required=True,
        disabled=paper,
        key=f"train-tuning{'-paper' * paper}",
        help=TUNINGS_HELP,
    )
    st.caption("Negatives: the damaged copies that it learns to tell from the stories.")
    negatives = choose_settings(viewer, USUAL_MIX[recipe])
    more = more_settings(Tuning(tuning), recipe)
    if negatives is None or more is None:
        return None
    return UnionSettings(
        name,
        chosen.sets,
        base="" if base == DEFAULTS[ModelRole.BASE] else str(base).strip(),
        tuning=Tuning(tuning),
        mix=negatives.mix.name,
        without=tuple(technique for technique in Technique if technique not in negatives.mix.techniques),
        seed=negatives.seed,
        knowledge=negatives.knowledge,
        recipe=recipe,
        **more,
    )
