"""A regression on ratings over the bundled encoder that nobody has trained: random numbers, and there at once."""

from dataclasses import replace
from pathlib import Path

import torch

from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.kinds import BLEURT
from tests.core.training.made_checkpoint import CARD

WIDTH = 3 * 384
OPTIONS = {"layers": [4, 6], "normalisation": "recased", "words": 200, "folds": 2, "fold_seed": 0}


def made_bleurt(folder: Path, name: str = "made") -> Checkpoint:
    """Save it."""
    numbers = torch.Generator().manual_seed(len(name))
    weights = {}
    for fold in range(2):
        weights[f"fold{fold}.mean"] = torch.zeros(WIDTH)
        weights[f"fold{fold}.deviation"] = torch.ones(WIDTH)
        weights[f"fold{fold}.weights"] = torch.randn(4 * WIDTH, generator=numbers)
        weights[f"fold{fold}.bias"] = torch.tensor([3.0])
    return save(folder, replace(CARD, name=name, kind=BLEURT, options=OPTIONS), weights)
