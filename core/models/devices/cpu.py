"""Speed and memory on a CPU: memory given back, weights packed, texts read without padding, cheap dropout."""

import ctypes
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from typing import Any, cast

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
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


FAMILIES = {"llama", "gpt2", "bert"}
"""Of Transformers' models: no token sees another one but in attention, which is called through their interface."""
SHORT = 256
"""Up to so many tokens a text's attention in bfloat16 is quicker as products of matrices than by PyTorch's fused
kernel, which is made for long texts: half the time at 55 tokens. In float32 the products are not oneDNN's, nor quicker.
"""
_NAME = "unpadded"


def reads_unpadded(model: Any, device: str) -> bool:
    """Whether a model reads a batch's texts one behind another, without padding: layers work on tokens alone, and only
    attention is told where a text ends. On a GPU its many small kernels have not been measured.
    """
    return device == "cpu" and model.config.model_type in FAMILIES


@cache
def _register() -> None:
    from transformers import AttentionInterface  # takes most of a second, and who only asks for a device needs it not

    AttentionInterface.register(_NAME, _attend_in_groups)


@contextmanager
def _unpadded(config: Any) -> Iterator[None]:
    _register()
    usual = config._attn_implementation
    config._attn_implementation = _NAME
    try:
        yield
    finally:
        config._attn_implementation = usual


def read_unpadded(model: Any, rows: Sequence[torch.Tensor], **options: Any) -> Any:
    """A base model's output (1 x all tokens x ...) for texts of these ids, one behind another.

    The model is one that `reads_unpadded`; `options` are its own. Texts of equal length that stand side by side share
    their attention.
    """
    lengths = [len(row) for row in rows]
    groups = [(len(list(same)), length) for length, same in groupby(lengths)]
    positions = torch.cat([torch.arange(length) for length in lengths])
    with _unpadded(model.config):
        return model(input_ids=torch.cat(list(rows))[None], position_ids=positions[None], groups=groups, **options)


def _attend_in_groups(
    module: nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    _mask: None,
    *,
    groups: Sequence[tuple[int, int]],
    scaling: float,
    is_causal: bool | None = None,
    **_options: Any,
) -> tuple[torch.Tensor, None]:
    """Attention within each text. `query`, `key`, `value` are 1 x heads x tokens x width; `groups` are how many texts
    of which length follow each other. Gives 1 x tokens x heads x width.
    """
    causal = bool(getattr(module, "is_causal", True) if is_causal is None else is_causal)
    result = torch.empty_like(query.transpose(1, 2), memory_format=torch.contiguous_format)
    begin = 0
    for texts, length in groups:
        end = begin + texts * length
        some, keys, values = (
            tensor[0, :, begin:end].view(-1, texts, length, tensor.shape[-1]).transpose(0, 1)
            for tensor in (query, key, value)
        )
        attend = _products if length <= SHORT and _multiplies(query.dtype) else _fused
        result[0, begin:end].view(texts, length, *result.shape[2:]).copy_(attend(some, keys, values, scaling, causal))
        begin = end
    return result, None


@cache
def _multiplies(dtype: torch.dtype) -> bool:
    """Whether oneDNN has products of this precision here."""
    return dtype == torch.bfloat16 and torch._C._has_mkldnn and bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def _fused(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float, causal: bool) -> torch.Tensor:
    """Attention by PyTorch's kernel; takes texts x heads x tokens x width, and gives texts x tokens x heads x width."""
    grouped = query.shape[1] != key.shape[1]
    attended = scaled_dot_product_attention(query, key, value, scale=scaling, is_causal=causal, enable_gqa=grouped)
    return attended.transpose(1, 2)


def _products(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float, causal: bool
) -> torch.Tensor:
    """The same as products of matrices, softmax in float32. Where keys have fewer heads, some of the query's share one
    of theirs.
    """
    texts, heads, tokens, width = query.shape
    of_keys = texts * key.shape[1]
    rows, columns = query.reshape(of_keys, -1, width), key.reshape(of_keys, tokens, width)
    scores = torch.bmm(rows, columns.transpose(1, 2)).float().mul_(scaling)
    if causal:
        scores.view(of_keys, -1, tokens, tokens).add_(torch.full((tokens, tokens), float("-inf")).triu_(1))
    mixed = torch.bmm(scores.softmax(-1).to(value.dtype), value.reshape(of_keys, tokens, width))
    return mixed.view(texts, heads, tokens, width).transpose(1, 2)


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
