"""A small base and corpora to train on."""

from pathlib import Path

import pytest

from core.models.catalogue import ModelRole
from tests.commands.training.union import table
from tests.core.models import tiny
from tests.core.training.union.task import STORIES


@pytest.fixture
def base(tmp_path: Path) -> str:
    return tiny.save(tmp_path / "base", "BertModel", ModelRole.ENCODER, max_position_embeddings=128)


@pytest.fixture
def corpora(tmp_path: Path) -> list[str]:
    """One of whole stories, one whose first sentences are prompts."""
    split = [story.split(". ", 1) for story in STORIES[28:]]
    whole = table(tmp_path / "whole.csv", [("", story) for story in STORIES[:28]])
    return [whole, table(tmp_path / "prompted.csv", [(f"{prompt}.", rest) for prompt, rest in split])]
