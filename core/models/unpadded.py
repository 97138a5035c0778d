"""A batch's texts one behind another, without padding: every layer works on tokens alone, and only attention is told
where a text ends.

Padding costs 2 % of the time where a thousand texts stand in batches of like length, and a fifth where there are sixty.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from typing import Any

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface

FAMILIES = {"llama", "gpt2", "bert"}
"""Whose layers call Transformers' attention interface, and in which no token sees another one but there."""
SHORT = 256
"""Up to so many tokens a text's attention in bfloat16 is quicker as products of matrices than by PyTorch's fused
kernel, which is made for long texts: half the time at 55 tokens. In float32 the products are not oneDNN's, nor quicker.
"""
_NAME = "unpadded"


def suits(model: Any, device: str) -> bool:
    """Whether a model reads texts without padding here: on a GPU many small kernels would cost more than padding."""
    return device == "cpu" and model.config.model_type in FAMILIES


@contextmanager
def _unpadded(config: Any) -> Iterator[None]:
    usual = config._attn_implementation
    config._attn_implementation = _NAME
    try:
        yield
    finally:
        config._attn_implementation = usual


def read(model: Any, rows: Sequence[torch.Tensor], **options: Any) -> Any:
    """A base model's output (1 x all tokens x ...) for texts of these ids, one behind another.

    The model `suits`. Texts of equal length share their attention where they stand side by side. `options` are the
    model's own.
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
        parts = [
            tensor[0, :, begin:end].view(-1, texts, length, tensor.shape[-1]).transpose(0, 1)
            for tensor in (query, key, value)
        ]
        attend = _products if length <= SHORT and _multiplies(query.dtype) else _fused
        result[0, begin:end].view(texts, length, *result.shape[2:]).copy_(attend(*parts, scaling, causal))
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


AttentionInterface.register(_NAME, _attend_in_groups)
