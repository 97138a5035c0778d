"""What the weights of a checkpoint are called: a head's, what its base has learnt, and of which fold they are where
there are several models.
"""

from collections.abc import Mapping

import torch
from torch import nn

from core.models.trunk import TunableTrunk

BASE = "base."
"""How the names of weights begin that the base has learnt."""


def joined(head: nn.Module, base: TunableTrunk | None = None) -> dict[str, torch.Tensor]:
    """A head's weights, and what its base has learnt, where it has."""
    learnt = base.learnt() if base else {}
    return {**head.state_dict(), **{f"{BASE}{name}": tensor for name, tensor in learnt.items()}}


def parted(weights: Mapping[str, torch.Tensor]) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """The head's weights, and what the base has learnt."""
    learnt = {name.removeprefix(BASE): weight for name, weight in weights.items() if name.startswith(BASE)}
    return {name: weight for name, weight in weights.items() if not name.startswith(BASE)}, learnt


def of_fold(weights: Mapping[str, torch.Tensor], fold: int) -> dict[str, torch.Tensor]:
    """Those of one model."""
    begin = f"fold{fold}."
    return {name.removeprefix(begin): weight for name, weight in weights.items() if name.startswith(begin)}


def in_fold(weights: Mapping[str, torch.Tensor], fold: int) -> dict[str, torch.Tensor]:
    """One model's, by the names that `of_fold` takes away."""
    return {f"fold{fold}.{name}": weight for name, weight in weights.items()}


def halved(weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Matrices in half precision, which moves a score by less than .001."""
    return {name: (weight.half() if weight.ndim > 1 else weight).cpu() for name, weight in weights.items()}
