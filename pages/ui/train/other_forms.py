"""What a new RUBER, language model, DisScore or regression on ratings is to be like."""

from typing import Any

import streamlit as st

from core.checkpoints.kinds import Embeddings
from core.metrics.base import PRECISIONS
from core.models.catalogue import BUNDLED, DEFAULTS, MINILM, Role
from core.people import Person
from core.training.bleurt.order import BleurtOrder
from core.training.bleurt.settings import BLEURT_STEPS
from core.training.disscore.order import DiscriminatorOrder
from core.training.engine.recipe import PAPER_STEPS, Way
from core.training.language_model.order import LanguageOrder
from core.training.ruber.order import RuberOrder
from core.training.ruber.settings import USUAL
from pages.ui.train.advanced_settings import choose_recipe
from pages.ui.train.stories import Chosen

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


def ruber_order(_viewer: Person, chosen: Chosen, name: str) -> RuberOrder:
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
    usual = USUAL[recipe, Embeddings(embeddings)].epochs or 1
    common = _common("ruber", usual)
    return RuberOrder(name, chosen.sets, base=base, embeddings=Embeddings(embeddings), recipe=recipe, **common)


def language_order(_viewer: Person, chosen: Chosen, name: str) -> LanguageOrder:
    """What the widgets say."""
    left, right = st.columns([3, 5])
    base = _base(left, "language", DEFAULTS[Role.LANGUAGE])
    rank = right.number_input(
        "Rank of the adapters", 1, 256, 8, key="train-rank", help="The higher, the more it learns, by heart too."
    )
    return LanguageOrder(
        name,
        chosen.sets,
        base="" if base == DEFAULTS[Role.LANGUAGE] else base,
        rank=int(rank),
        **_common("language", 1),
    )


def discriminator_order(_viewer: Person, chosen: Chosen, name: str) -> DiscriminatorOrder:
    """What the widgets say."""
    return DiscriminatorOrder(name, chosen.sets, **_cross_fitted("discriminator", DISSCORE_HELP, 8, PAPER_STEPS))


def bleurt_order(_viewer: Person, chosen: Chosen, name: str) -> BleurtOrder:
    """What the widgets say."""
    return BleurtOrder(name, chosen.sets, **_cross_fitted("bleurt", BLEURT_HELP, None, BLEURT_STEPS))


def _cross_fitted(key: str, about: str, epochs: int | None, most: int) -> dict[str, Any]:
    """Of what learns from a study; `about`: the paper's recipe, whose usual steps are `most`."""
    recipe = choose_recipe(f"train-{key}-recipe", about)
    paper = recipe is Way.PAPER
    base, folds = _judged(f"{key}{'-paper' * paper}", MINILM if paper else DEFAULTS[Role.BASE])
    found = {"base": base, "folds": folds, "recipe": recipe, **_common(key, None if paper else epochs)}
    if paper:
        steps = st.number_input("Steps a model", 1, 1_000_000, most, key=f"train-{key}-steps", help=STEPS_HELP[key])
        found["steps"] = int(steps)
    return found


def _judged(key: str, usual: str) -> tuple[str, int]:
    left, right = st.columns([3, 5])
    base = _base(left, key, usual)
    folds = right.number_input("Parts of the prompts", 2, 20, 5, key=f"train-{key}-folds", help=FOLDS_HELP)
    return "" if base == DEFAULTS[Role.BASE] else base, int(folds)


def _base(place: Any, key: str, usual: str) -> str:
    offered = [usual, *(name for name in BUNDLED if name != usual)]
    box = place.selectbox("Base", offered, accept_new_options=True, key=f"train-{key}-base", help=BASE_HELP)
    return str(box).strip()


def _common(key: str, epochs: int | None) -> dict[str, Any]:
    """What all of these have. `epochs`: the usual ones; None where nothing is seen twice."""
    with st.expander(
        "Words, device, seed" if epochs is None else "Epochs, words, device, seed", icon=":material/tune:"
    ):
        left, middle, right = st.columns(3)
        found: dict[str, Any] = {}
        if epochs is not None:
            found["epochs"] = int(
                left.number_input(
                    "Epochs", 1, 1000, epochs, key=f"train-{key}-epochs-{epochs}", help="How often it sees a story."
                )
            )
        found["words"] = int(
            middle.number_input(
                "Words",
                0,
                10_000,
                200,
                key=f"train-{key}-words",
                help="Texts are cut at a sentence's end within so many; 0: never.",
            )
        )
        found["seed"] = int(right.number_input("Seed", 0, 2**31, 0, key=f"train-{key}-seed"))
        found["device"] = left.segmented_control(
            "Device", ["auto", "cpu", "cuda"], default="auto", required=True, key=f"train-{key}-device"
        )
        found["precision"] = right.segmented_control(
            "Precision", list(PRECISIONS), default=PRECISIONS[0], required=True, key=f"train-{key}-precision"
        )
    return found
