"""What several tests of train share."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from core.checkpoints.checkpoint import Checkpoint
from core.models.catalogue import ModelRole, ModelSource, locate
from core.training.engine.progress import OnProgress
from core.training.engine.recipe import Recipe
from core.training.union.settings import UnionSettings
from core.training.union.train import train_union
from tests.core.models import tiny
from tests.core.training.union.task import STORIES

PLAN = UnionSettings(
    layers=(1, 2), loop=Recipe(epochs=2, learning_rate=5e-3, evaluate_every=5, seed=3), batch=8, held_out=0.2
)
CORPORA = {"animals": STORIES[:30], "others": [story.replace("went", "ran") for story in STORIES[30:]]}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 128}
    folder = tiny.save(tmp_path_factory.mktemp("base"), "LlamaForCausalLM", ModelRole.LANGUAGE, **options)
    return locate(folder, ModelRole.LANGUAGE)


def train_tiny(
    base: ModelSource,
    folder: Path,
    plan: UnionSettings = PLAN,
    told: OnProgress | None = None,
    corpora: Mapping[str, list[str]] = CORPORA,
) -> Checkpoint:
    return train_union("mine", corpora, plan, base, folder, told, "cpu")[0]
