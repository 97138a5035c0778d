"""A training of RUBER's unreferenced half as it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from core.models.catalogue import MINILM
from core.training.estimate import TRAINING, Work, reading_work
from core.training.order import Order
from core.training.ruber_plan import USUAL, Embeddings, RuberPlan, ruber_recipe

_GUESS = 400_000
"""Characters a second of the head's training."""


@dataclass(frozen=True)
class RuberOrder(Order):
    """`layers`: none for the last one. Else see `RuberPlan`."""

    base: str = MINILM
    epochs: int = USUAL[Embeddings.BERT].epochs or 1
    embeddings: Embeddings = Embeddings.BERT
    layers: tuple[int, ...] = ()
    words: int = 200
    kind = "ruber"
    called = "RUBER"

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """The order that a job keeps. Raises InputError for a name that is none."""
        return super().from_settings({**settings, "embeddings": Embeddings(settings["embeddings"])})

    def plan(self, last: int) -> RuberPlan:
        """`last`: the base's last layer."""
        return RuberPlan(
            (self.layers or (last,)) if self.embeddings is Embeddings.BERT else (),
            self.embeddings,
            words=self.words,
            precision=self.precision,
            recipe=ruber_recipe(self.embeddings, self.epochs, None, self.seed),
        )

    def works(self, characters: int) -> list[Work]:
        """The phases of a training on stories of so many characters."""
        key = f"train ruber {self.embeddings} {self.base} {self.device}"
        made = Work(TRAINING, key, characters * self.epochs, _GUESS)
        return [reading_work(self, characters), made] if self.embeddings is Embeddings.BERT else [made]
