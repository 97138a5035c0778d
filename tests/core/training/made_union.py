"""A UNION on the bundled encoder that nobody has trained: its heads are random numbers, and there at once."""

from dataclasses import replace
from pathlib import Path

import torch

from core.checkpoints.card import CheckpointCard
from core.checkpoints.checkpoint import Checkpoint, save
from core.models.heads.union import UnionHead
from tests.core.training.made_checkpoint import CARD

WIDTH = 384
OPTIONS = {"layers": [4, 6], "normalisation": "recased", "words": 200, "tuning": "frozen"}


def made_union(folder: Path, name: str = "made", reconstruction: float = 0.1, **card: str) -> Checkpoint:
    """Save it; `card`: what else of its card is to be other than usual."""
    with torch.random.fork_rng():
        torch.manual_seed(len(name))
        head = UnionHead(2, WIDTH)
        torch.nn.init.normal_(head.score.weight, std=0.1)
    recipe = {**CARD.recipe, "reconstruction": reconstruction}
    checkpoint_card: CheckpointCard = replace(CARD, name=name, options=OPTIONS, recipe=recipe, **card)
    return save(folder, checkpoint_card, head.state_dict())
