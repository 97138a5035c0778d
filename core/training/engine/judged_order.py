"""A training that learns from a study's own stories, cross-fitted by prompt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from core.models.catalogue import ModelSource
from core.models.shape import last_of_encoder, usual_layers
from core.training.engine.cost import TRAINING, Work
from core.training.engine.order import Order
from core.training.engine.recipe import PAPER_STEPS, Way

_TUNED, _STORY = 900, 250
"""Characters a second of a base's training, and characters of a short story."""


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
