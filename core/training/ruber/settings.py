"""How a RUBER is trained, as pages and command line choose it: nothing here loads a model."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.checkpoints.kinds import Embeddings
from core.stories import as_read, sentences
from core.training.engine.recipe import Choice, Recipe, Way

PUBLISHED = Recipe(
    epochs=50,
    learning_rate=1e-4,
    warm_up=0.0,
    weight_decay=0.0,
    clip=5.0,
    evaluate_every=100,
    chosen_by=Choice("loss", higher=False),
)
"""As in OpenMEVA's code, but for the rate, which falls there by a twentieth where the loss does not."""
USUAL = {
    (Way.FABULA, Embeddings.BERT): Recipe(epochs=12, learning_rate=1e-3, evaluate_every=100),
    (Way.FABULA, Embeddings.WORDS): Recipe(epochs=6, learning_rate=2e-3, evaluate_every=100),
    (Way.PAPER, Embeddings.BERT): PUBLISHED,
    (Way.PAPER, Embeddings.WORDS): PUBLISHED,
}
"""Where nobody says otherwise."""
BATCH = {Way.FABULA: 64, Way.PAPER: 32}
"""Stories at once; the paper's number is that of OpenMEVA's code."""


@dataclass(frozen=True)
class RuberPlan:
    """How a RUBER is trained. `layers`: of the base, 1 the lowest; none for words, which need no layer.
    `words`: continuations are cut at a sentence's end within so many, 0 for not at all. `held_out`: share of each
    corpus, in 0..1. `batch`: stories at once. `precision`: of the base. `way`: PAPER has a whole M, networks of its own
    for contexts and for continuations of words, which learn by a hinge, and the maxima of a base's states.
    """

    layers: tuple[int, ...] = ()
    embeddings: Embeddings = Embeddings.BERT
    normalisation: str = "recased"
    words: int = 200
    batch: int = 64
    held_out: float = 0.1
    precision: str = "float32"
    recipe: Recipe = USUAL[Way.FABULA, Embeddings.BERT]
    way: Way = Way.FABULA

    def parted(self, story: str) -> tuple[str, str] | None:
        """A human story's first sentence and the rest, as they are read; None where there is no rest."""
        found = sentences(story)
        if len(found) < 2:
            return None
        return self.prepared(story[found[0][0] : found[0][1]], story[found[1][0] :])

    def prepared(self, context: str, continuation: str) -> tuple[str, str]:
        """A context and what was made of it, as they are read."""
        return as_read(context, self.normalisation, 0), as_read(continuation, self.normalisation, self.words)


def ruber_recipe(
    embeddings: Embeddings,
    epochs: int | None = None,
    learning_rate: float | None = None,
    seed: int = 0,
    way: Way = Way.FABULA,
) -> Recipe:
    """The usual recipe but for what is given."""
    usual = USUAL[way, embeddings]
    return replace(usual, epochs=epochs or usual.epochs, learning_rate=learning_rate or usual.learning_rate, seed=seed)
