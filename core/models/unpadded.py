"""A batch's texts one behind another, without padding: every layer works on tokens alone, and only attention is told
where a text ends.

Padding costs 2 % of the time where a thousand texts stand in batches of like length, and a fifth where there are sixty.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface

FAMILIES = {"llama", "gpt2", "bert"}
"""Whose layers call Transformers' attention interface, and in which no token sees another one but there."""
LONGEST = {torch.float32: 0, torch.bfloat16: 256}
"""Up to so many tokens a text's attention is quicker as products of matrices than by PyTorch's fused kernel, which is
made for long texts: in bfloat16 alone, where these are oneDNN's (on two cores with AVX-512 half the time at 55 tokens).
"""
_NAME = "unpadded"


def suits(model: Any, device: str) -> bool:
    """Whether a model reads texts without padding here: on a GPU many small kernels would cost more than padding."""
    return device == "cpu" and model.config.model_type in FAMILIES and model.dtype in LONGEST


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
            tensor[0, :, begin:end].unflatten(1, (texts, length)).transpose(0, 1) for tensor in (query, key, value)
        ]
        short = length <= LONGEST[query.dtype]
        attended = _products(*parts, scaling, causal) if short else _fused(*parts, scaling, causal)
        result[0, begin:end].unflatten(0, (texts, length)).copy_(attended)
        begin = end
    return result, None


def _fused(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float, causal: bool) -> torch.Tensor:
    grouped = query.shape[1] != key.shape[1]
    attended = scaled_dot_product_attention(query, key, value, scale=scaling, is_causal=causal, enable_gqa=grouped)
    return attended.transpose(1, 2)


def _products(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float, causal: bool
) -> torch.Tensor:
    """Attention of short texts (texts x tokens x heads x width), softmax in float32.

    `query` is texts x heads x tokens x width, `key` and `value` likewise; where these have fewer heads, several heads
    of the query share one.
    """
    texts, heads, tokens, width = query.shape
    shared = key.shape[1]
    rows = query.unflatten(1, (shared, -1)).reshape(texts * shared, -1, width)
    columns = key.reshape(texts * shared, tokens, width)
    scores = torch.bmm(rows, columns.transpose(1, 2)).float().mul_(scaling)
    if causal:
        ahead = torch.full((tokens, tokens), float("-inf")).triu_(1)
        scores.unflatten(1, (-1, tokens)).add_(ahead)
    weights = scores.softmax(-1).to(value.dtype)
    mixed = torch.bmm(weights, value.reshape(texts * shared, tokens, width))
    return mixed.view(texts, heads, tokens, width).transpose(1, 2)


AttentionInterface.register(_NAME, _attend_in_groups)
