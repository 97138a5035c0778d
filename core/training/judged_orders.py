"""Trainings that learn from a study's own stories, cross-fitted by prompt: DisScore, and a regression on ratings."""

from dataclasses import dataclass, replace

from core.training.bleurt_plan import BleurtPlan
from core.training.discriminator_plan import USUAL, DiscriminatorPlan
from core.training.estimate import TRAINING, Work, reading_work
from core.training.folds import Folds
from core.training.order import Order

_GUESS = 100_000
"""Characters a second of a head's training."""


@dataclass(frozen=True)
class JudgedOrder(Order):
    """`folds`: models, each of which scores the prompts that it has not seen. `stories`: of studies alone."""

    folds: int = 5
    words: int = 200


@dataclass(frozen=True)
class DiscriminatorOrder(JudgedOrder):
    """Stories by people against stories by systems, of one study or more."""

    epochs: int = USUAL.epochs or 1
    kind = "discriminator"
    called = "DisScore"

    def plan(self, layers: tuple[int, ...]) -> DiscriminatorPlan:
        """With the layers that are read. Raises InputError."""
        return DiscriminatorPlan(
            layers,
            words=self.words,
            folds=Folds(self.folds, self.seed),
            precision=self.precision,
            recipe=replace(USUAL, epochs=self.epochs, seed=self.seed),
        )

    def works(self, characters: int) -> list[Work]:
        """The phases of a training on stories of so many characters."""
        heads = characters * self.epochs * self.folds
        return [reading_work(self, characters), Work(TRAINING, f"train discriminator {self.device}", heads, _GUESS)]


@dataclass(frozen=True)
class BleurtOrder(JudgedOrder):
    """A study's ratings, from its stories and their references."""

    kind = "bleurt"
    of_ratings = True
    called = "a regression on ratings"

    def plan(self, layers: tuple[int, ...]) -> BleurtPlan:
        """With the layers that are read. Raises InputError."""
        return BleurtPlan(layers, words=self.words, folds=Folds(self.folds, self.seed), precision=self.precision)

    def works(self, characters: int) -> list[Work]:
        """The phases of a training on stories and references of so many characters."""
        return [reading_work(self, characters)]
