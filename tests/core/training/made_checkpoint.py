"""A small trained metric, which tests keep or spoil."""

from datetime import UTC, datetime
from pathlib import Path

import torch

from core.checkpoints.card import CheckpointCard, DataSet, Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.training.engine.recipe import Recipe

TEXTS = ("It rained. The dog ran!", "Nora found a key.", "¿Qué? 17 doors…")
CARD = CheckpointCard(
    kind="union",
    name="small one",
    base="all-minilm-l6-v2@0.1.0",
    recipe=Recipe(epochs=2).as_json(),
    options={"normalisation": "named", "layers": [3, 5], "techniques": {"repetition": 0.1}},
    data=(DataSet("stories | of ours", 3, "ab12"),),
    figures=(Figure("accuracy, held out", 0.8125, 160, 0.75, 0.875), Figure("Pearson's r", -0.25, 40)),
    created=datetime(2026, 3, 4, 5, 6, tzinfo=UTC),
)


def made_checkpoint(folder: Path, value: float = 1.0, name: str = CARD.name) -> Checkpoint:
    """Two tensors, one of them in bfloat16; another `value` makes other weights."""
    weights = {"head.weight": torch.full((2, 3), value), "head.bias": torch.arange(2, dtype=torch.bfloat16)}
    return save(folder, CheckpointCard(**{**CARD.__dict__, "name": name}), weights, TEXTS)
