"""A trained UNION at work: from stories to logits of P(human)."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.network import resolve_device
from core.models.trunk import Reading, Trunk, put_learnt
from core.models.union import union_of
from core.stories import normalise
from core.training.checkpoint import Checkpoint
from core.training.train_union import BASE, KIND, RANK, Tuning

STORIES_AT_ONCE = 64


class Scorer:
    """A checkpoint of the kind "union", with its base, ready to score."""

    def __init__(
        self, checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
    ) -> None:
        """Raises InputError where the checkpoint is of another kind, or was trained on another base."""
        card = checkpoint.card
        if card.kind != KIND:
            raise InputError(f"The checkpoint {card.name!r} is a {card.kind}, not a UNION: choose another one.")
        if card.base != f"{base.name}@{base.revision}":
            raise InputError(
                f"The checkpoint {card.name!r} was trained on {card.base} and knows nothing of {base.name}@"
                f"{base.revision}: name its own base, or train one on yours."
            )
        self.options = card.options
        weights = checkpoint.weights()
        learnt = {name.removeprefix(BASE): one for name, one in weights.items() if name.startswith(BASE)}
        rank = RANK if self.options["tuning"] == Tuning.ADAPTER else 0
        self.head = union_of({name: one for name, one in weights.items() if not name.startswith(BASE)})
        put = partial(put_learnt, rank=rank, weights=learnt) if learnt else None
        self.trunk = Trunk(base, self.options["layers"], resolve_device(device), precision, put)

    def prepared(self, story: str) -> str:
        """A whole story, prompt included, as it is read. Longer stories than those of the training are not cut."""
        return normalise(story, str(self.options["normalisation"]))

    def logits(self, stories: Sequence[str], done: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        """Of each whole story, in input order; `done` counts stories."""
        found = []
        for begin in range(0, len(stories), STORIES_AT_ONCE):
            part = [self.prepared(story) for story in stories[begin : begin + STORIES_AT_ONCE]]
            found += [self._logit(reading) for reading in self.trunk.read(part, done)]
        return np.array(found, dtype=np.float64)

    def _logit(self, reading: Reading) -> float:
        """One story at a time, so that nothing depends on a batch; the head is small."""
        content = torch.ones(1, max(1, len(reading.ids)), dtype=torch.bool)
        content[:, len(reading.ids) :] = False
        pieces = reading.pieces if len(reading.ids) else torch.zeros(1, self.head.width)
        with torch.inference_mode():
            logits, _ = self.head(reading.layers[None], reading.whole[None], pieces[None], content)
        return float(logits)
