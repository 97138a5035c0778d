"""UNION as a task for the loop: the training of its two heads and their evaluation (UNION 2020, section 3.3)."""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.models.heads.union import UnionHead, classification_loss, reconstruction_loss
from core.models.heads.union_published import PublishedUnion
from core.models.network import device_turn
from core.models.trunk import TunableTrunk
from core.statistics.roc import area
from core.training.engine.hidden_states import Readings
from core.training.engine.recipe import Criterion
from core.training.engine.task import Losses
from core.training.union.pairs import StoryPairs
from core.training.union.settings import LAMBDA

POSITIONS = 16
"""Of a story that are rebuilt in a step, drawn anew each time: all of them would cost ten times the rest of a head's
training."""
_BATCHES_SORTED = 16
"""So many batches are cut from stories sorted by length: a batch's stories are about equally long."""


SAMPLE = 256
"""Stories whose pieces tell what mean and deviation a piece has."""


@dataclass(frozen=True)
class Sizes:
    """`batch`: stories at once. `weight`: lambda of the reconstruction, 0 for none."""

    batch: int = 32
    weight: float = LAMBDA


class UnionTask(ABC):
    """A task for the loop. Stories are told by their number among the texts of `pairs`.

    `held_out` (one value per pair) are never trained on: the best weights are those that rank them best.
    """

    def __init__(
        self,
        head: UnionHead | PublishedUnion,
        pairs: StoryPairs,
        held_out: NDArray[np.bool_],
        sizes: Sizes | None = None,
    ) -> None:
        self.head, self.pairs = head, pairs
        self.sizes = sizes or Sizes()
        held = np.repeat(held_out, 2)
        self.trained, self.held = np.flatnonzero(~held), np.flatnonzero(held)
        self._human = torch.from_numpy(pairs.human)

    @property
    @abstractmethod
    def module(self) -> nn.Module:
        """What is trained."""

    @property
    @abstractmethod
    def data_hash(self) -> str:
        """Of the stories, of which are held out, and of all that is frozen."""

    @property
    @abstractmethod
    def ids(self) -> Sequence[torch.Tensor]:
        """The pieces of every text."""

    @property
    @abstractmethod
    def embeddings(self) -> torch.Tensor:
        """The base's, of its whole vocabulary (pieces × d), on the device of the head."""

    @abstractmethod
    def read(self, batch: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits and narrow pieces of these texts, as `UnionHead.forward` gives them, and which pieces are content."""

    @property
    def device(self) -> str:
        """Where the head is."""
        return self.head.score.weight.device.type

    def hashed(self, *frozen: bytes) -> str:
        """A hash of the stories, the sizes, and of what else is given."""
        parts = [self.pairs.hash.encode(), self.held.tobytes(), repr(self.sizes).encode(), *frozen]
        return hashlib.sha256(b"\0".join(parts)).hexdigest()

    @property
    def chosen_by(self) -> Criterion:
        """AUC of held-out human stories against held-out negatives."""
        return Criterion("auc")

    def batches(self, epoch: int, seed: int) -> Sequence[list[int]]:
        """Numbers of texts."""
        order = [int(i) for i in self.trained]
        return batches_by_length(order, self.ids, self.sizes.batch, random.Random(f"{seed}/{epoch}"))

    def loss(self, batch: list[int]) -> Losses:
        """Classification, and reconstruction over the vocabulary of the batch's own pieces."""
        logits, narrow, content = self.read(batch)
        human = self._human[batch].to(logits.device)
        parts = {"classification": classification_loss(logits, human)}
        total = parts["classification"]
        if self.sizes.weight:
            parts["reconstruction"] = self._reconstruction(batch, narrow, content)
            total = total + self.sizes.weight * parts["reconstruction"]
        return Losses(total, len(batch), parts)

    def _reconstruction(self, batch: list[int], narrow: torch.Tensor, content: torch.Tensor) -> torch.Tensor:
        targets = self._originals(batch, narrow.device)
        tokens = torch.cat([*targets, *(self.ids[i].to(narrow.device) for i in batch)])
        return reconstruction_loss(
            self.head, narrow, content, targets, self.embeddings, torch.unique(tokens), POSITIONS
        )

    def _originals(self, batch: list[int], device: torch.device) -> list[torch.Tensor]:
        """Pieces of the human story that each text was, or was made of."""
        return [self.ids[i - i % 2].to(device) for i in batch]

    def logits(self, texts: Sequence[int]) -> NDArray[np.float64]:
        """Return the logits of these texts, in their order."""
        results = []
        for begin in range(0, len(texts), self.sizes.batch):
            with device_turn(self.device), torch.no_grad():
                logits, _, _ = self.read([int(i) for i in texts[begin : begin + self.sizes.batch]])
                results.append(logits.double().cpu().numpy())
        return np.concatenate(results)

    def evaluate(self) -> Mapping[str, float]:
        """Of held-out pairs: AUC, accuracy, mean loss, and the share of pairs with the human story on top."""
        logits, human = self.logits(list(self.held)), self.pairs.human[self.held]
        margins = np.where(human, logits, -logits)
        return {
            "auc": area(logits[human], logits[~human]),
            "accuracy": float((margins > 0).mean()),
            "loss": float(np.logaddexp(0, -margins).mean()),
            "ranked": float((logits[human] > logits[~human]).mean()),
        }


class FrozenUnion(UnionTask):
    """UNION over a base that stays as it is, and has read all texts once."""

    def __init__(
        self,
        head: UnionHead,
        pairs: StoryPairs,
        held_out: NDArray[np.bool_],
        readings: Readings,
        embeddings: torch.Tensor,
        sizes: Sizes | None = None,
    ) -> None:
        super().__init__(head, pairs, held_out, sizes)
        self.readings = readings
        self._embeddings = embeddings.float()
        centre(head, readings, self.trained)

    @property
    def module(self) -> nn.Module:
        """The head."""
        return self.head

    @property
    def data_hash(self) -> str:
        """Also of what the base says of the stories."""
        return self.hashed(self.readings.layers.numpy().tobytes())

    @property
    def ids(self) -> Sequence[torch.Tensor]:
        """As they were read."""
        return self.readings.ids

    @property
    def embeddings(self) -> torch.Tensor:
        """As they are in the base."""
        self._embeddings = self._embeddings.to(self.device)
        return self._embeddings

    def read(self, batch: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """From the readings on the disk."""
        layers, whole, pieces, content = self.readings.batch(batch, self.device)
        return *self.head(layers, whole, pieces, content), content


class TunedUnion(UnionTask):
    """UNION over a base that learns too: adapters in it, or all of it. A text is trained on as far as the base reads
    at once.
    """

    def __init__(
        self,
        head: UnionHead | PublishedUnion,
        pairs: StoryPairs,
        held_out: NDArray[np.bool_],
        base: TunableTrunk,
        sizes: Sizes | None = None,
    ) -> None:
        super().__init__(head, pairs, held_out, sizes)
        self.base = base
        self._ids = base.ids_of(pairs.texts)
        self._module = nn.ModuleDict({"head": head, "base": base.model})
        self._begin()

    def _begin(self) -> None:
        """Give the head its constants."""
        if not isinstance(self.head, UnionHead):
            raise TypeError(f"{type(self.head).__name__} has no constants to take from the stories.")
        some = [int(i) for i in self.trained[:: max(1, len(self.trained) // SAMPLE)]]
        self._module.eval()
        features, content_states = [], []
        for begin in range(0, len(some), self.sizes.batch):
            with torch.no_grad():
                layers, whole, states, content = self._states(some[begin : begin + self.sizes.batch])
            features.append(torch.cat([layers.flatten(1), whole], 1))
            content_states.append(states[content])
        self.head.centre(torch.cat(features), torch.cat(content_states))

    @property
    def module(self) -> nn.Module:
        """The head and the base, of which what is frozen stays."""
        return self._module

    @property
    def data_hash(self) -> str:
        """Also of the base's name, what of it learns, and the layers that are read."""
        return self.hashed(self.base.signature.encode())

    @property
    def ids(self) -> Sequence[torch.Tensor]:
        """Of as much of each text as the base reads at once."""
        return self._ids

    @property
    def embeddings(self) -> torch.Tensor:
        """As they are by now."""
        result: torch.Tensor = self.base.model.get_input_embeddings().weight
        return result

    def read(self, batch: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Through the base."""
        layers, whole, pieces, content = self._states(batch)
        return *self.head(layers, whole, pieces, content), content

    def _states(self, batch: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        return self.base.states([self._ids[i] for i in batch])


class AsPublished(TunedUnion):
    """UNION as its authors trained it: all of a BERT under a head over [CLS], and every piece rebuilt over the whole
    vocabulary.
    """

    def _begin(self) -> None:
        """W_r begins at the base's embeddings."""
        if isinstance(self.head, PublishedUnion):
            self.head.begin_at(self.embeddings.detach())

    def _reconstruction(self, batch: list[int], narrow: torch.Tensor, content: torch.Tensor) -> torch.Tensor:
        return reconstruction_loss(self.head, narrow, content, self._originals(batch, narrow.device), self.embeddings)


def centre(head: UnionHead, readings: Readings, trained: NDArray[np.intp]) -> None:
    """Give a head its constants, from the readings of these stories."""
    features = torch.cat([readings.layers.flatten(1), readings.whole], 1)
    some = trained[:: max(1, len(trained) // SAMPLE)]
    head.centre(features[trained], torch.cat([readings.pieces(int(i)) for i in some]))


def batches_by_length(
    order: list[int], ids: Sequence[torch.Tensor], size: int, rng: random.Random
) -> Sequence[list[int]]:
    """Texts in batches of so many, in a random order: those of a batch are about equally long. `ids`: their pieces."""
    rng.shuffle(order)
    result = []
    for begin in range(0, len(order), size * _BATCHES_SORTED):
        part = sorted(order[begin : begin + size * _BATCHES_SORTED], key=lambda i: len(ids[i]))
        result += [part[i : i + size] for i in range(0, len(part), size)]
    rng.shuffle(result)
    return result
