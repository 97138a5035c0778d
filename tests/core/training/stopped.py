"""A training of three models that is stopped in the second one and goes on, beside the same that runs through."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.checkpoints.checkpoint import Checkpoint
from core.training.engine.progress import OnProgress


class Stopped(Exception):
    """Somebody pressed Cancel."""


def stopped_and_straight(train: Callable[[Path, OnProgress | None], Checkpoint], folder: Path) -> Checkpoint:
    """The checkpoint of the one that went on, after seeing that both have the same weights."""

    def stop(what: str, done: int, _all: int) -> None:
        if what.startswith("Training: model 2 of 3") and done >= 5:
            raise Stopped

    with pytest.raises(Stopped):
        train(folder / "stopped", stop)
    checkpoint = train(folder / "stopped", None)
    assert checkpoint.card.weights == train(folder / "straight", None).card.weights
    return checkpoint
