"""Scores stories with their prompts by a trained DisScore: logits of P(human)."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.checkpoints.backbone import check_base, check_kind
from core.checkpoints.checkpoint import Checkpoint, load
from core.checkpoints.folds import Folds
from core.checkpoints.kinds import DISSCORE
from core.checkpoints.named_weights import of_fold, parted
from core.errors import InputError
from core.metrics.trained.union_scorer import STORIES_AT_ONCE, head_output
from core.models.catalogue import ModelSource
from core.models.concurrency import loaded_once
from core.models.heads.union import classifier_of
from core.models.heads.union_published import heads_of
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.trunk import Trunk, put_learnt
from core.stories import as_read, whole_story


class DiscriminatorScorer:
    """A checkpoint of the kind "discriminator", with its base, ready to score."""

    def __init__(
        self, checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
    ) -> None:
        """Raises InputError where the checkpoint is of another kind, or was trained on another base."""
        card = checkpoint.card
        check_kind(card, DISSCORE, "a DisScore")
        check_base(card, base)
        options = card.options
        self.layers = tuple(options["layers"])
        self.normalisation, self.words = options["normalisation"], options["words"]
        self.folds = Folds(options["folds"], options["fold_seed"])
        weights = checkpoint.weights()
        models = [parted(of_fold(weights, fold)) for fold in range(self.folds.number)]
        self.heads = [classifier_of(head) if "narrow.weight" in head else heads_of(head) for head, _ in models]
        device = resolve_device(device)
        # A base that stays as it is stands under all heads; one that has learnt is each head's own.
        self.trunks = (
            [
                Trunk(base, self.layers, device, precision, partial(put_learnt, rank=0, weights=learnt))
                for _, learnt in models
            ]
            if models[0][1]
            else [trunk(base, self.layers, device, precision)] * len(models)
        )

    def _text(self, prompt: str, text: str) -> str:
        return as_read(whole_story(prompt, text), self.normalisation, self.words)

    def logits(
        self, stories: Sequence[tuple[str, str]], done: Callable[[int], None] | None = None
    ) -> NDArray[np.float64]:
        """Of each story (prompt, text), by the head that has not seen its prompt; `done` counts stories."""
        result = np.empty(len(stories))
        folds = np.array([self.folds.of(*story) for story in stories], dtype=np.intp)
        for base in dict.fromkeys(self.trunks):
            mine = np.flatnonzero([self.trunks[fold] is base for fold in folds])
            for begin in range(0, len(mine), STORIES_AT_ONCE):
                part = mine[begin : begin + STORIES_AT_ONCE]
                readings = base.read_once([self._text(*stories[i]) for i in part], done)
                for i, reading in zip(part, readings, strict=True):
                    result[i] = head_output(self.heads[folds[i]], reading)[0]
        return result


@loaded_once(4)
def discriminator_scorer(
    folder: Path, weights: str, base: ModelSource, device: str, precision: str
) -> DiscriminatorScorer:
    """The DisScore in a folder, loaded once as long as its weights (their hash) stay the same."""
    result = load(folder)
    if result.card.weights != weights:
        raise InputError(f"The checkpoint in {folder} has just been replaced by another one: try again.")
    return DiscriminatorScorer(result, base, device, precision)
