"""What a training will cost, before it runs: its phases, and how long each takes at the speed that was measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.models.catalogue import DEFAULTS, MINILM, Role
from core.training.engine.order import Order

NEGATIVES, READING, TRAINING = "negatives", "reading", "training"
BASE_READING = 4_000
"""Characters a second on two cores, where this machine has not shown its speed yet."""
_ENCODER = 25_000
"""The same of the bundled encoder's reading."""


@dataclass(frozen=True, slots=True)
class Work:
    """A phase: `key` names all that its speed depends on, `characters` are what it goes through in all."""

    phase: str
    key: str
    characters: int
    guess: float
    """Characters a second."""


def reading_work(order: Order, characters: int) -> Work:
    """A frozen base's reading of so many characters, for heads that stand on it."""
    base = order.base or DEFAULTS[Role.BASE]
    guess = _ENCODER if base == MINILM else BASE_READING
    return Work(READING, f"train reading all of {base} {order.device} {order.precision}", characters, guess)


def seconds(work: Sequence[Work], measured: Mapping[str, float]) -> tuple[float, bool]:
    """How long it takes at the speeds that this machine has shown, and whether any of them is a guess."""
    time = sum(one.characters / measured.get(one.key, one.guess) for one in work)
    return time, any(one.key not in measured for one in work)
