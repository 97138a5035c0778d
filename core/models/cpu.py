"""Speed and memory on a CPU: memory given back, weights packed, cheap dropout."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import cast

import torch
from torch import nn
from transformers.activations import GELUActivation, SiLUActivation
from transformers.pytorch_utils import Conv1D

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT, _FROM_THE_HEAP = 512 * 2**20, 32 * 2**20  # the latter is the most that glibc takes


@cache
def keep_freed_memory() -> None:
    """Let up to 512 MiB of freed memory stay with the process for the next layer's states; called once a process.

    A model on the CPU asks for the same few megabytes again and again; with glibc's usual settings the kernel maps and
    clears them each time, which takes a tenth to a third of the time of reading a text (docs/performance.md). Other C
    libraries have no such settings, and are left as they are.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(_MMAP_THRESHOLD, _FROM_THE_HEAP)
        mallopt(_TRIM_THRESHOLD, _KEPT)


@contextmanager
def one_thread() -> Iterator[None]:
    """For products of small matrices, which threads would only wait for each other at; and how many there are would
    show in the last bits. Of the calling thread alone.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


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
        result: torch.Tensor = torch.ops.mkldnn._linear_pointwise(
            rows, self.weight, self.bias, self.activation, [], "none"
        )
        return result


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


_LANES = 4
"""Values that one drawn number of 64 bits decides, by 16 bits each."""
_STEPS = 1 << 16


class Dropout(nn.Dropout):
    """Dropout as torch has it: in training a share `p` becomes 0 and the rest is divided by 1 - p.

    `p` is rounded to a 65,536th. Elsewhere than on a CPU it is torch's own.
    """

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """Of any shape."""
        dropped = round(self.p * _STEPS)
        if not self.training or not 0 < dropped < _STEPS or input.device.type != "cpu":
            return super().forward(input)
        count = input.numel()
        drawn = torch.empty(-(-count // _LANES), dtype=torch.int64).random_(-(2**63), None)
        kept = drawn.view(torch.int16)[:count].view(input.shape) >= dropped - _STEPS // 2
        return input * (kept.to(input.dtype) * (_STEPS / (_STEPS - dropped)))


def drop_cheaply(model: nn.Module) -> None:
    """Put this in the place of torch's dropout, wherever a model has it as a module; what attention drops stays."""
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is nn.Dropout:
                setattr(parent, name, Dropout(child.p))
