"""How a UNION is trained, as pages and command line choose it: nothing here loads a model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from core.checkpoints.kinds import Tuning
from core.perturb.negatives.sampler import Mix, MixName
from core.stories import DELEXICALISED, as_read
from core.training.engine.recipe import PAPER_BATCH, PAPER_RATE, PAPER_STEPS, Recipe, Way, paper_recipe

LAMBDA = 0.1
"""Of the reconstruction's loss (UNION 2020, section 4.1)."""


USUAL_MIX = {Way.FABULA: MixName.FABULA, Way.PAPER: MixName.PAPER}
"""Whose negatives a recipe learns from, where nobody says otherwise."""
USUAL_NORMALISATION = {Way.FABULA: "recased", Way.PAPER: DELEXICALISED}
"""How a recipe's stories are written (UNION 2020, section 4.2, masks names)."""


USUAL = {
    Tuning.FROZEN: Recipe(epochs=8, learning_rate=1e-3, evaluate_every=100),
    Tuning.ADAPTER: Recipe(epochs=2, learning_rate=5e-4, evaluate_every=100),
    Tuning.FULL: Recipe(epochs=2, learning_rate=5e-5, evaluate_every=100),
}
"""Where nobody says otherwise."""


@dataclass(frozen=True)
class Plan:
    """How a UNION is trained. `layers`: of the base, 1 the lowest. `words`: stories are cut at a sentence's end within
    so many, 0 for not at all. `reconstruction`: lambda, 0 for none. `held_out`: share of the pairs, in 0..1.
    `precision`: of a frozen base. `way`: PAPER reads [CLS] alone and rebuilds every piece over the whole vocabulary;
    `paper_plan` makes such a plan.
    """

    layers: tuple[int, ...]
    normalisation: str = USUAL_NORMALISATION[Way.FABULA]
    words: int = 200
    mix: Mix = field(default_factory=Mix)
    reconstruction: float = LAMBDA
    batch: int = 32
    held_out: float = 0.1
    precision: str = "float32"
    tuning: Tuning = Tuning.FROZEN
    recipe: Recipe = USUAL[Tuning.FROZEN]
    way: Way = Way.FABULA

    def prepared(self, story: str) -> str:
        """A story as the base reads it."""
        return as_read(story, self.normalisation, self.words)


def recipe_of(
    tuning: Tuning,
    epochs: int | None = None,
    learning_rate: float | None = None,
    precision: str = "float32",
    seed: int = 0,
) -> Recipe:
    """The usual recipe but for what is given; `precision` is the base's alone where that stays as it is."""
    usual = USUAL[tuning]
    return replace(
        usual,
        epochs=epochs or usual.epochs,
        learning_rate=learning_rate or usual.learning_rate,
        precision=usual.precision if tuning is Tuning.FROZEN else precision,
        seed=seed,
    )


def paper_plan(
    top: int,
    words: int = 200,
    mix: Mix | None = None,
    reconstruction: float = LAMBDA,
    steps: int = PAPER_STEPS,
    learning_rate: float = PAPER_RATE,
    precision: str = "float32",
    seed: int = 0,
    normalisation: str = USUAL_NORMALISATION[Way.PAPER],
) -> Plan:
    """UNION as published: all of a BERT learns, in steps of ten stories, with a warm-up over a tenth of them, from
    negatives of the paper's mix and names as placeholders where nobody says otherwise.

    `top`: the base's last layer. Raises InputError for steps that are none.
    """
    return Plan(
        (top,),
        normalisation=normalisation,
        words=words,
        mix=mix or Mix(name=USUAL_MIX[Way.PAPER]),
        reconstruction=reconstruction,
        batch=PAPER_BATCH,
        tuning=Tuning.FULL,
        recipe=paper_recipe(steps, learning_rate, precision, seed),
        way=Way.PAPER,
    )
