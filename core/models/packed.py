"""Linear layers as oneDNN likes them: the weight is laid out once, not in every call.

PyTorch hands float32 products to MKL, which on some processors reaches half of what oneDNN does (docs/performance.md).
The numbers are float32 as before; only the order of summation differs.
"""

from typing import cast

import torch
from torch import nn
from transformers.activations import GELUActivation, SiLUActivation
from transformers.pytorch_utils import Conv1D

ROWS = 1024
"""For how many rows the layout is chosen; any number may come."""


class PackedLinear(nn.Module):
    """`nn.Linear` for inference on the CPU, with the activation behind it where oneDNN has that too."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None, activation: str = "none") -> None:
        super().__init__()
        self.activation = activation
        self.register_buffer("weight", torch.ops.mkldnn._reorder_linear_weight(weight.detach().contiguous(), ROWS))
        self.register_buffer("bias", None if bias is None else bias.detach())

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """`rows` x weight + bias; `rows` is (…, in)."""
        found: torch.Tensor = torch.ops.mkldnn._linear_pointwise(
            rows, self.weight, self.bias, self.activation, [], "none"
        )
        return found


def pack(model: nn.Module, dtype: torch.dtype) -> None:
    """Replace every linear layer of a model that stays on the CPU, where oneDNN has the precision."""
    if not torch._C._has_mkldnn:
        return
    if dtype == torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return
    for module in list(model.modules()):
        if isinstance(getattr(module, "intermediate_act_fn", None), GELUActivation) and type(module.dense) is nn.Linear:
            module.dense = PackedLinear(module.dense.weight, module.dense.bias, "gelu")
            module.intermediate_act_fn = nn.Identity()
        gate = getattr(module, "gate_proj", None)
        if isinstance(getattr(module, "act_fn", None), SiLUActivation) and type(gate) is nn.Linear:
            module.gate_proj = PackedLinear(gate.weight, gate.bias, "swish")
            module.act_fn = nn.Identity()
        for name, child in list(module.named_children()):
            if type(child) is nn.Linear:
                setattr(module, name, PackedLinear(child.weight, child.bias))
            elif type(child) is Conv1D:  # GPT-2's linear layer, stored the other way round
                setattr(module, name, PackedLinear(cast(torch.Tensor, child.weight).T, cast(torch.Tensor, child.bias)))
