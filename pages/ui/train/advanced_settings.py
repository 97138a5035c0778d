"""Of a new training, what few change: reconstruction, epochs, words, normalisation, layers, device."""

import re
from typing import NamedTuple

import streamlit as st

from core.checkpoints.kinds import Tuning
from core.metrics.base import PRECISIONS
from core.stories import NORMALISATIONS
from core.training.engine.recipe import PAPER_STEPS, Way
from core.training.union.settings import LAMBDA, USUAL, USUAL_NORMALISATION
from pages.ui.shared.text import problem

RECIPES = {Way.FABULA: "Fabula's", Way.PAPER: "The paper's"}


def choose_recipe(key: str, about: str) -> Way:
    """Whose recipe it is trained by; `about`: the paper's."""
    return Way(
        st.segmented_control(
            "Recipe",
            list(Way),
            default=Way.FABULA,
            format_func=RECIPES.__getitem__,
            required=True,
            key=key,
            help=about,
        )
    )


class More(NamedTuple):
    """What the boxes say."""

    reconstruction: float
    layers: tuple[int, ...]
    words: int
    epochs: int
    steps: int
    device: str
    precision: str
    normalisation: str


def more_settings(tuning: Tuning, recipe: Way) -> More | None:
    """What few change; None where the layers are no numbers."""
    paper = recipe is Way.PAPER
    about = f"Reconstruction, {'steps' if paper else 'epochs, layers'}, normalisation, device"
    with st.expander(about, icon=":material/tune:"):
        left, middle, right = st.columns(3)
        second = left.toggle(
            "Reconstruction",
            value=True,
            key="train-reconstruction",
            help="The paper's second task: say what the human story was. The metric union takes checkpoints with it, "
            "union-no-recon those without.",
        )
        weight = left.number_input("Its weight λ", 0.01, 10.0, LAMBDA, 0.05, key="train-lambda", disabled=not second)
        epochs, steps = USUAL[tuning].epochs or 1, PAPER_STEPS
        if paper:
            steps = middle.number_input(
                "Steps", 1, 1_000_000, PAPER_STEPS, key="train-steps", help="Of ten stories each; 40,000 as published."
            )
        else:
            epochs = middle.number_input(
                "Epochs", 1, 1000, epochs, key=f"train-epochs-{tuning}", help="How often it sees a story."
            )
        words = middle.number_input(
            "Words",
            0,
            10_000,
            200,
            key="train-words",
            help="Stories are cut at a sentence's end within so many; 0: never.",
        )
        normalisation = middle.selectbox(
            "Normalisation",
            NORMALISATIONS,
            NORMALISATIONS.index(USUAL_NORMALISATION[recipe]),
            key=f"train-normalisation{'-paper' * paper}",
            help="How stories are written before they are read. Recased: names stand for placeholders such as [MALE], "
            "and capitals begin sentences alone. Delexicalised: placeholders stand for names, as in the paper.",
        )
        layers = ""
        if not paper:
            layers = right.text_input(
                "Layers to read",
                key="train-layers",
                placeholder="the usual two",
                help="Numbers of the base's layers, 1 being the lowest: 16, 20.",
            )
        device = left.segmented_control(
            "Device", ["auto", "cpu", "cuda"], default="auto", required=True, key="train-device"
        )
        precision = right.segmented_control(
            "Precision", list(PRECISIONS), default=PRECISIONS[0], required=True, key="train-precision"
        )
    numbers = [one for one in re.split(r"[,\s]+", layers or "") if one]
    if not all(one.isdecimal() and len(one) < 4 for one in numbers):
        problem(f"Layers are numbers such as 16, 20; {layers!r} is not.")
        return None
    read = tuple(sorted({int(one) for one in numbers}))
    return More(
        weight if second else 0.0, read, int(words), int(epochs), int(steps), str(device), str(precision), normalisation
    )
