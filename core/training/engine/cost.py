"""What a training will cost, before it runs: its phases, and how long each takes at the measured speed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.durations import Expected, ShownSpeed, duration, expected

NEGATIVES, READING, TRAINING = "negatives", "reading", "training"
CALLED = {NEGATIVES: "making negatives", READING: "reading stories", TRAINING: "training"}
BASE_READING = 4_000
"""Characters a second on two cores, where this machine has not shown its speed yet."""
LOADING = 15.0
"""Seconds until a base has been loaded on two cores, at most."""


@dataclass(frozen=True, slots=True)
class Work:
    """A phase: `key` names all that its speed depends on, `characters` are what it goes through in all."""

    phase: str
    key: str
    characters: int
    guess: float
    """Characters a second."""


def seconds(works: Sequence[Work], measured: Mapping[str, ShownSpeed]) -> Expected:
    """How long a training takes; `measured`: the speeds that this machine has shown."""
    takes = sum(_each(works, measured), Expected())
    return takes + Expected(0.0 if takes.most is not None else LOADING, LOADING)


def parts(works: Sequence[Work], measured: Mapping[str, ShownSpeed]) -> str:
    """What each of several phases takes, of which more epochs lengthen the training alone, and the loading: all that a
    guess adds up, or the latest speeds where it is a range; "" of a single one.
    """
    if len(works) < 2:
        return ""
    each = _each(works, measured)
    guessed = any(takes.most is None for takes in each)
    phases = []
    for work, takes in zip(works, each, strict=True):
        latest = takes.least if guessed else work.characters / measured[work.key].latest
        once = " (once, whatever the epochs)" if work.phase == READING else ""
        phases.append(f"{duration(latest)} {CALLED[work.phase]}{once}")
    phases.append(f"{'' if guessed else 'up to '}{duration(LOADING)} loading the base")
    return f"Of that, about {', '.join(phases)}."


def _each(works: Sequence[Work], measured: Mapping[str, ShownSpeed]) -> list[Expected]:
    return [expected(work.characters, work.guess, measured.get(work.key)) for work in works]
