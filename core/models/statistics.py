"""Token statistics from logits: likelihoods for metrics, everything for the token view.

A measure takes logits (n × vocabulary, float32) and target ids (n) to n rows of numbers. Nothing is sorted.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from core.arrays import Floats, Ints
from core.models.shape import LOGITS_A_BLOCK
from core.tokens import ENTROPY_OF

LOGITS_A_HEAD = {"cpu": 24 * 2**20, "cuda": LOGITS_A_BLOCK}
"""Bytes of the vocabulary's logits that are made at once: more than 32 MB would be fetched from the kernel anew each
time (`core.models.devices.cpu.keep_freed_memory`).
"""
POSITIONS_A_MEASURE = {"cpu": 16, "cuda": 4096}
"""They are measured so many at a time: a CPU's cores have these in their own cache, however often they are read."""
_BLOCK = 128
Measure = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
Rows = NDArray[np.float32]
"""n × 4: negative log-likelihood (nats), p / p_max, whether among the ten likeliest (1 or 0), entropy (nats)."""
Span = tuple[int, int]
"""Code-point offsets, start and end."""


@dataclass(frozen=True)
class TokenStatistics:
    """One entry per scored token, all float64 or int64 of length n; `top_*` are n × k, the likeliest first.

    `rank` is how many tokens are more probable (0 for the likeliest), `fraction` p / p_max in 0..1, `entropy` that of
    the ten likeliest, renormalised, in nats. `starts` and `ends`: where the tokenizer says that the token stands in the
    text, in code points. k is smaller than asked for where the vocabulary is.
    """

    ids: Ints
    starts: Ints
    ends: Ints
    log_p: Floats
    rank: Ints
    fraction: Floats
    entropy: Floats
    top_ids: Ints
    top_p: Floats


def likeliest(logits: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The k greatest of each row and their ids, the greatest first; fewer where the vocabulary is smaller.

    `topk` over blocks of the vocabulary: the k greatest stand in the k blocks of greatest maximum. Four times as fast.
    """
    rows, vocabulary = logits.shape
    blocks = vocabulary // _BLOCK
    if blocks < 4 * k or not k:
        result = logits.topk(min(k, vocabulary))
        return result.values, result.indices
    whole = logits[:, : blocks * _BLOCK].view(rows, blocks, _BLOCK)
    best = whole.amax(-1).topk(k).indices
    some = whole.gather(1, best[:, :, None].expand(-1, -1, _BLOCK)).reshape(rows, -1)
    ids = (best[:, :, None] * _BLOCK + torch.arange(_BLOCK, device=logits.device)).reshape(rows, -1)
    rest = torch.arange(blocks * _BLOCK, vocabulary, device=logits.device)
    values, places = torch.cat([some, logits[:, blocks * _BLOCK :]], 1).topk(k)
    return values, torch.cat([ids, rest.expand(rows, -1)], 1).gather(1, places)


def _entropy(values: torch.Tensor) -> torch.Tensor:
    """Return the entropy of the ten likeliest tokens, renormalised, in nats, from their logits."""
    ten = torch.log_softmax(values[:, :ENTROPY_OF], -1)
    return -(ten.exp() * ten).sum(-1)


def likelihood(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Columns: negative log-likelihood, fraction, whether the token is among the ten likeliest, entropy."""
    nll = functional.cross_entropy(logits, targets, reduction="none")
    target = logits.gather(1, targets[:, None])[:, 0]
    values, _ = likeliest(logits, ENTROPY_OF)
    # Fewer than ten are greater where the tenth greatest is not.
    among = target >= values[:, -1]
    return torch.stack([nll, torch.exp(target - values[:, 0]), among.to(nll.dtype), _entropy(values)], 1)


def statistics(top: int) -> Measure:
    """Columns: negative log-likelihood, rank, fraction, entropy, ids and probabilities of the likeliest."""

    def measure(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        nll = functional.cross_entropy(logits, targets, reduction="none")[:, None]
        target = logits.gather(1, targets[:, None])
        # Counting into floats is ten times as fast as summing booleans, and exact for any vocabulary below 2^24.
        rank = torch.gt(logits, target, out=torch.empty_like(logits)).sum(-1, keepdim=True)
        values, ids = likeliest(logits, max(top, ENTROPY_OF))
        fraction = torch.exp(target - values[:, :1])
        p = torch.exp(values[:, :top] - target - nll)
        return torch.cat([nll, rank, fraction, _entropy(values)[:, None], ids[:, :top].float(), p], 1)

    return measure


def measured(
    head: Callable[[torch.Tensor], torch.Tensor],
    finish: Callable[[torch.Tensor], torch.Tensor],
    states: torch.Tensor,
    targets: torch.Tensor,
    measure: Measure,
    vocabulary: int,
) -> torch.Tensor:
    """The numbers of `measure` for all `states` (n x d) and `targets` (n), float64, on the CPU.

    `head` makes logits of states, in the model's own precision; `finish` makes them float32, scaled as the family does.
    """
    device = states.device.type
    at_once = max(1, LOGITS_A_HEAD[device] // (vocabulary * states.element_size()))
    part = POSITIONS_A_MEASURE[device]
    rows = [
        measure(finish(logits), some)
        for i in range(0, len(targets), at_once)
        for logits, some in zip(
            torch.split(head(states[i : i + at_once]), part), torch.split(targets[i : i + at_once], part), strict=True
        )
    ]
    return torch.cat(rows).double().cpu()


def statistics_of(rows: torch.Tensor, ids: list[int], spans: list[Span], top: int) -> TokenStatistics:
    """The columns of `statistics` by name, for tokens of these ids and places; no rows where there is no token."""
    table = rows.numpy() if ids else np.zeros((0, 4 + 2 * top))
    k = (table.shape[1] - 4) // 2
    places = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return TokenStatistics(
        np.array(ids, dtype=np.int64),
        places[:, 0],
        places[:, 1],
        -table[:, 0],
        table[:, 1].astype(np.int64),
        table[:, 2],
        table[:, 3],
        table[:, 4 : 4 + k].astype(np.int64),
        table[:, 4 + k :],
    )
