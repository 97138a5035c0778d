"""A training that takes milliseconds: a small net with dropout tells on which side of a line points lie."""

from collections.abc import Mapping, Sequence

import torch
from torch import nn

from core.training.engine.recipe import Criterion
from core.training.engine.task import Losses

Points = tuple[torch.Tensor, torch.Tensor]


def points(number: int, seed: int = 0) -> Points:
    """`number` × 4 coordinates, and 0 or 1 for each row."""
    tensor = torch.randn(number, 4, generator=torch.Generator().manual_seed(seed))
    return tensor, (tensor.sum(1) > 0).float()


class Tiny:
    """A task on `number` points in batches of `size`; a batch holds rows of an epoch's own order."""

    def __init__(self, number: int = 40, size: int = 8, dropout: float = 0.5) -> None:
        with torch.random.fork_rng():
            torch.manual_seed(1)
            self.module: nn.Module = nn.Sequential(
                nn.Linear(4, 6), nn.LayerNorm(6), nn.Dropout(dropout), nn.Linear(6, 1)
            )
        self.data, self.held_out = points(number), points(30, 1)
        self.size = size
        self.data_hash = f"points {number}"
        self.chosen_by = Criterion("loss", higher=False)

    def batches(self, epoch: int, seed: int) -> Sequence[Points]:
        """All points once."""
        order = torch.randperm(len(self.data[0]), generator=torch.Generator().manual_seed(1000 * seed + epoch))
        return [(self.data[0][rows], self.data[1][rows]) for rows in order.split(self.size) if len(rows)]

    def loss(self, batch: Points) -> Losses:
        """Cross entropy, and the size of the logits as another part."""
        logits = self.module(batch[0])[:, 0]
        entropy = nn.functional.binary_cross_entropy_with_logits(logits, batch[1])
        size = logits.pow(2).mean()
        return Losses(entropy + 0.01 * size, len(batch[0]), {"entropy": entropy, "size": float(size.detach())})

    def evaluate(self) -> Mapping[str, float]:
        """Of points held out; draws a number, which must not change the training."""
        torch.rand(3)
        logits = self.module(self.held_out[0])[:, 0]
        right = ((logits > 0) == (self.held_out[1] > 0)).float().mean()
        return {
            "loss": nn.functional.binary_cross_entropy_with_logits(logits, self.held_out[1]).item(),
            "right": right.item(),
        }

    def weights(self) -> dict[str, torch.Tensor]:
        """A copy."""
        return {name: parameter.detach().clone() for name, parameter in self.module.named_parameters()}


def same(one: Mapping[str, torch.Tensor], other: Mapping[str, torch.Tensor]) -> bool:
    """To the last bit."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
