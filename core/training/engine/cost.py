"""What a training will cost, before it runs: its phases, and how long each takes at the measured speed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NEGATIVES, READING, TRAINING = "negatives", "reading", "training"
BASE_READING = 4_000
"""Characters a second on two cores, where this machine has not shown its speed yet."""


@dataclass(frozen=True, slots=True)
class Work:
    """A phase: `key` names all that its speed depends on, `characters` are what it goes through in all."""

    phase: str
    key: str
    characters: int
    guess: float
    """Characters a second."""


def seconds(work: Sequence[Work], measured: Mapping[str, float]) -> tuple[float, bool]:
    """How long it takes at the speeds that this machine has shown, and whether any of them is a guess."""
    time = sum(item.characters / measured.get(item.key, item.guess) for item in work)
    return time, any(item.key not in measured for item in work)
