"""RUBER as a task for the loop: its training pairs and its evaluation."""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.arrays import Ints
from core.models.heads.ruber import RuberHead
from core.models.heads.ruber_published import PublishedRuber, highest, hinge_loss
from core.models.network import device_turn
from core.statistics.roc import area
from core.training.engine.hidden_states import Readings
from core.training.engine.recipe import Criterion
from core.training.engine.task import Losses
from core.training.ruber.continuations import Continuations
from core.training.union.task import SAMPLE

Batch = tuple[Ints, Ints]
"""Numbers of stories, and of those whose continuation each of them is given as its negative."""


class RuberTask(ABC):
    """A task for the loop. `held` (one value per story) are never trained on, and get one another's continuations
    alone.

    `seed` tells which: the same ones at each evaluation.
    """

    def __init__(
        self, head: RuberHead | PublishedRuber, stories: Continuations, held: NDArray[np.bool_], batch: int, seed: int
    ) -> None:
        self.head, self.stories, self.batch, self.seed = head, stories, batch, seed
        self.trained, self.held = np.flatnonzero(~held), np.flatnonzero(held)
        self.foreign = stories.others(self.held, f"{seed}/held out")

    @abstractmethod
    def contexts(self, rows: Ints) -> torch.Tensor:
        """Return the vectors of these stories' contexts."""

    @abstractmethod
    def rests(self, rows: Ints) -> torch.Tensor:
        """Return the vectors of these stories' continuations."""

    @property
    @abstractmethod
    def data_hash(self) -> str:
        """Of the stories, of which are held out, and of all that is frozen."""

    @property
    def module(self) -> nn.Module:
        """The head."""
        return self.head

    @property
    def chosen_by(self) -> Criterion:
        """AUC of held-out continuations against held-out ones of other stories."""
        return Criterion("auc")

    @property
    def device(self) -> str:
        """Where the head is."""
        return self.head.score.weight.device.type

    def hashed(self, *frozen: bytes) -> str:
        """A hash of the stories, of which are held out, and of what else is given."""
        parts = [self.stories.hash.encode(), self.held.tobytes(), f"{self.batch} {self.seed}".encode(), *frozen]
        return hashlib.sha256(b"\0".join(parts)).hexdigest()

    def batches(self, epoch: int, seed: int) -> Sequence[Batch]:
        """Each story once, with a continuation that is drawn anew each epoch."""
        given = self.stories.others(self.trained, f"{seed}/{epoch}")
        order = list(range(len(self.trained)))
        random.Random(f"{seed}/{epoch}").shuffle(order)
        parts = [order[begin : begin + self.batch] for begin in range(0, len(order), self.batch)]
        return [(self.trained[part], given[part]) for part in parts]

    def loss(self, batch: Batch) -> Losses:
        """Return the loss over each story's own continuation and another one."""
        own, foreign = self._logits(*batch)
        return Losses(self.compare(own, foreign), 2 * len(own))

    def compare(self, own: torch.Tensor, foreign: torch.Tensor) -> torch.Tensor:
        """The mean binary cross entropy of these logits (n each)."""
        related = torch.cat([torch.ones_like(own), torch.zeros_like(foreign)])
        return nn.functional.binary_cross_entropy_with_logits(torch.cat([own, foreign]), related)

    def _logits(self, rows: Ints, others: Ints) -> tuple[torch.Tensor, torch.Tensor]:
        contexts = self.contexts(rows)
        own, foreign = self.rests(rows), self.rests(others)
        both: torch.Tensor = self.head(torch.cat([contexts, contexts]), torch.cat([own, foreign]))
        return both[: len(rows)], both[len(rows) :]

    def evaluate(self) -> Mapping[str, float]:
        """Of held-out stories: AUC, accuracy, mean loss, and the share whose own continuation is above the other."""
        own, foreign = self.compared()
        margins = np.concatenate([own, -foreign])
        return {
            "auc": area(own, foreign),
            "accuracy": float((margins > 0).mean()),
            "loss": float(self.compare(torch.from_numpy(own), torch.from_numpy(foreign))),
            "ranked": float((own > foreign).mean()),
        }

    def compared(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Logits of the held-out stories with their own continuation, and with the other one."""
        own, foreign = [], []
        for begin in range(0, len(self.held), self.batch):
            part = slice(begin, begin + self.batch)
            with device_turn(self.device), torch.no_grad():
                a, b = self._logits(self.held[part], self.foreign[part])
                own.append(a.double().cpu().numpy())
                foreign.append(b.double().cpu().numpy())
        return np.concatenate(own), np.concatenate(foreign)


class PooledRuber(RuberTask):
    """RUBER over vectors of texts that a base has read once, contexts, then continuations: means of the states behind
    its layers, or, as published, the maxima of the highest layer's.
    """

    def __init__(
        self,
        head: RuberHead | PublishedRuber,
        stories: Continuations,
        held: NDArray[np.bool_],
        batch: int,
        seed: int,
        readings: Readings,
    ) -> None:
        super().__init__(head, stories, held, batch, seed)
        if isinstance(head, RuberHead):
            self._vectors = readings.layers.flatten(1)
            head.centre(self._vectors[self.trained], self._vectors[len(stories) + self.trained])
        else:
            self._vectors = torch.stack([highest(readings.pieces(i)) for i in range(len(readings))])

    @property
    def data_hash(self) -> str:
        """Also of what the base says of the stories."""
        return self.hashed(self._vectors.numpy().tobytes())

    def contexts(self, rows: Ints) -> torch.Tensor:
        """As they were read."""
        return self._vectors[rows].to(self.device)

    def rests(self, rows: Ints) -> torch.Tensor:
        """As they were read."""
        return self._vectors[len(self.stories) + rows].to(self.device)


class WordsRuber(RuberTask):
    """RUBER over input embeddings of pieces, which its own recurrent network reads; as published it learns by a hinge.

    `embeddings` (vocabulary × d): the base's, which stay as they are. `ids`: of contexts, then of continuations.
    """

    def __init__(
        self,
        head: RuberHead | PublishedRuber,
        stories: Continuations,
        held: NDArray[np.bool_],
        batch: int,
        seed: int,
        ids: Sequence[Sequence[int]],
        embeddings: torch.Tensor,
    ) -> None:
        super().__init__(head, stories, held, batch, seed)
        self._ids = [torch.tensor(part, dtype=torch.long) for part in ids]
        self._embeddings = embeddings.detach().float()
        if isinstance(head, RuberHead):
            some = self.trained[:: max(1, len(self.trained) // SAMPLE)]
            with torch.no_grad():  # else what all texts share would drown what two have in common
                head.centre(self.contexts(some), self.rests(some))

    @property
    def data_hash(self) -> str:
        """Also of the pieces and what stands for them."""
        pieces = torch.cat(self._ids)
        known = self._embeddings[torch.unique(pieces)]
        return self.hashed(pieces.numpy().tobytes(), known.cpu().numpy().tobytes())

    def compare(self, own: torch.Tensor, foreign: torch.Tensor) -> torch.Tensor:
        """As published, the hinge between the two probabilities; else the cross entropy."""
        return super().compare(own, foreign) if isinstance(self.head, RuberHead) else hinge_loss(own, foreign)

    def contexts(self, rows: Ints) -> torch.Tensor:
        """Through the recurrent network."""
        return self.head.contexts(self._pieces(rows))

    def rests(self, rows: Ints) -> torch.Tensor:
        """Through the recurrent network."""
        return self.head.rests(self._pieces(len(self.stories) + rows))

    def _pieces(self, texts: Ints) -> list[torch.Tensor]:
        return [self._embeddings[self._ids[i]].to(self.device) for i in texts.tolist()]
