"""A trained UNION at work: from stories to logits of P(human)."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.trunk import Reading, Trunk, put_learnt
from core.models.turns import loaded_once
from core.models.union import Union
from core.models.union_published import PublishedUnion, heads_of
from core.stories import first_words, normalise
from core.training.base import check_base, check_kind
from core.training.checkpoint import Checkpoint, load
from core.training.plan import RANK, Tuning
from core.training.train_union import BASE, KIND

STORIES_AT_ONCE = 64


class Scorer:
    """A checkpoint of the kind "union", with its base, ready to score. `rebuilds`: whether it learnt to reconstruct."""

    def __init__(
        self, checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
    ) -> None:
        """Raises InputError where the checkpoint is of another kind, or was trained on another base."""
        card = checkpoint.card
        check_kind(card, KIND, "a UNION")
        check_base(card, base)
        self.options = card.options
        self.rebuilds = bool(card.recipe.get("reconstruction"))
        weights = checkpoint.weights()
        learnt = {name.removeprefix(BASE): one for name, one in weights.items() if name.startswith(BASE)}
        rank = RANK if self.options["tuning"] == Tuning.ADAPTER else 0
        self.head = heads_of({name: one for name, one in weights.items() if not name.startswith(BASE)})
        layers, device = tuple(self.options["layers"]), resolve_device(device)
        # A base that stays as it is reads a story once for all checkpoints that stand on it.
        self.trunk = (
            Trunk(base, layers, device, precision, partial(put_learnt, rank=rank, weights=learnt))
            if learnt
            else trunk(base, layers, device, precision)
        )

    def prepared(self, story: str, words: int | None = None) -> str:
        """A whole story, prompt included, as it is read. `words`: it is cut within so many, 0 for not at all, None for
        as in the training.
        """
        most = int(self.options["words"]) if words is None else words
        text = normalise(story, str(self.options["normalisation"]))
        return first_words(text, most) if most else text

    def logits(
        self, stories: Sequence[str], done: Callable[[int], None] | None = None, words: int | None = None
    ) -> NDArray[np.float64]:
        """Of each whole story, in input order; `done` counts stories; `words`: see `prepared`."""
        found = []
        for begin in range(0, len(stories), STORIES_AT_ONCE):
            part = [self.prepared(story, words) for story in stories[begin : begin + STORIES_AT_ONCE]]
            found += [self.logit(reading) for reading in self.trunk.read_once(part, done)]
        return np.array(found, dtype=np.float64)

    def logit(self, reading: Reading) -> float:
        """Of one story at a time, so that nothing depends on a batch; the head is small."""
        return self.heads(reading)[0]

    def heads(self, reading: Reading) -> tuple[float, torch.Tensor]:
        """The logit, and of every piece (p × NARROW) what the second head stands on."""
        return judged(self.head, reading)


def judged(head: Union | PublishedUnion, reading: Reading) -> tuple[float, torch.Tensor]:
    """What a head says of a reading: the logit, and of every piece what the second head stands on (p × NARROW, or p × d
    as published).
    """
    content = torch.ones(1, max(1, len(reading.ids)), dtype=torch.bool)
    content[:, len(reading.ids) :] = False
    pieces = reading.pieces if len(reading.ids) else torch.zeros(1, head.width)
    with torch.inference_mode():
        logits, narrow = head(reading.layers[None], reading.whole[None], pieces[None], content)
    return float(logits), narrow[0, : len(reading.ids)]


@loaded_once(4)
def union_scorer(folder: Path, weights: str, base: ModelSource, device: str, precision: str) -> Scorer:
    """The UNION in a folder, loaded once as long as its weights (their hash) stay the same."""
    found = load(folder)
    if found.card.weights != weights:
        raise InputError(f"The checkpoint in {folder} has just been replaced by another one: try again.")
    return Scorer(found, base, device, precision)
