"""The recipe of a training: everything that the weights depend on besides data and model."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from core.errors import InputError

PRECISIONS = ("float32", "bfloat16")
_COUNTS = {"epochs": 1, "steps": 1, "accumulation": 1, "evaluate_every": 0, "patience": 0, "checkpoint_every": 0}
"""Whole numbers, and the least that each may be."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """By which figure of the evaluations the best weights are told, and whether more of it is better."""

    figure: str
    higher: bool = True

    def better(self, value: float, best: float | None) -> bool:
        """Whether `value` beats `best`, the best so far; NaN beats nothing."""
        if math.isnan(value):
            return False
        return best is None or (value > best if self.higher else value < best)


@dataclass(frozen=True)
class Recipe:
    """AdamW with linear warm-up and linear decay. Exactly one of `epochs` and `steps` is given.

    A step takes `accumulation` batches. `warm_up`: share of the steps, in 0..1. `weight_decay`: of matrices, not of
    biases and norms. `clip`: the largest norm of the gradient, 0: any. `precision`: of the forward pass; the weights
    stay in float32. `evaluate_every`, `checkpoint_every`: steps, 0: only at the end. `patience`: evaluations without a
    better figure after which training stops, 0: never. `chosen_by`: None for the task's own choice, which is never
    human judgments. Raises InputError.
    """

    epochs: int | None = None
    steps: int | None = None
    learning_rate: float = 5e-5
    warm_up: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    accumulation: int = 1
    precision: str = "float32"
    seed: int = 0
    evaluate_every: int = 0
    patience: int = 0
    checkpoint_every: int = 500
    chosen_by: Criterion | None = None

    def __post_init__(self) -> None:
        for name, least in _COUNTS.items():
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < least):
                raise InputError(f"In a recipe {name} is a whole number of at least {least}, not {value!r}.")
        if (self.epochs is None) == (self.steps is None):
            raise InputError("A recipe says either how many epochs or how many steps to train.")
        if type(self.seed) is not int:
            raise InputError(f"A recipe's seed is a whole number, not {self.seed!r}.")
        _number("learning_rate", self.learning_rate, lambda value: value > 0, "above 0")
        _number("warm_up", self.warm_up, lambda value: 0 <= value <= 1, "from 0 to 1, a share of the steps")
        _number("weight_decay", self.weight_decay, lambda value: value >= 0, "of at least 0")
        _number("clip", self.clip, lambda value: value >= 0, "of at least 0")
        if self.precision not in PRECISIONS:
            raise InputError(f"A recipe's precision is {' or '.join(PRECISIONS)}, not {self.precision!r}.")

    def rate(self, step: int, steps: int) -> float:
        """The learning rate of a step, the first being 1, of so many: up in a line, then down to just above 0."""
        warm = round(self.warm_up * steps)
        share = step / (warm + 1) if step <= warm else (steps - step + 1) / (steps - warm)
        return self.learning_rate * share

    def as_json(self) -> dict[str, Any]:
        """As a JSON object, from which `recipe_from` makes an equal recipe."""
        return asdict(self)


def _number(name: str, value: object, fits: Any, wanted: str) -> None:
    if type(value) not in (int, float) or not math.isfinite(value) or not fits(value):  # type: ignore[arg-type]
        raise InputError(f"In a recipe {name} is a number {wanted}, not {value!r}.")


def recipe_from(data: Mapping[str, Any]) -> Recipe:
    """The recipe of a JSON object; what it leaves out is as usual. Raises InputError."""
    names = [field.name for field in fields(Recipe)]
    for name in data:
        if name not in names:
            raise InputError(f"A recipe has no {name!r}; it has {', '.join(names)}.")
    choice = data.get("chosen_by")
    if choice is not None:
        if not isinstance(choice, Mapping) or set(choice) != {"figure", "higher"}:
            raise InputError('A recipe\'s chosen_by is {"figure": NAME, "higher": true or false}, or null.')
        choice = Criterion(str(choice["figure"]), choice["higher"] is True)
    return Recipe(**{**data, "chosen_by": choice})


class Way(StrEnum):
    """Whose recipe: ours, or that of the UNION paper's authors (section 4.1)."""

    FABULA = "fabula"
    PAPER = "paper"


PAPER_BATCH = 10
"""Stories a step (UNION 2020, section 4.1)."""
PAPER_RATE = 5e-5
"""The learning rate (the same section)."""
PAPER_STEPS = 40_000
"""At most so many in the authors' code."""
EVALUATIONS = 10
"""Of a training by the paper's recipe: the paper does not say which weights were kept."""


def paper_recipe(steps: int, learning_rate: float, precision: str, seed: int) -> Recipe:
    """How all of a BERT learns: so many steps, a tenth of them a warm-up. Raises InputError for steps that are none."""
    return Recipe(
        steps=steps,
        learning_rate=learning_rate,
        warm_up=0.1,
        precision=precision,
        seed=seed,
        evaluate_every=max(1, steps // EVALUATIONS),
    )
