"""A training of a language model as it is asked for."""

from dataclasses import dataclass

from core.checkpoints.kinds import RANK
from core.models.catalogue import DEFAULTS, Role
from core.training.engine.cost import TRAINING, Work
from core.training.engine.order import Order
from core.training.language_model.settings import USUAL, LanguagePlan, recipe_of

_GUESS = 1_000
"""Characters a second on two cores."""


@dataclass(frozen=True)
class LanguageOrder(Order):
    """See `LanguagePlan`."""

    epochs: int = USUAL.epochs or 1
    rank: int = RANK
    words: int = 200
    kind = "language-model"
    called = "a language model"
    role = Role.LANGUAGE

    def plan(self) -> LanguagePlan:
        """Raises InputError."""
        recipe = recipe_of(self.epochs, None, self.precision, self.seed)
        return LanguagePlan(words=self.words, rank=self.rank, recipe=recipe)

    def works(self, characters: int) -> list[Work]:
        """The phases of a training on stories of so many characters."""
        key = f"train language-model {self.base or DEFAULTS[Role.LANGUAGE]} {self.device} {self.precision}"
        return [Work(TRAINING, key, characters * self.epochs, _GUESS)]
