"""The rarely changed settings of a new training: reconstruction, epochs, words, normalisation, layers, device."""

import re
from typing import Any

import streamlit as st

from core.checkpoints.kinds import Tuning
from core.engines.settings import devices_here
from core.settings import described
from core.stories import NORMALISATIONS
from core.training.engine.recipe import Way
from core.training.union.settings import LAMBDA, UnionSettings
from pages.ui.shared.text import problem

RECIPES = {Way.FABULA: "Fabula's", Way.PAPER: "The paper's"}


def choose_recipe(key: str, about: str) -> Way:
    """Whose recipe it is trained by; `about`: the paper's."""
    return Way(
        st.segmented_control(
            "Recipe: how the metric learns",
            list(Way),
            default=Way.FABULA,
            format_func=RECIPES.__getitem__,
            required=True,
            key=key,
            help=about,
        )
    )


def number(place: Any, kind: type, name: str, key: str, usual: float | None = None, help: str = "") -> Any:
    """The box of a setting that is a number. `usual`: where that is not its default; `help`: for other words."""
    about, _, default = described(kind)[name]
    value = default if usual is None else usual
    return place.number_input(about.label, about.least, about.most, value, key=key, help=help or about.help)


def choice(place: Any, kind: type, name: str, key: str) -> str:
    """The control of a setting that is one of a few."""
    about, _, default = described(kind)[name]
    choices = devices_here() if name == "device" else about.choices
    return str(place.segmented_control(about.label, choices, default=default, required=True, key=key))


def more_settings(tuning: Tuning, recipe: Way) -> dict[str, Any] | None:
    """What few change, by the setting's name; None where the layers are no numbers."""
    paper = recipe is Way.PAPER
    usual = UnionSettings.usual({"recipe": recipe, "tuning": tuning})
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
        result: dict[str, Any] = {"reconstruction": weight if second else 0.0, "epochs": usual["epochs"]}
        if paper:
            help = "Of ten stories each; 40,000 as published."
            result["steps"] = number(middle, UnionSettings, "steps", "train-steps", help=help)
        else:
            result["epochs"] = number(middle, UnionSettings, "epochs", f"train-epochs-{tuning}", usual["epochs"])
        result["words"] = number(middle, UnionSettings, "words", "train-words")
        result["normalisation"] = middle.selectbox(
            "Normalisation",
            NORMALISATIONS,
            NORMALISATIONS.index(usual["normalisation"]),
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
        result["device"] = choice(left, UnionSettings, "device", "train-device")
        result["precision"] = choice(right, UnionSettings, "precision", "train-precision")
    numbers = [text for text in re.split(r"[,\s]+", layers or "") if text]
    if not all(text.isdecimal() and len(text) < 4 for text in numbers):
        problem(f"Layers are numbers such as 16, 20; {layers!r} is not.")
        return None
    return {**result, "layers": tuple(sorted({int(text) for text in numbers}))}
