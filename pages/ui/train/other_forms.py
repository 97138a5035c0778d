"""The settings of a new RUBER, language model, DisScore or regression on ratings."""

from typing import Any

import streamlit as st

from core.annotation.target import usual_target
from core.checkpoints.kinds import Embeddings
from core.models.catalogue import BUNDLED, DEFAULTS, MINILM, ModelRole
from core.people import Person
from core.training.bleurt.settings import BleurtSettings
from core.training.disscore.settings import DiscriminatorSettings
from core.training.engine.recipe import Way
from core.training.engine.settings import CrossFittedSettings, TrainingSettings
from core.training.language_model.settings import LanguageModelSettings
from core.training.ruber.settings import RuberSettings
from db.studies import studies
from pages.ui.shared.analysis.target_choice import targets
from pages.ui.train.advanced_settings import choice, choose_recipe, number
from pages.ui.train.stories import TrainingStories

BASE_HELP = "The model that it stands on: a bundled one, a folder on this machine or a hub name. Type it in."
READS = {Embeddings.BERT: "Words in context", Embeddings.WORDS: "Words alone"}
RUBER_HELP = (
    "The paper's (Tao et al. 2018; in context, Ghazarian et al. 2019): a whole matrix M, whose product is one number. "
    "Words alone: networks of their own for openings and continuations, which learn to keep a margin between a story's "
    "own continuation and another one. In context: the maxima of the base's states."
)
DISSCORE_HELP = (
    "The paper's (UNION 2020, section 4.1): all of a BERT learns, in steps of ten stories at a learning rate of 5e-5, "
    "from its [CLS] alone. Each part of the prompts has a base of its own, which the checkpoint holds. Many times "
    "slower: for a GPU."
)
BLEURT_HELP = (
    "The paper's (Sellam et al. 2020): all of a BERT learns, in steps of 16 pairs at a learning rate of 1e-5, from the "
    "[CLS] of reference and story read together. Each part of the prompts has a base of its own, which the checkpoint "
    "holds. Many times slower: for a GPU."
)
STEPS_HELP = {"discriminator": "Of ten stories each.", "bleurt": "Of 16 stories and a reference of each."}
FOLDS_HELP = (
    "So many models learn, each without a part of the prompts, and score that part: no story is ever scored by a model "
    "that has seen its prompt."
)


def ruber_settings(_viewer: Person, chosen: TrainingStories, name: str) -> RuberSettings:
    """What the widgets say."""
    recipe = choose_recipe("train-ruber-recipe", RUBER_HELP)
    left, right = st.columns([3, 5])
    base = _base(left, "ruber", MINILM)
    embeddings = right.segmented_control(
        "What it reads",
        list(Embeddings),
        format_func=READS.__getitem__,
        default=Embeddings.BERT,
        required=True,
        key="train-ruber-embeddings",
        help="In context, for ruber-u-bert: the base's states, as Ghazarian et al. 2019. Alone, for ruber-u: its input "
        "embeddings under a small recurrent network, as Tao et al. 2018.",
    )
    given: dict[str, Any] = {"recipe": recipe, "embeddings": Embeddings(embeddings)}
    usual = RuberSettings.usual(given)["epochs"]
    return RuberSettings(name, chosen.sets, base=base, **given, **_common(RuberSettings, "ruber", usual))


def language_settings(_viewer: Person, chosen: TrainingStories, name: str) -> LanguageModelSettings:
    """What the widgets say."""
    left, right = st.columns([3, 5])
    base = _base(left, "language", DEFAULTS[ModelRole.LANGUAGE])
    rank = number(right, LanguageModelSettings, "rank", "train-rank")
    common = _common(LanguageModelSettings, "language", 1)
    return LanguageModelSettings(
        name, chosen.sets, base="" if base == DEFAULTS[ModelRole.LANGUAGE] else base, rank=rank, **common
    )


def discriminator_settings(_viewer: Person, chosen: TrainingStories, name: str) -> DiscriminatorSettings:
    """What the widgets say."""
    return DiscriminatorSettings(name, chosen.sets, **_cross_fitted(DiscriminatorSettings, DISSCORE_HELP, 8))


def bleurt_settings(_viewer: Person, chosen: TrainingStories, name: str) -> BleurtSettings:
    """What the widgets say."""
    target = _target(chosen)
    return BleurtSettings(name, chosen.sets, target=target, **_cross_fitted(BleurtSettings, BLEURT_HELP, None))


def _target(chosen: TrainingStories) -> str:
    """Which of the study's judgments is learnt; "" where there is one."""
    number = next((item.study for item in chosen.sets if item.study is not None), None)
    scheme = None if number is None else studies.get(number).scheme
    if scheme is None or len(scheme.criteria) == 1:
        return ""
    offered = {target.text: target.title for target in targets(scheme)}
    usual = list(offered).index(usual_target(scheme).text)
    box = st.selectbox(
        "Judgment",
        list(offered),
        usual,
        format_func=lambda text: offered[text][:1].upper() + offered[text][1:],
        key=f"train-bleurt-target-{number}",
        help="What people said that is learnt: one criterion, or the mean of all.",
    )
    return str(box)


def _cross_fitted(kind: type[CrossFittedSettings], about: str, epochs: int | None) -> dict[str, Any]:
    """Draw the settings of what learns from a study; `about`: the paper's recipe."""
    key = kind.kind
    recipe = choose_recipe(f"train-{key}-recipe", about)
    paper = recipe is Way.PAPER
    left, right = st.columns([3, 5])
    own = f"{key}{'-paper' * paper}"
    base = _base(left, own, MINILM if paper else DEFAULTS[ModelRole.BASE])
    result = {
        "base": "" if base == DEFAULTS[ModelRole.BASE] else base,
        "folds": number(right, kind, "folds", f"train-{own}-folds", help=FOLDS_HELP),
        "recipe": recipe,
        **_common(kind, key, None if paper else epochs),
    }
    if paper:
        result["steps"] = number(st, kind, "steps", f"train-{key}-steps", help=STEPS_HELP[key])
    return result


def _base(place: Any, key: str, usual: str) -> str:
    offered = [usual, *(name for name in BUNDLED if name != usual)]
    box = place.selectbox("Base", offered, accept_new_options=True, key=f"train-{key}-base", help=BASE_HELP)
    return str(box).strip()


def _common(kind: type[TrainingSettings], key: str, epochs: int | None) -> dict[str, Any]:
    """What all of these have. `epochs`: the usual ones; None where nothing is seen twice."""
    with st.expander(
        "Words, device, seed" if epochs is None else "Epochs, words, device, seed", icon=":material/tune:"
    ):
        left, middle, right = st.columns(3)
        result: dict[str, Any] = {}
        if epochs is not None:
            result["epochs"] = number(left, kind, "epochs", f"train-{key}-epochs-{epochs}", epochs)
        for place, name in ((middle, "words"), (right, "seed")):
            result[name] = number(place, kind, name, f"train-{key}-{name}")
        for place, name in ((left, "device"), (right, "precision")):
            result[name] = choice(place, kind, name, f"train-{key}-{name}")
    return result
