"""How a DisScore is trained, as pages and command line choose it: nothing here loads a model."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.checkpoints.folds import Folds
from core.stories import as_read, whole_story
from core.training.engine.recipe import PAPER_BATCH, PAPER_RATE, PAPER_STEPS, Recipe, Way, paper_recipe

FEWEST = 10
"""Stories by people, and stories by systems, that each model learns from at least."""
USUAL = Recipe(epochs=8, learning_rate=1e-3, evaluate_every=50)
"""Where nobody says otherwise."""


@dataclass(frozen=True)
class DiscriminatorPlan:
    """`layers`: of the base, 1 the lowest. `words`: stories are cut at a sentence's end within so many, 0 for not at
    all. `held_out`: share of the prompts that a model may learn from, by which its best weights are told, in 0..1.
    `way`: under PAPER all of a BERT learns, and its [CLS] alone is read; `paper_discriminator` makes such a plan.
    """

    layers: tuple[int, ...]
    normalisation: str = "recased"
    words: int = 200
    folds: Folds = field(default_factory=Folds)
    batch: int = 32
    held_out: float = 0.1
    precision: str = "float32"
    recipe: Recipe = USUAL
    way: Way = Way.FABULA

    def prepared(self, prompt: str, text: str) -> str:
        """A story with its prompt before it, as the base reads it."""
        return as_read(whole_story(prompt, text), self.normalisation, self.words)


def paper_discriminator(
    top: int,
    words: int = 200,
    folds: Folds | None = None,
    steps: int = PAPER_STEPS,
    learning_rate: float = PAPER_RATE,
    precision: str = "float32",
    seed: int = 0,
) -> DiscriminatorPlan:
    """DisScore as published (UNION 2020, section 4.1): a BERT that learns as UNION's does, so many steps a model.

    `top`: the base's last layer. Raises InputError for steps that are none.
    """
    return DiscriminatorPlan(
        (top,),
        words=words,
        folds=folds or Folds(seed=seed),
        batch=PAPER_BATCH,
        precision=precision,
        recipe=paper_recipe(steps, learning_rate, precision, seed),
        way=Way.PAPER,
    )
