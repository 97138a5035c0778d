"""The curve of a training, short enough for a database row: losses in bins, and every evaluation."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.training.engine.history import Evaluation, StepRecord

MOST = 150
"""Points of a curve."""


@dataclass(frozen=True)
class Curve:
    """`steps`: the last step of each bin; `losses`: the mean of the bin, by the part's name, "loss" being the whole.

    `evaluations`: (step, figures). `planned`: steps in all. `best`: the step whose weights were kept, None before the
    end, or where no figure told.
    """

    planned: int
    steps: tuple[int, ...]
    losses: Mapping[str, tuple[float, ...]]
    evaluations: tuple[tuple[int, Mapping[str, float | None]], ...]
    best: int | None = None

    def measured(self, figure: str) -> tuple[tuple[int, float], ...]:
        """Each step at which this figure of held-out stories was measured, with what it was."""
        every = ((step, figures.get(figure)) for step, figures in self.evaluations)
        return tuple((step, value) for step, value in every if value is not None)

    def as_json(self) -> dict[str, Any]:
        """As a JSON object, from which `curve_from` makes an equal curve."""
        return {
            "planned": self.planned,
            "steps": list(self.steps),
            "losses": {name: list(values) for name, values in self.losses.items()},
            "evaluations": [[step, dict(figures)] for step, figures in self.evaluations],
            "best": self.best,
        }


def curve_from(data: Mapping[str, Any]) -> Curve:
    """The curve of a JSON object that `as_json` gave."""
    return Curve(
        data["planned"],
        tuple(data["steps"]),
        {name: tuple(values) for name, values in data["losses"].items()},
        tuple((step, figures) for step, figures in data["evaluations"]),
        data["best"],
    )


def curve_of(
    planned: int, history: Sequence[StepRecord], evaluations: Sequence[Evaluation], best: int | None = None
) -> Curve:
    """The history in bins of equally many steps, the last of which may be short."""
    size = max(1, math.ceil(len(history) / MOST))
    bins = [history[begin : begin + size] for begin in range(0, len(history), size)]
    parts = history[0].parts if history else {}
    losses = {"loss": tuple(_mean([step.loss for step in step_records]) for step_records in bins)}
    if len(parts) > 1:  # one alone is the whole
        losses |= {
            name: tuple(_mean([step.parts[name] for step in step_records]) for step_records in bins) for name in parts
        }
    kept = evaluations[:: max(1, math.ceil(len(evaluations) / MOST))]
    return Curve(
        planned,
        tuple(step_records[-1].step for step_records in bins),
        losses,
        tuple(
            (evaluation.step, {name: _told(value) for name, value in evaluation.figures.items()}) for evaluation in kept
        ),
        best,
    )


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 5)


def _told(value: float) -> float | None:
    return round(value, 5) if math.isfinite(value) else None
