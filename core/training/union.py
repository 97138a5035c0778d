"""UNION over a frozen base: what its two heads are trained on, and how well they do (UNION 2020, section 3.3)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import rankdata
from torch import nn

from core.models.network import device_turn
from core.models.union import Union, classification_loss, reconstruction_loss
from core.training.pairs import Pairs
from core.training.readings import Readings
from core.training.recipe import Choice
from core.training.task import Losses

LAMBDA = 0.1
"""Of the reconstruction's loss (UNION 2020, section 4.1)."""
_BATCHES_SORTED = 16
"""So many batches are cut from stories sorted by length: a batch's stories are about equally long."""


@dataclass(frozen=True)
class Sizes:
    """`batch`: stories at once. `weight`: lambda of the reconstruction, 0 for none."""

    batch: int = 32
    weight: float = LAMBDA


class FrozenUnion:
    """A task for the loop. Stories are told by their number among the texts of `pairs`, and so are their readings.

    `held_out` (a value a pair) are never trained on: the best weights are those that rank them best.
    """

    def __init__(
        self,
        head: Union,
        pairs: Pairs,
        readings: Readings,
        held_out: NDArray[np.bool_],
        embeddings: torch.Tensor,
        sizes: Sizes | None = None,
    ) -> None:
        self.head, self.pairs, self.readings = head, pairs, readings
        self.sizes = sizes or Sizes()
        held = np.repeat(held_out, 2)
        self.trained, self.held = np.flatnonzero(~held), np.flatnonzero(held)
        self._embeddings = embeddings.float()
        self._human = torch.from_numpy(pairs.human)
        some = self.trained[:: max(1, len(self.trained) // 256)]
        features = torch.cat([readings.layers.flatten(1), readings.whole], 1)
        head.centre(features[self.trained], torch.cat([readings.pieces(int(i)) for i in some]))

    @property
    def module(self) -> nn.Module:
        """The head: the base is frozen."""
        return self.head

    @property
    def data_hash(self) -> str:
        """Of the stories, of what the base says of them, and of which are held out."""
        parts = [self.pairs.hash.encode(), self.readings.layers.numpy().tobytes(), self.held.tobytes()]
        return hashlib.sha256(b"\0".join([*parts, repr(self.sizes).encode()])).hexdigest()

    @property
    def chosen_by(self) -> Choice:
        """AUC of held-out human stories against held-out negatives."""
        return Choice("auc")

    def batches(self, epoch: int, seed: int) -> Sequence[list[int]]:
        """Numbers of texts."""
        rng = random.Random(f"{seed}/{epoch}")
        order = [int(i) for i in self.trained]
        rng.shuffle(order)
        size, found = self.sizes.batch, []
        for begin in range(0, len(order), size * _BATCHES_SORTED):
            part = sorted(order[begin : begin + size * _BATCHES_SORTED], key=lambda i: len(self.readings.ids[i]))
            found += [part[i : i + size] for i in range(0, len(part), size)]
        rng.shuffle(found)
        return found

    def loss(self, batch: list[int]) -> Losses:
        """Classification, and reconstruction over the vocabulary of the batch's own pieces."""
        logits, narrow, content = self._read(batch)
        human = self._human[batch].to(logits.device)
        parts = {"classification": classification_loss(logits, human)}
        total = parts["classification"]
        if self.sizes.weight:
            device = logits.device
            targets = [self.readings.ids[i - i % 2].to(device) for i in batch]
            there = torch.cat([*targets, *(self.readings.ids[i].to(device) for i in batch)])
            self._embeddings = self._embeddings.to(device)
            parts["reconstruction"] = reconstruction_loss(
                self.head, narrow, content, targets, self._embeddings, torch.unique(there)
            )
            total = total + self.sizes.weight * parts["reconstruction"]
        return Losses(total, len(batch), parts)

    def _read(self, batch: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        device = self.head.score.weight.device
        pieces = [self.readings.pieces(i) for i in batch]
        lengths = torch.tensor([len(one) for one in pieces])
        padded = nn.utils.rnn.pad_sequence(pieces, batch_first=True).to(device)
        content = (torch.arange(padded.shape[1])[None, :] < lengths[:, None]).to(device)
        whole, layers = self.readings.whole[list(batch)].to(device), self.readings.layers[list(batch)].to(device)
        return *self.head(layers, whole, padded, content), content

    def logits(self, texts: Sequence[int]) -> NDArray[np.float64]:
        """Of these texts, in their order."""
        found = []
        for begin in range(0, len(texts), self.sizes.batch):
            with device_turn(self.head.score.weight.device.type), torch.no_grad():
                logits, _, _ = self._read([int(i) for i in texts[begin : begin + self.sizes.batch]])
                found.append(logits.double().cpu().numpy())
        return np.concatenate(found)

    def evaluate(self) -> Mapping[str, float]:
        """Of held-out pairs: AUC, accuracy, mean loss, and the share of pairs with the human story on top."""
        logits, human = self.logits(list(self.held)), self.pairs.human[self.held]
        margins = np.where(human, logits, -logits)
        return {
            "auc": _auc(logits[human], logits[~human]),
            "accuracy": float((margins > 0).mean()),
            "loss": float(np.logaddexp(0, -margins).mean()),
            "ranked": float((logits[human] > logits[~human]).mean()),
        }


def _auc(human: NDArray[np.float64], negative: NDArray[np.float64]) -> float:
    """The chance that a human story is above a negative; a tie is half."""
    ranks = rankdata(np.concatenate([human, negative]))[: len(human)]
    return float((ranks.mean() - (len(human) + 1) / 2) / len(negative))
