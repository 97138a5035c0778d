"""Dropout whose masks are cheap on a CPU, where torch draws a number for every value, one after another."""

import torch
from torch import nn

_LANES = 4
"""Values that one drawn number of 64 bits decides, by 16 bits each."""
_STEPS = 1 << 16


class Dropout(nn.Dropout):
    """As torch's: of what it is given, a share `p` becomes 0 and the rest is divided by 1 - p, in training only.

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
