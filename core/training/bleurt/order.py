"""A training of a regression on ratings as it is asked for."""

from dataclasses import dataclass

from core.checkpoints.folds import Folds
from core.training.bleurt.settings import BLEURT_BATCH, BLEURT_STEPS, BleurtPlan, paper_bleurt
from core.training.engine.cost import Work, reading_work
from core.training.engine.judged_order import JudgedOrder
from core.training.engine.recipe import Way


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
