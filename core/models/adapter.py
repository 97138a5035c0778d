"""Low-rank adapters (LoRA, Hu et al. 2021): a few weights are trained, so what is stored is small."""

from collections.abc import Collection, Mapping
from typing import Any

import torch
from torch import nn

from core.errors import ModelMissing
from core.models.layers import blocks

QUERY_AND_VALUE = ("q_proj", "v_proj", "query", "value", "q_lin", "v_lin")
"""Names of the attention's query and value in the families of Transformers (LoRA's own choice, section 4.2)."""
EVERY_OF_BERT = ("query", "key", "value", "dense")
"""Of all linear layers in the blocks of a BERT."""
EVERY_OF_LLAMA = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""Of all linear layers in the blocks of a Llama, as SmolLM2 is."""


class LowRank(nn.Module):
    """A linear layer as it was, and beside it two narrow ones that begin as nothing."""

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.linear = linear
        self.down = nn.Parameter(torch.empty(rank, linear.in_features))
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=5**0.5)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """`rows` is (…, in), in the precision of the model; the narrow layers may have another one."""
        down, up = self.down.to(rows.dtype), self.up.to(rows.dtype)
        changed: torch.Tensor = self.linear(rows) + nn.functional.linear(nn.functional.linear(rows, down), up)
        return changed


def adapt(model: Any, rank: int, names: Collection[str] = QUERY_AND_VALUE, lowest: int = 1) -> None:
    """Freeze a model and give the linear layers of these names, in its blocks from the `lowest` up (1 is the first),
    adapters of this rank.

    Raises ModelMissing for a family whose attention has other names.
    """
    model.requires_grad_(False)
    adapted = 0
    for block in blocks(model)[lowest - 1 :]:
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


def put_in(model: Any, learnt: Mapping[str, torch.Tensor], rank: int, names: Collection[str], lowest: int = 1) -> None:
    """Merge what adapters have learnt elsewhere, by the names that `adapt` gives them, into a model."""
    adapt(model, rank, names, lowest)
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for name, tensor in learnt.items():
            parameters[name].copy_(tensor)
    merge(model)
