"""A training of DisScore as it is asked for."""

from dataclasses import dataclass, replace

from core.checkpoints.folds import Folds
from core.training.disscore.settings import USUAL, DiscriminatorPlan, paper_discriminator
from core.training.engine.cost import TRAINING, Work, reading_work
from core.training.engine.judged_order import JudgedOrder
from core.training.engine.recipe import PAPER_BATCH, Way

_GUESS = 100_000
"""Characters a second of a head's training."""


@dataclass(frozen=True)
class DiscriminatorOrder(JudgedOrder):
    """Stories by people against stories by systems, of one study or more."""

    epochs: int = USUAL.epochs or 1
    kind = "discriminator"
    called = "DisScore"

    def plan(self, layers: tuple[int, ...]) -> DiscriminatorPlan:
        """With the layers that are read. Raises InputError."""
        folds = Folds(self.folds, self.seed)
        if self.recipe is Way.PAPER:
            return paper_discriminator(
                max(layers), self.words, folds, self.steps, precision=self.precision, seed=self.seed
            )
        return DiscriminatorPlan(
            layers,
            words=self.words,
            folds=folds,
            precision=self.precision,
            recipe=replace(USUAL, epochs=self.epochs, seed=self.seed),
        )

    def works(self, characters: int) -> list[Work]:
        """The phases of a training on stories of so many characters."""
        if self.recipe is Way.PAPER:
            return [self.tuned_work(PAPER_BATCH)]
        heads = characters * self.epochs * self.folds
        return [reading_work(self, characters), Work(TRAINING, f"train discriminator {self.device}", heads, _GUESS)]
