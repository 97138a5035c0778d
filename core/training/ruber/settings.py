"""The settings of a RUBER's training; light, so that no model is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.checkpoints.kinds import RUBER, Embeddings
from core.models.catalogue import MINILM, ModelSource
from core.models.shape import usual_layers
from core.settings import like, setting
from core.stories import as_read, sentences
from core.training.engine.cost import TRAINING, Work
from core.training.engine.held_out import held_out_of
from core.training.engine.recipe import Criterion, Recipe, Way
from core.training.engine.settings import TrainingSettings

PUBLISHED = Recipe(
    epochs=50,
    learning_rate=1e-4,
    warm_up=0.0,
    weight_decay=0.0,
    clip=5.0,
    evaluate_every=100,
    chosen_by=Criterion("loss", higher=False),
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
_GUESS = {Way.FABULA: 400_000, Way.PAPER: 40_000}
"""Characters a second of the head's training."""


@dataclass(frozen=True)
class RuberSettings(TrainingSettings):
    """`layers`: of the base; none for words, which need no layer. `held_out`: share of each corpus. `recipe`: PAPER has
    a whole M, networks of its own for contexts and for continuations of words, which learn by a hinge, and the maxima
    of a base's states.
    """

    base: str = like(TrainingSettings, "base", "What it stands on: a bundled model, a folder or a hub name.", MINILM)
    layers: tuple[int, ...] = like(
        TrainingSettings, "layers", "A layer of the base to read, the last if left out; may be repeated.", later=False
    )
    embeddings: Embeddings = setting(
        Embeddings.BERT,
        "bert (states of the base, for ruber-u-bert) or words (its input embeddings: ruber-u).",
        choices=tuple(Embeddings),
    )
    recipe: Way = like(
        TrainingSettings,
        "recipe",
        "fabula, or paper: RUBER as published, with a whole matrix M; of words under a recurrent network of "
        "its own for contexts and for continuations, by a hinge; of states by their maxima.",
    )
    words: int = like(TrainingSettings, "words", "Continuations are cut within so many words; 0 for never.")
    epochs: int = like(
        TrainingSettings,
        "epochs",
        "How often each story is seen: 12; 6 with words, 50 with --recipe paper.",
        USUAL[Way.FABULA, Embeddings.BERT].epochs,
    )
    learning_rate: float | None = like(
        TrainingSettings, "learning_rate", "1e-3; 2e-3 with words, 1e-4 with --recipe paper."
    )
    seed: int = like(TrainingSettings, "seed", "Seed of what is held out, of the continuations and of the training.")

    kind = RUBER
    title = "RUBER"
    called = "RUBER"
    about = (
        "It learns which continuation belongs to which opening, from people's stories. Together with its other half it "
        "makes the blends ruber and ruber-bert."
    )
    purpose = "Teach RUBER to tell a story's continuation from another's."
    trainer = "core.training.ruber.train:train_ruber"

    @classmethod
    def usual(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        kind = given.get("recipe", Way.FABULA), given.get("embeddings", Embeddings.BERT)
        return {"epochs": USUAL[kind].epochs}

    @property
    def schedule(self) -> Recipe:
        usual = USUAL[self.recipe, self.embeddings]
        rate = self.learning_rate or usual.learning_rate
        return self.loop or replace(usual, epochs=self.epochs, learning_rate=rate, seed=self.seed)

    @property
    def step_size(self) -> int:
        return self.batch or BATCH[self.recipe]

    def layers_of(self, base: ModelSource) -> tuple[int, ...]:
        return (self.layers or usual_layers(base)[1:]) if self.embeddings is Embeddings.BERT else ()

    def works(self, characters: int, pairs: int = 0) -> list[Work]:
        paper = f" {self.recipe}" if self.recipe is Way.PAPER else ""
        key = f"train ruber{paper} {self.embeddings} {self.base} {self.device}"
        head = Work(TRAINING, key, characters * self.epochs, _GUESS[self.recipe])
        return [self.reading(characters), head] if self.embeddings is Embeddings.BERT else [head]

    def checked_on(self, sizes: Sequence[int]) -> int:
        return sum(max(2, held_out_of(size, self.held_out)) for size in sizes)

    def parted(self, story: str) -> tuple[str, str] | None:
        """A human story's first sentence and the rest, as they are read; None where there is no rest."""
        result = sentences(story)
        if len(result) < 2:
            return None
        return self.prepared(story[result[0][0] : result[0][1]], story[result[1][0] :])

    def prepared(self, context: str, continuation: str) -> tuple[str, str]:
        """A context and what was made of it, as they are read."""
        return as_read(context, self.normalisation, 0), as_read(continuation, self.normalisation, self.words)
