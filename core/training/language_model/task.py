"""Fine-tuning a causal language model on human stories, as a task for the loop: predict the next token."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.models.network import by_tokens, device_turn
from core.models.trunk import pieces_of
from core.models.tunable import TunableLanguageModel
from core.training.engine.progress import OnProgress, counter, nobody
from core.training.engine.recipe import Criterion
from core.training.engine.task import Losses

SORTED = 256
"""So many stories are sorted by length before batches are cut from them: a batch's are about equally long."""


class LanguageModelTask:
    """A task for the loop. Stories are told by their number among `texts`.

    `held_out` (one value per text) are never trained on: the best weights are those that expect them most. `batch`:
    pieces at once, padding included. A text is trained on as far as the model learns from it at once; one that has no
    piece is left out. `on_progress` hears of every batch of an evaluation.
    """

    def __init__(
        self,
        model: TunableLanguageModel,
        texts: Sequence[str],
        held_out: NDArray[np.bool_],
        batch: int,
        on_progress: OnProgress = nobody,
    ) -> None:
        self.model, self.batch, self.on_progress = model, batch, on_progress
        self.ids = [ids[: model.room] for ids in pieces_of(model.tokenizer, texts)]
        readable = np.array([bool(ids) for ids in self.ids])
        self.trained, self.held = np.flatnonzero(~held_out & readable), np.flatnonzero(held_out & readable)

    @property
    def module(self) -> nn.Module:
        """The model, of which what is frozen stays."""
        result: nn.Module = self.model.model
        return result

    @property
    def data_hash(self) -> str:
        """Return a hash of the pieces, of which stories are held out, of the batches' size and of the frozen model's
        name.
        """
        digest = hashlib.sha256(f"{self.model.signature} {self.batch}".encode())
        digest.update(self.held.tobytes())
        for ids in self.ids:
            digest.update(hashlib.sha256(np.array(ids, np.int64).tobytes()).digest())
        return digest.hexdigest()

    @property
    def chosen_by(self) -> Criterion:
        """How unexpected held-out stories are."""
        return Criterion("nll", higher=False)

    def batches(self, epoch: int, seed: int) -> Sequence[list[int]]:
        """Numbers of texts."""
        rng = random.Random(f"{seed}/{epoch}")
        order = [int(i) for i in self.trained]
        rng.shuffle(order)
        result = [
            batch for begin in range(0, len(order), SORTED) for batch in self._together(order[begin : begin + SORTED])
        ]
        rng.shuffle(result)
        return result

    def _together(self, texts: Sequence[int]) -> list[list[int]]:
        lengths = [len(self.ids[i]) + 1 for i in texts]
        return [[texts[i] for i in batch] for batch in by_tokens(lengths, self.batch)]

    def loss(self, batch: list[int]) -> Losses:
        """The mean over all pieces of the batch, which weighs as much as it has pieces."""
        total, pieces = self.model.nll([self.ids[i] for i in batch])
        return Losses(total / pieces, pieces)

    def evaluate(self) -> Mapping[str, float]:
        """Of held-out stories: minus the mean log-likelihood a piece (nats), and the perplexity, its exponential."""
        total, pieces = 0.0, 0
        count = counter(self.on_progress, "Reading held-out stories", len(self.held))
        count(0)
        for batch in self._together([int(i) for i in self.held]):
            with device_turn(self.model.device), torch.no_grad():
                nll, number = self.model.nll([self.ids[i] for i in batch])
                total += float(nll)
            pieces += number
            count(len(batch))
        return {"nll": total / pieces, "perplexity": math.exp(total / pieces)}
