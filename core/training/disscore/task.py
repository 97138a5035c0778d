"""DisScore as a task for the loop: UNION's classifier, trained on systems' outputs against human stories.

UNION (2020), section 4.1, after Kannan and Vinyals (2017): the same architecture, other texts to tell apart.
"""

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.checkpoints.folds import held_out as kept_apart
from core.checkpoints.folds import unit, unseen
from core.errors import InputError
from core.models.heads.union import UnionHead
from core.models.heads.union_published import PublishedUnion
from core.models.network import device_turn
from core.models.trunk import TunableTrunk
from core.statistics.roc import area
from core.stories import Source, StoryRecord
from core.training.disscore.settings import FEWEST
from core.training.engine.hidden_states import Readings
from core.training.engine.recipe import Criterion
from core.training.engine.task import Losses
from core.training.union.task import batches_by_length, centre


@dataclass(frozen=True)
class ModelStories:
    """The stories of one model, by their numbers: those that it learns from, and those that tell its best weights."""

    trained: NDArray[np.intp]
    held: NDArray[np.intp]


def share(
    records: Sequence[StoryRecord], folds: NDArray[np.intp], fold: int, held_out: float, seed: int
) -> ModelStories:
    """What the model of a fold sees; held out are whole prompts, of people's stories and of systems'.

    Raises InputError where too few of either are left to learn from.
    """
    allowed = unseen(folds, fold, [record.text for record in records])
    human = np.array([record.source is Source.HUMAN for record in records])
    units = [unit(record.prompt, record.text) for record in records]
    held = kept_apart(units, allowed, (human, ~human), held_out, seed)
    trained = allowed & ~held
    for side, whose in ((human, "people"), (~human, "systems")):
        if (left := int((trained & side).sum())) < FEWEST:
            raise InputError(
                f"DisScore learns from {FEWEST} stories by people and as many by systems at least; without those of "
                f"one fold and those held out there are {left} by {whose}: give more stories."
            )
    return ModelStories(np.flatnonzero(trained), np.flatnonzero(held))


def weights(systems: Sequence[str]) -> NDArray[np.float64]:
    """Of each story, with mean 1: people's ("") together weigh as much as systems', and each system as any other."""
    names, places, counts = np.unique(np.asarray(systems), return_inverse=True, return_counts=True)
    human = names == ""
    total = np.where(human, 0.5, 0.5 / max(1, int((~human).sum())))
    return np.asarray((total / counts)[places] * len(systems))


class DiscriminatorTask(ABC):
    """A task for the loop; stories are told by their number.

    `systems`: of each story, "" for a person's.
    """

    def __init__(
        self, head: UnionHead | PublishedUnion, systems: Sequence[str], share: ModelStories, batch: int
    ) -> None:
        self.head, self.share, self.size = head, share, batch
        self.systems = tuple(systems)
        self._human = torch.tensor([not system for system in systems])
        self._weights = torch.ones(len(systems))
        mine = torch.from_numpy(weights([systems[i] for i in share.trained])).float()
        self._weights[torch.from_numpy(share.trained)] = mine

    @property
    @abstractmethod
    def module(self) -> nn.Module:
        """What is trained."""

    @property
    @abstractmethod
    def ids(self) -> Sequence[torch.Tensor]:
        """The pieces of every story."""

    @abstractmethod
    def read(self, batch: Sequence[int]) -> torch.Tensor:
        """Logits of these stories."""

    @abstractmethod
    def frozen(self, story: int) -> bytes:
        """All that does not change of what is read of a story."""

    @property
    def data_hash(self) -> str:
        """Return a hash of the stories that are trained on and held out, of who wrote them, and of what is read of
        them.
        """
        digest = hashlib.sha256(f"{self.size} {len(self.share.trained)}".encode())
        for i in np.concatenate([self.share.trained, self.share.held]).tolist():
            digest.update(self.frozen(i))
            digest.update(self.systems[i].encode("utf-8", "surrogatepass") + b"\0")
        return digest.hexdigest()

    @property
    def chosen_by(self) -> Criterion:
        """AUC of held-out stories by people against held-out ones by systems."""
        return Criterion("auc")

    def batches(self, epoch: int, seed: int) -> Sequence[list[int]]:
        """Numbers of stories."""
        order = [int(i) for i in self.share.trained]
        return batches_by_length(order, self.ids, self.size, random.Random(f"{seed}/{epoch}"))

    def loss(self, batch: list[int]) -> Losses:
        """Classification, each story at its weight."""
        logits, human = self.read(batch), self._human[batch]
        device = logits.device
        each = nn.functional.binary_cross_entropy_with_logits(
            logits, human.to(device, logits.dtype), self._weights[batch].to(device), reduction="mean"
        )
        return Losses(each, len(batch))

    def logits(self, stories: Sequence[int]) -> NDArray[np.float64]:
        """Return the logits of these stories, in their order."""
        results = [np.empty(0)]
        for begin in range(0, len(stories), self.size):
            with device_turn(self.head.score.weight.device.type), torch.no_grad():
                results.append(self.read([int(i) for i in stories[begin : begin + self.size]]).double().cpu().numpy())
        return np.concatenate(results)

    def evaluate(self) -> Mapping[str, float]:
        """Return the held-out stories' AUC, and the accuracy of telling the sides apart, each counting half."""
        logits, human = self.logits(self.share.held.tolist()), self._human.numpy()[self.share.held]
        return {
            "auc": area(logits[human], logits[~human]),
            "accuracy": float(((logits[human] > 0).mean() + (logits[~human] <= 0).mean()) / 2),
        }


class FrozenDiscriminator(DiscriminatorTask):
    """Over a base that stays as it is, and has read all stories once."""

    def __init__(
        self, head: UnionHead, readings: Readings, systems: Sequence[str], share: ModelStories, batch: int = 32
    ) -> None:
        super().__init__(head, systems, share, batch)
        self.readings = readings
        centre(head, readings, share.trained)

    @property
    def module(self) -> nn.Module:
        """The head."""
        return self.head

    @property
    def ids(self) -> Sequence[torch.Tensor]:
        """As they were read."""
        return self.readings.ids

    def frozen(self, story: int) -> bytes:
        """What the base says of it."""
        return self.readings.layers[story].numpy().tobytes()

    def read(self, batch: Sequence[int]) -> torch.Tensor:
        """From the readings on the disk."""
        logits: torch.Tensor = self.head(*self.readings.batch(batch, self.head.score.weight.device))[0]
        return logits


class TunedDiscriminator(DiscriminatorTask):
    """As published: all of a BERT learns beneath a linear layer over [CLS]. A story is trained on as far as the base
    reads at once.
    """

    def __init__(
        self,
        head: PublishedUnion,
        base: TunableTrunk,
        texts: Sequence[str],
        systems: Sequence[str],
        share: ModelStories,
        batch: int,
    ) -> None:
        super().__init__(head, systems, share, batch)
        self.base = base
        self._ids = base.ids_of(texts)
        self._module = nn.ModuleDict({"head": head, "base": base.model})

    @property
    def module(self) -> nn.Module:
        """The head and the base."""
        return self._module

    @property
    def ids(self) -> Sequence[torch.Tensor]:
        """Of as much of each story as the base reads at once."""
        return self._ids

    def frozen(self, story: int) -> bytes:
        """Its pieces, and which base that was."""
        return self.base.signature.encode() + self._ids[story].numpy().tobytes()

    def read(self, batch: Sequence[int]) -> torch.Tensor:
        """Through the base."""
        logits: torch.Tensor = self.head(*self.base.states([self._ids[i] for i in batch]))[0]
        return logits
