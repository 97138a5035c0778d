"""What a trainer gives the loop: a module, batches, a loss, and an evaluation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import torch
from torch import nn

from core.training.engine.recipe import Criterion

Batch = TypeVar("Batch")


@dataclass(frozen=True, slots=True)
class Losses:
    """The losses of one batch: the mean (a scalar with its gradient), named parts for the curve, how many examples."""

    total: torch.Tensor
    weight: int
    parts: Mapping[str, torch.Tensor | float] = field(default_factory=dict)


class Task(Protocol[Batch]):
    """Everything about a training that is not the loop.

    Random numbers come from torch's global generators, which the loop seeds for every step, or from generators made
    of a seed that is given: then a run that was killed ends with the weights that it would have had anyway.
    """

    @property
    def module(self) -> nn.Module:
        """What is trained and saved: its parameters with `requires_grad`, in float32. Frozen ones stay as they are.

        Buffers are not saved, so none may change in training (batch normalisation's do). A frozen part that should
        not drop out stays in evaluation mode by a `train` of its own.
        """
        ...

    @property
    def data_hash(self) -> str:
        """Return a hash of all that the batches and the frozen weights depend on."""
        ...

    @property
    def chosen_by(self) -> Criterion:
        """The figure that tells the best weights: of held-out data, never of human judgments."""
        ...

    def batches(self, epoch: int, seed: int) -> Sequence[Batch]:
        """The batches of an epoch (from 0), always the same for the same two numbers.

        Asked for each epoch at the start, for the length, and again after an interruption, from its middle: what is
        costly belongs into the items. They are made while others may load a model, which changes torch's usual type
        for a while: tensors of fractions name theirs.
        """
        ...

    def loss(self, batch: Batch) -> Losses:
        """The loss on a batch, which it moves to the module's device. The device's turn is held meanwhile: see
        `core.models.network.device_turn`.
        """
        ...

    def evaluate(self) -> Mapping[str, float]:
        """Figures by name, the module being in evaluation mode without gradients.

        It may take long, so the loop holds no turn: the task takes `device_turn` batch by batch. It may raise anything
        to stop: the training goes on with this evaluation.
        """
        ...
