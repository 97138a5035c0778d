"""How a DisScore is trained, as pages and command line choose it: nothing here loads a model."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.stories import first_words, normalise, whole_story
from core.training.folds import Folds
from core.training.recipe import Recipe

KIND = "discriminator"
FEWEST = 10
"""Stories by people, and stories by systems, that each model learns from at least."""
USUAL = Recipe(epochs=8, learning_rate=1e-3, evaluate_every=50)
"""Where nobody says otherwise."""


@dataclass(frozen=True)
class DiscriminatorPlan:
    """`layers`: of the base, 1 the lowest. `words`: stories are cut at a sentence's end within so many, 0 for not at
    all. `held_out`: share of the prompts that a model may learn from, by which its best weights are told, in 0..1.
    """

    layers: tuple[int, ...]
    normalisation: str = "recased"
    words: int = 200
    folds: Folds = field(default_factory=Folds)
    batch: int = 32
    held_out: float = 0.1
    precision: str = "float32"
    recipe: Recipe = USUAL

    def prepared(self, prompt: str, text: str) -> str:
        """A story with its prompt before it, as the base reads it."""
        whole = normalise(whole_story(prompt, text), self.normalisation)
        return first_words(whole, self.words) if self.words else whole
