"""A trained DisScore at work: from stories with their prompts to logits of P(human)."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.turns import loaded_once
from core.models.union import Union, classifier_of
from core.training.base import check_base, check_kind
from core.training.checkpoint import Checkpoint, load
from core.training.discriminator_plan import KIND, DiscriminatorPlan
from core.training.folds import Folds
from core.training.scorer import STORIES_AT_ONCE, judged


class DiscriminatorScorer:
    """A checkpoint of the kind "discriminator", with its base, ready to score."""

    def __init__(
        self, checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
    ) -> None:
        """Raises InputError where the checkpoint is of another kind, or was trained on another base."""
        card = checkpoint.card
        check_kind(card, KIND, "a DisScore")
        check_base(card, base)
        options = card.options
        self.plan = DiscriminatorPlan(
            tuple(options["layers"]),
            normalisation=options["normalisation"],
            words=options["words"],
            folds=Folds(options["folds"], options["fold_seed"]),
        )
        weights = checkpoint.weights()
        self.heads: list[Union] = [
            classifier_of(
                {name.partition(".")[2]: one for name, one in weights.items() if name.startswith(f"fold{fold}.")}
            )
            for fold in range(self.plan.folds.number)
        ]
        self.trunk = trunk(base, self.plan.layers, resolve_device(device), precision)

    def logits(
        self, stories: Sequence[tuple[str, str]], done: Callable[[int], None] | None = None
    ) -> NDArray[np.float64]:
        """Of each story (prompt, text), by the head that has not seen its prompt; `done` counts stories."""
        found = []
        for begin in range(0, len(stories), STORIES_AT_ONCE):
            part = stories[begin : begin + STORIES_AT_ONCE]
            readings = self.trunk.read_once([self.plan.prepared(*story) for story in part], done)
            for story, reading in zip(part, readings, strict=True):
                found.append(judged(self.heads[self.plan.folds.of(*story)], reading)[0])
        return np.array(found, dtype=np.float64)


@loaded_once(4)
def discriminator_scorer(
    folder: Path, weights: str, base: ModelSource, device: str, precision: str
) -> DiscriminatorScorer:
    """The DisScore in a folder, loaded once as long as its weights (their hash) stay the same."""
    found = load(folder)
    if found.card.weights != weights:
        raise InputError(f"The checkpoint in {folder} has just been replaced by another one: try again.")
    return DiscriminatorScorer(found, base, device, precision)
