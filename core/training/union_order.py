"""A training of UNION as it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from core.perturb.knowledge import WORDNET
from core.perturb.negatives import Mix, MixName, Technique
from core.training.order import Order
from core.training.plan import LAMBDA, Plan, Tuning, recipe_of


@dataclass(frozen=True)
class UnionOrder(Order):
    """`layers`: none for the usual ones. `mix`: whose negatives. `without`: techniques that are not used. Else see
    `Plan`.
    """

    epochs: int = 8
    layers: tuple[int, ...] = ()
    tuning: Tuning = Tuning.FROZEN
    reconstruction: float = LAMBDA
    mix: MixName = MixName.FABULA
    without: tuple[Technique, ...] = ()
    words: int = 200
    knowledge: str = WORDNET
    kind = "union"
    called = "UNION"

    def settings(self) -> dict[str, Any]:
        """As a job keeps it; an order is the same as one of before there was a choice of mixes."""
        found = super().settings()
        if self.mix is MixName.FABULA:
            del found["mix"]
        return found

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """The order that a job keeps. Raises InputError for a name that is none."""
        named = {
            "tuning": Tuning(settings["tuning"]),
            "mix": MixName(settings.get("mix", MixName.FABULA)),
            "without": [Technique(one) for one in settings["without"]],
        }
        return super().from_settings({**settings, **named})

    def plan(self, layers: tuple[int, ...]) -> Plan:
        """With the layers that are read. Raises InputError, for a mix without techniques too."""
        return Plan(
            layers,
            words=self.words,
            mix=Mix(name=self.mix).without(*self.without),
            reconstruction=self.reconstruction,
            precision=self.precision,
            tuning=self.tuning,
            recipe=recipe_of(self.tuning, self.epochs, None, self.precision, self.seed),
        )
