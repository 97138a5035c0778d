"""The settings of a Perception Score's training, for pages and commands; light, so that no model is loaded."""

from dataclasses import dataclass

from core.checkpoints.kinds import Tuning
from core.settings import setting
from core.stories import first_words, normalise
from core.training.engine.recipe import PRECISIONS, Recipe, Way
from core.training.engine.settings import WORDS

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

    conditional: bool = setting(
        True, "Texts after their contexts, or alone beside any reference.", label="Compare within prompts"
    )
    references: int = setting(4, "Without contexts: references a text.", least=1)
    normalisation: str = "recased"
    words: int = setting(WORDS, "Texts are cut within so many words; 0 for never.", least=0)
    tuning: Tuning = setting(
        Tuning.ADAPTER,
        "What of the base learns: adapter, or full.",
        label="What learns",
        choices=(Tuning.ADAPTER, Tuning.FULL),
    )
    confidence: float = setting(0.5, "The paper's lambda, of -log c.", least=0.0)
    penalty: float = setting(0.1, "The paper's beta, of the gradient penalty; 0 for none.", least=0.0)
    penalised: int = setting(
        PENALISED[Way.FABULA],
        "The gradient penalty is taken on four pairs of a batch (fabula), or on all (paper).",
        label="Gradient penalty",
    )
    passes: int = setting(10, "With dropout, whose variance makes m.", least=2, most=1000)
    test: float = 0.2
    held_out: float = 0.1
    batch: int = BATCH
    seeds: tuple[int, ...] = setting(
        tuple(range(3)), "Critics a system, averaged.", label="Critics a system", least=1, most=100
    )
    epochs: int = setting(3, "How often a critic sees a pair.", label="Epochs", least=1, most=1000)
    precision: str = setting(PRECISIONS[0], "float32, or bfloat16.", choices=tuple(PRECISIONS))

    def recipe(self, seed: int) -> Recipe:
        """Return the recipe of one of the seeds."""
        return Recipe(
            epochs=self.epochs,
            learning_rate=RATE[self.tuning],
            precision=self.precision,
            seed=seed,
            evaluate_every=10,
            checkpoint_every=50,
        )

    def prepared(self, text: str) -> str:
        """Return a context, a text or a reference as the critic reads it."""
        result = normalise(text, self.normalisation).strip()
        return first_words(result, self.words) if self.words else result
