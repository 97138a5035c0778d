"""A regression on a study's ratings at work: from stories with prompts and references to ratings."""

from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.trunk import Reading
from core.models.turns import loaded_once
from core.training.base import check_base, check_kind
from core.training.bleurt import Floats, Regression
from core.training.bleurt_plan import KIND, BleurtPlan
from core.training.checkpoint import Checkpoint, load
from core.training.folds import Folds
from core.training.scorer import STORIES_AT_ONCE


class BleurtScorer:
    """A checkpoint of the kind "bleurt", with its base, ready to score."""

    def __init__(
        self, checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
    ) -> None:
        """Raises InputError where the checkpoint is of another kind, is damaged, or was trained on another base."""
        card = checkpoint.card
        check_kind(card, KIND, "a regression on a study's ratings")
        check_base(card, base)
        options = card.options
        self.plan = BleurtPlan(
            tuple(options["layers"]),
            normalisation=options["normalisation"],
            words=options["words"],
            folds=Folds(options["folds"], options["fold_seed"]),
        )
        weights = checkpoint.weights()
        try:
            self.regressions = [_regression(weights, fold) for fold in range(self.plan.folds.number)]
        except KeyError as error:
            raise InputError(f"The checkpoint {card.name!r} lacks the weights {error}: train it again.") from error
        self.trunk = trunk(base, self.plan.layers, resolve_device(device), precision)

    def ratings(
        self, stories: Sequence[tuple[str, str, Sequence[str]]], done: Callable[[int], None] | None = None
    ) -> list[float]:
        """Of each story (prompt, text, references, one at least), by the regression that has not seen its prompt;
        `done` counts stories.
        """
        found = []
        for begin in range(0, len(stories), STORIES_AT_ONCE):
            part = stories[begin : begin + STORIES_AT_ONCE]
            texts = [self.plan.prepared(prompt, one) for prompt, text, some in part for one in (text, *some)]
            rows = torch.stack([_row(reading) for reading in self.trunk.read_once(texts)]).double().numpy()
            for prompt, text, some in part:
                mine, rows = rows[: 1 + len(some)], rows[1 + len(some) :]
                found.append(self.regressions[self.plan.folds.of(prompt, text)].predict(mine[0], mine[1:]))
            if done:
                done(len(part))
        return found


def _row(reading: Reading) -> torch.Tensor:
    return torch.cat([reading.layers.flatten(), reading.whole])


def _regression(weights: dict[str, torch.Tensor], fold: int) -> Regression:
    def part(name: str) -> Floats:
        found: Floats = weights[f"fold{fold}.{name}"].double().numpy()
        return found

    return Regression(part("mean"), part("deviation"), part("weights"), float(part("bias")[0]))


@loaded_once(4)
def bleurt_scorer(folder: Path, weights: str, base: ModelSource, device: str, precision: str) -> BleurtScorer:
    """The regression in a folder, loaded once as long as its weights (their hash) stay the same."""
    found = load(folder)
    if found.card.weights != weights:
        raise InputError(f"The checkpoint in {folder} has just been replaced by another one: try again.")
    return BleurtScorer(found, base, device, precision)
