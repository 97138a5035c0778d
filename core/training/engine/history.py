"""What a training reports while it runs, and what remains of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step: the loss over its examples, its named parts, the learning rate; `seconds` since training began."""

    step: int
    loss: float
    parts: Mapping[str, float]
    rate: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The task's figures after a step."""

    step: int
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run of `planned` steps at most.

    `best`: the step whose weights were kept, None where no figure told (then the last ones were). `ended`: in words.
    `examples` seen, an example once each time it was; `seconds`, interruptions not counted.
    """

    planned: int
    steps: tuple[StepRecord, ...]
    evaluations: tuple[Evaluation, ...]
    best: int | None
    ended: str
    examples: int
    seconds: float


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far training is. `figures`: of the last evaluation, empty before. `rate`: examples a second. `history`,
    `evaluations`: all so far, before an interruption too; they grow as training goes on.
    """

    step: int
    steps: int
    loss: float
    figures: Mapping[str, float]
    rate: float
    seconds_left: float
    history: Sequence[StepRecord] = ()
    evaluations: Sequence[Evaluation] = ()
