"""A training of RUBER's unreferenced half as it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from core.checkpoints.kinds import Embeddings
from core.models.catalogue import MINILM
from core.training.engine.cost import TRAINING, Work, reading_work
from core.training.engine.order import Order
from core.training.engine.recipe import Way
from core.training.ruber.settings import BATCH, USUAL, RuberPlan, ruber_recipe

_GUESS = {Way.FABULA: 400_000, Way.PAPER: 40_000}
"""Characters a second of the head's training."""


@dataclass(frozen=True)
class RuberOrder(Order):
    """`layers`: none for the last one. Else see `RuberPlan`."""

    base: str = MINILM
    epochs: int = USUAL[Way.FABULA, Embeddings.BERT].epochs or 1
    embeddings: Embeddings = Embeddings.BERT
    layers: tuple[int, ...] = ()
    words: int = 200
    recipe: Way = Way.FABULA
    kind = "ruber"
    called = "RUBER"

    def settings(self) -> dict[str, Any]:
        """As a job keeps it; an order is the same as one of before there was a choice of recipes."""
        found = super().settings()
        if self.recipe is Way.FABULA:
            del found["recipe"]
        return found

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """The order that a job keeps. Raises InputError for a name that is none."""
        named = {"embeddings": Embeddings(settings["embeddings"]), "recipe": Way(settings.get("recipe", Way.FABULA))}
        return super().from_settings({**settings, **named})

    def plan(self, last: int) -> RuberPlan:
        """`last`: the base's last layer."""
        return RuberPlan(
            (self.layers or (last,)) if self.embeddings is Embeddings.BERT else (),
            self.embeddings,
            words=self.words,
            batch=BATCH[self.recipe],
            precision=self.precision,
            recipe=ruber_recipe(self.embeddings, self.epochs, None, self.seed, self.recipe),
            way=self.recipe,
        )

    def works(self, characters: int) -> list[Work]:
        """The phases of a training on stories of so many characters."""
        paper = f" {self.recipe}" if self.recipe is Way.PAPER else ""
        key = f"train ruber{paper} {self.embeddings} {self.base} {self.device}"
        made = Work(TRAINING, key, characters * self.epochs, _GUESS[self.recipe])
        return [reading_work(self, characters), made] if self.embeddings is Embeddings.BERT else [made]
