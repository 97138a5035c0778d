"""How a Perception Score is trained, as pages and command line choose it: nothing here loads a model."""

from dataclasses import dataclass

from core.checkpoints.kinds import Tuning
from core.stories import first_words, normalise
from core.training.engine.recipe import Recipe, Way

SEEDS = 3
EPOCHS = 3
RATE = {Tuning.ADAPTER: 3e-3, Tuning.FULL: 2e-4}
"""Told by held-out pairs of one system: adapters reach in one epoch at 3e-3 what takes them two at 1e-3."""
BATCH = 16
"""Pairs a step."""
PENALISED = {Way.FABULA: 4, Way.PAPER: BATCH}
"""Of a batch, pairs on which the gradient penalty is taken; the paper's expectation is over all (equation 5)."""
FEWEST = 20
"""Contexts of a system that have a reference: with fewer there is nothing to train on and nothing to test with."""


@dataclass(frozen=True)
class PerceptionPlan:
    """How a Perception Score is trained.

    `conditional`: a text is read after its context and beside references of the same one; else alone, beside
    `references` ones of any context (the paper takes four). `words`: texts are cut at a sentence's end within so many,
    0 for not at all. `confidence`, `penalty`: the paper's lambda and beta, which it does not tell. `penalised`: pairs
    of a batch on which the gradient penalty is taken, which stand for all and cost as much again as the rest.
    `passes`: with dropout, whose variance makes m. `test`, `held_out`: shares of the contexts, in 0..1; held-out ones
    are of those trained on and tell the best weights.
    """

    conditional: bool = True
    references: int = 4
    normalisation: str = "recased"
    words: int = 200
    tuning: Tuning = Tuning.ADAPTER
    confidence: float = 0.5
    penalty: float = 0.1
    penalised: int = PENALISED[Way.FABULA]
    passes: int = 10
    test: float = 0.2
    held_out: float = 0.1
    batch: int = BATCH
    seeds: tuple[int, ...] = tuple(range(SEEDS))
    epochs: int = EPOCHS
    precision: str = "float32"

    def recipe(self, seed: int) -> Recipe:
        """Of one of the seeds."""
        return Recipe(
            epochs=self.epochs,
            learning_rate=RATE[self.tuning],
            precision=self.precision,
            seed=seed,
            evaluate_every=10,
            checkpoint_every=50,
        )

    def prepared(self, text: str) -> str:
        """A context, a text or a reference as the critic reads it."""
        result = normalise(text, self.normalisation).strip()
        return first_words(result, self.words) if self.words else result
