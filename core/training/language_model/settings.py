"""How a language model is fine-tuned, as pages and command line choose it: nothing here loads a model."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.checkpoints.kinds import RANK
from core.errors import InputError
from core.stories import NORMALISATIONS, as_read
from core.training.engine.recipe import Recipe

USUAL = Recipe(epochs=1, learning_rate=2e-3, evaluate_every=100)
"""Where nobody says otherwise."""


@dataclass(frozen=True)
class LanguagePlan:
    """How a language model is fine-tuned. `normalisation`: of the stories. `words`: they are cut at a sentence's end
    within so many, 0 for not at all. `rank`: of the adapters, 1 to 256. `batch`: pieces at once, padding included.
    `held_out`: share of the stories, in 0..1. Raises InputError.
    """

    normalisation: str = "recased"
    words: int = 200
    rank: int = RANK
    batch: int = 1024
    held_out: float = 0.05
    recipe: Recipe = USUAL

    def __post_init__(self) -> None:
        if self.normalisation not in NORMALISATIONS:
            raise InputError(
                f"There is no normalisation {self.normalisation!r}; choose one of {', '.join(NORMALISATIONS)}."
            )
        if not 1 <= self.rank <= 256:
            raise InputError(f"The rank of adapters is 1 to 256, not {self.rank}.")
        if self.words < 0:
            raise InputError(f"Stories are cut within 1 word or more, or (0) not at all, not within {self.words}.")

    def prepared(self, story: str) -> str:
        """A story as the model reads it."""
        return as_read(story, self.normalisation, self.words)


def recipe_of(
    epochs: int | None = None, learning_rate: float | None = None, precision: str = "float32", seed: int = 0
) -> Recipe:
    """The usual recipe but for what is given."""
    return replace(
        USUAL,
        epochs=epochs or USUAL.epochs,
        learning_rate=learning_rate or USUAL.learning_rate,
        precision=precision,
        seed=seed,
    )
