"""A training of UNION as it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from core.checkpoints.kinds import Tuning
from core.english.knowledge import WORDNET
from core.models.catalogue import ModelSource
from core.models.shape import last_of_encoder, usual_layers
from core.perturb.negatives.sampler import Mix, MixName, Technique
from core.training.engine.order import Order
from core.training.engine.recipe import PAPER_BATCH, PAPER_STEPS, Way
from core.training.union.settings import LAMBDA, USUAL_NORMALISATION, Plan, paper_plan, recipe_of


@dataclass(frozen=True)
class UnionOrder(Order):
    """`layers`: none for the usual ones. `mix`: whose negatives. `without`: techniques that are not used. Else see
    `Plan`.

    `recipe`: PAPER counts `steps`, and reads the base's last layer, all of which learns; `epochs`, `layers` and
    `tuning` are the other's.
    """

    epochs: int = 8
    layers: tuple[int, ...] = ()
    tuning: Tuning = Tuning.FROZEN
    reconstruction: float = LAMBDA
    mix: MixName = MixName.FABULA
    without: tuple[Technique, ...] = ()
    words: int = 200
    knowledge: str = WORDNET
    recipe: Way = Way.FABULA
    steps: int = PAPER_STEPS
    normalisation: str = USUAL_NORMALISATION[Way.FABULA]
    kind = "union"
    called = "UNION"

    def settings(self) -> dict[str, Any]:
        """As a job keeps it; an order is the same as one of before there was a choice of mixes, recipes or
        normalisations.
        """
        found = super().settings()
        if self.mix is MixName.FABULA:
            del found["mix"]
        if self.normalisation == USUAL_NORMALISATION[Way.FABULA]:
            del found["normalisation"]
        if self.recipe is Way.FABULA:
            del found["recipe"], found["steps"]
        return found

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """The order that a job keeps. Raises InputError for a name that is none."""
        named = {
            "recipe": Way(settings.get("recipe", Way.FABULA)),
            "tuning": Tuning(settings["tuning"]),
            "mix": MixName(settings.get("mix", MixName.FABULA)),
            "without": [Technique(one) for one in settings["without"]],
        }
        return super().from_settings({**settings, **named})

    def layers_of(self, source: ModelSource) -> tuple[int, ...]:
        """The layers of a base that are read. Raises InputError where the recipe does not fit it."""
        if self.recipe is Way.PAPER:
            return (last_of_encoder(source),)
        return self.layers or usual_layers(source)

    def plan(self, layers: tuple[int, ...]) -> Plan:
        """With the layers that are read. Raises InputError, for a mix without techniques too."""
        mix = Mix(name=self.mix).without(*self.without)
        if self.recipe is Way.PAPER:
            return paper_plan(
                max(layers),
                self.words,
                mix,
                self.reconstruction,
                self.steps,
                precision=self.precision,
                seed=self.seed,
                normalisation=self.normalisation,
            )
        return Plan(
            layers,
            normalisation=self.normalisation,
            words=self.words,
            mix=mix,
            reconstruction=self.reconstruction,
            precision=self.precision,
            tuning=self.tuning,
            recipe=recipe_of(self.tuning, self.epochs, None, self.precision, self.seed),
        )

    def passes(self, pairs: int) -> float:
        """How often each of the texts of so many pairs is learnt from."""
        return self.steps * PAPER_BATCH / max(1, 2 * pairs) if self.recipe is Way.PAPER else self.epochs
