"""Trainings that learn from a study's own stories, cross-fitted by prompt: DisScore, and a regression on ratings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from core.models.catalogue import ModelSource
from core.models.shape import last_of_encoder, usual_layers
from core.training.bleurt_plan import BLEURT_BATCH, BLEURT_STEPS, BleurtPlan, paper_bleurt
from core.training.discriminator_plan import USUAL, DiscriminatorPlan, paper_discriminator
from core.training.estimate import TRAINING, Work, reading_work
from core.training.folds import Folds
from core.training.order import Order
from core.training.plan import PAPER_BATCH, PAPER_STEPS, Way

_GUESS = 100_000
"""Characters a second of a head's training."""
_TUNED, _STORY = 900, 250
"""The same of a base's, and characters of a short story."""


@dataclass(frozen=True)
class JudgedOrder(Order):
    """`folds`: models, each of which scores the prompts that it has not seen. `stories`: of studies alone. `steps`: of
    each model, by the paper's recipe.
    """

    folds: int = 5
    words: int = 200
    recipe: Way = Way.FABULA
    steps: int = PAPER_STEPS

    def settings(self) -> dict[str, Any]:
        """As a job keeps it; an order is the same as one of before there was a choice of recipes."""
        found = super().settings()
        if self.recipe is Way.FABULA:
            del found["recipe"], found["steps"]
        return found

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """The order that a job keeps. Raises InputError for a name that is none."""
        return super().from_settings({**settings, "recipe": Way(settings.get("recipe", Way.FABULA))})

    def layers_of(self, source: ModelSource) -> tuple[int, ...]:
        """The layers of a base that are read. Raises InputError where the recipe does not fit it."""
        return (last_of_encoder(source),) if self.recipe is Way.PAPER else usual_layers(source)

    def tuned_work(self, texts: int) -> Work:
        """Training bases on so many texts a step: of a usual length, for how long these are is not known here."""
        key = f"train {self.kind} {self.recipe} {self.base} {self.device}"
        return Work(TRAINING, key, self.steps * texts * self.folds * _STORY, _TUNED)


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


@dataclass(frozen=True)
class BleurtOrder(JudgedOrder):
    """A study's ratings, from its stories and their references."""

    steps: int = BLEURT_STEPS
    kind = "bleurt"
    of_ratings = True
    called = "a regression on ratings"

    def plan(self, layers: tuple[int, ...]) -> BleurtPlan:
        """With the layers that are read. Raises InputError."""
        folds = Folds(self.folds, self.seed)
        if self.recipe is Way.PAPER:
            return paper_bleurt(max(layers), self.words, folds, self.steps, precision=self.precision, seed=self.seed)
        return BleurtPlan(layers, words=self.words, folds=folds, precision=self.precision)

    def works(self, characters: int) -> list[Work]:
        """The phases of a training on stories and references of so many characters."""
        if self.recipe is Way.PAPER:
            return [self.tuned_work(2 * BLEURT_BATCH)]
        return [reading_work(self, characters)]
