"""What several tests of train share."""

from collections.abc import Mapping
from pathlib import Path

from core.checkpoints.checkpoint import Checkpoint
from core.models.catalogue import ModelSource
from core.training.engine.progress import OnProgress
from core.training.engine.recipe import Recipe
from core.training.union.settings import UnionSettings
from core.training.union.train import train_union
from tests.core.training.union.task import STORIES

PLAN = UnionSettings(
    layers=(1, 2), loop=Recipe(epochs=2, learning_rate=5e-3, evaluate_every=5, seed=3), batch=8, held_out=0.2
)
CORPORA = {"animals": STORIES[:30], "others": [story.replace("went", "ran") for story in STORIES[30:]]}


def train_tiny(
    base: ModelSource,
    folder: Path,
    plan: UnionSettings = PLAN,
    on_progress: OnProgress | None = None,
    corpora: Mapping[str, list[str]] = CORPORA,
) -> Checkpoint:
    return train_union("mine", corpora, plan, base, folder, on_progress, "cpu")[0]
