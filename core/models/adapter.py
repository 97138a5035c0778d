"""Low-rank adapters (LoRA, Hu et al. 2021): a pretrained model learns a little, and what it learnt is small."""

from collections.abc import Collection
from typing import Any

import torch
from torch import nn

from core.errors import ModelMissing
from core.models.layers import blocks

QUERY_AND_VALUE = ("q_proj", "v_proj", "query", "value", "q_lin", "v_lin")
"""Names of the attention's query and value in the families of Transformers (LoRA's own choice, section 4.2)."""
EVERY_OF_BERT = ("query", "key", "value", "dense")
"""Of all linear layers in the blocks of a BERT."""


class LowRank(nn.Module):
    """A linear layer as it was, and beside it two narrow ones that begin as nothing."""

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.linear = linear
        self.down = nn.Parameter(torch.empty(rank, linear.in_features))
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=5**0.5)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """`rows` is (…, in)."""
        changed: torch.Tensor = self.linear(rows) + nn.functional.linear(nn.functional.linear(rows, self.down), self.up)
        return changed


def adapt(model: Any, rank: int, names: Collection[str] = QUERY_AND_VALUE) -> None:
    """Freeze a model and give the linear layers of these names, in all its blocks, adapters of this rank.

    Raises ModelMissing for a family whose attention has other names.
    """
    model.requires_grad_(False)
    adapted = 0
    for block in blocks(model):
        for module in list(block.modules()):
            for name, child in list(module.named_children()):
                if name in names and isinstance(child, nn.Linear):
                    setattr(module, name, LowRank(child, rank))
                    adapted += 1
    if not adapted:
        raise ModelMissing(
            f"The attention of a {model.config.model_type} model takes no adapter here: leave the base frozen, or "
            "train all of it."
        )


def merge(model: Any) -> None:
    """Add what the adapters have learnt to the layers that they stand beside, and take them away: no work is left."""
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, LowRank):
                with torch.no_grad():
                    child.linear.weight += (child.up.float() @ child.down.float()).to(child.linear.weight.dtype)
                setattr(module, name, child.linear)
