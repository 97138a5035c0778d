"""DisScore as a task for the loop: UNION's classifier, taught on systems' outputs against human stories.

UNION (2020), section 4.1, after Kannan and Vinyals (2017): the same architecture, other texts to tell apart.
"""

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.errors import InputError
from core.models.network import device_turn
from core.models.union import Union
from core.stories import Source, StoryRecord
from core.training.discriminator_plan import FEWEST
from core.training.folds import share_of, unit, unseen
from core.training.readings import Readings
from core.training.recipe import Choice
from core.training.task import Losses
from core.training.union import auc, batches_by_length, centre


@dataclass(frozen=True)
class Share:
    """The stories of one model, by their numbers: those that it learns from, and those that tell its best weights."""

    trained: NDArray[np.intp]
    held: NDArray[np.intp]


def share(records: Sequence[StoryRecord], folds: NDArray[np.intp], fold: int, held_out: float, seed: int) -> Share:
    """What the model of a fold sees; held out are whole prompts, of people's stories and of systems'.

    Raises InputError where too few of either are left to learn from.
    """
    allowed = unseen(folds, fold, [one.text for one in records])
    human = np.array([one.source is Source.HUMAN for one in records])
    units = [unit(one.prompt, one.text) for one in records]
    numbers = np.array([share_of(one, f"held out {seed}") for one in units])
    held = np.zeros(len(records), dtype=np.bool_)
    for side in (human, ~human):
        mine = np.unique(numbers[allowed & side])
        if len(mine):
            held |= allowed & (numbers <= max(np.quantile(mine, held_out), mine[0]))
    trained = allowed & ~held
    for side, whose in ((human, "people"), (~human, "systems")):
        if (left := int((trained & side).sum())) < FEWEST:
            raise InputError(
                f"DisScore learns from {FEWEST} stories by people and as many by systems at least; without those of "
                f"one fold and those held out there are {left} by {whose}: give more stories."
            )
    return Share(np.flatnonzero(trained), np.flatnonzero(held))


def weights(systems: Sequence[str]) -> NDArray[np.float64]:
    """Of each story, with mean 1: people's ("") together weigh as much as systems', and each system as any other."""
    names, places, counts = np.unique(np.asarray(systems), return_inverse=True, return_counts=True)
    human = names == ""
    total = np.where(human, 0.5, 0.5 / max(1, int((~human).sum())))
    return np.asarray((total / counts)[places] * len(systems))


class Discriminator:
    """A task for the loop; stories are told by their number among the readings.

    `systems`: of each story, "" for a person's.
    """

    def __init__(self, head: Union, readings: Readings, systems: Sequence[str], share: Share, batch: int = 32) -> None:
        self.head, self.readings, self.share, self.size = head, readings, share, batch
        self.systems = tuple(systems)
        self._human = torch.tensor([not system for system in systems])
        self._weights = torch.ones(len(systems))
        mine = torch.from_numpy(weights([systems[i] for i in share.trained])).float()
        self._weights[torch.from_numpy(share.trained)] = mine
        centre(head, readings, share.trained)

    @property
    def module(self) -> nn.Module:
        """The head."""
        return self.head

    @property
    def data_hash(self) -> str:
        """Of the stories that are trained on and held out, of who wrote them, and of what the base says of them."""
        made = hashlib.sha256(f"{self.size} {len(self.share.trained)}".encode())
        for i in np.concatenate([self.share.trained, self.share.held]).tolist():
            made.update(self.readings.layers[i].numpy().tobytes())
            made.update(self.systems[i].encode("utf-8", "surrogatepass") + b"\0")
        return made.hexdigest()

    @property
    def chosen_by(self) -> Choice:
        """AUC of held-out stories by people against held-out ones by systems."""
        return Choice("auc")

    def batches(self, epoch: int, seed: int) -> Sequence[list[int]]:
        """Numbers of stories."""
        order = [int(i) for i in self.share.trained]
        return batches_by_length(order, self.readings.ids, self.size, random.Random(f"{seed}/{epoch}"))

    def loss(self, batch: list[int]) -> Losses:
        """Classification, each story at its weight."""
        logits, human = self._logits(batch), self._human[batch]
        device = logits.device
        each = nn.functional.binary_cross_entropy_with_logits(
            logits, human.to(device, logits.dtype), self._weights[batch].to(device), reduction="mean"
        )
        return Losses(each, len(batch))

    def _logits(self, batch: Sequence[int]) -> torch.Tensor:
        layers, whole, pieces, content = self.readings.batch(batch, self.head.score.weight.device)
        logits: torch.Tensor = self.head(layers, whole, pieces, content)[0]
        return logits

    def logits(self, stories: Sequence[int]) -> NDArray[np.float64]:
        """Of these stories, in their order."""
        found = [np.empty(0)]
        for begin in range(0, len(stories), self.size):
            with device_turn(self.head.score.weight.device.type), torch.no_grad():
                found.append(self._logits([int(i) for i in stories[begin : begin + self.size]]).double().cpu().numpy())
        return np.concatenate(found)

    def evaluate(self) -> Mapping[str, float]:
        """Of the held-out stories: AUC, and the accuracy of telling people's and systems', each counting half."""
        logits, human = self.logits(self.share.held.tolist()), self._human.numpy()[self.share.held]
        return {
            "auc": auc(logits[human], logits[~human]),
            "accuracy": float(((logits[human] > 0).mean() + (logits[~human] <= 0).mean()) / 2),
        }
