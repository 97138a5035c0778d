"""A study whose metric was trained on some of its rated stories."""

from dataclasses import replace
from pathlib import Path

import torch
from sqlalchemy import select, update

from core.annotation.studies import Study
from core.checkpoints.checkpoint import Checkpoint, save
from core.people import TERMINAL
from db.engine import writing
from db.schema import score, signature, story
from db.training import checkpoints
from tests.core.training.made_checkpoint import CARD
from tests.rated import rated_study

WHOLE, BARE, OTHER = "Opening 0. Story 0-1 is told.", "STORY 0-0 is told!", "Another story."


def made(folder: Path, texts: list[str], kind: str = "union") -> Checkpoint:
    """A checkpoint that says it was trained on these texts."""
    weights = {"w": torch.full((2,), float(len(texts)))}
    return save(folder, replace(CARD, kind=kind, name=folder.name), weights, texts)


def signed(checkpoint: Checkpoint) -> str:
    """The signature of scores that it has made."""
    return f"union|checkpoint:{checkpoint.card.weights[:12]}|v:1"


def contaminated_study(folder: Path) -> Study:
    """Of its metrics `union` was trained on two of its stories, and `half` on none."""
    study = rated_study(metrics=("union", "half"))
    checkpoint = made(folder / "made", [WHOLE, "Opening 1. Story 1-1 is told.", OTHER])
    checkpoints.add(TERMINAL, checkpoint)
    with writing() as connection:
        number = connection.scalars(select(signature.c.id).where(signature.c.metric == "union")).one()
        connection.execute(update(signature).where(signature.c.id == number).values(text=signed(checkpoint)))
        text = select(story.c.content_hash).where(story.c.id == score.c.story_id).scalar_subquery()
        computed = {"content_hash": text, "story_id": None}  # such scores hang on texts
        connection.execute(update(score).where(score.c.signature_id == number).values(computed))
    return study
