"""What tests of models share: checkpoints of random weights, and real stories to read."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers.utils import logging

from core.models.catalogue import ModelRole, locate
from core.stories import Story

logging.disable_progress_bar()
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}


@cache
def tokenizer(role: ModelRole) -> Any:
    """MiniLM's word pieces, or SmolLM2's byte-level ones."""
    return transformers.AutoTokenizer.from_pretrained(locate(None, role).folder)


def save(folder: Path, name: str, role: ModelRole, **options: Any) -> str:
    """Save a tiny model of random weights, `BertModel` for one, with a bundled tokenizer; gives its folder."""
    words = tokenizer(role)
    torch.manual_seed(0)
    model_class = getattr(transformers, name)
    config = model_class.config_class(**{"vocab_size": len(words), **SIZES, **options})
    model_class(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return str(folder)


def mans_stories(shared: Path) -> list[Story]:
    """200 real stories, one a prompt, of every system in turn, with the human story of the prompt."""
    records = json.loads((shared / "mans-roc" / "mans_roc.json").read_text(encoding="utf-8")).values()
    return [
        Story(list(record["gen"].values())[i % 5]["text"], record["prompt"], (record["gold_response"],))
        for i, record in enumerate(records)
    ]
