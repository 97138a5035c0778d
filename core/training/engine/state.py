"""The saved state of a training: one file with all that it needs to resume exactly where it stood.

There is no random state in it: every step draws from generators seeded by the recipe's seed and the step's number.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from core.checkpoints import tensors
from core.errors import InputError
from core.files import PARTIAL, replacing
from core.training.engine.history import Evaluation, StepRecord
from core.training.engine.recipe import Recipe

STATE = "training.safetensors"
FORMAT = 1
Weights = Mapping[str, torch.Tensor]


@dataclass(frozen=True)
class Identity:
    """What a training is of: one of another identity cannot go on from its state."""

    recipe: Recipe
    data_hash: str
    parameters: Mapping[str, tuple[int, ...]]
    """Names and shapes of what is trained."""

    def as_json(self) -> dict[str, Any]:
        """Return the state as it stands in the file."""
        shapes = {name: list(shape) for name, shape in self.parameters.items()}
        return {"format": FORMAT, "recipe": self.recipe.as_json(), "data": self.data_hash, "parameters": shapes}


@dataclass(frozen=True)
class TrainingState:
    """Between two steps.

    `optimiser`: what AdamW remembers, by its own name and the parameter's. `best`: weights of the step `best_step`,
    empty where these are the present ones, or where no figure has told yet. `worse`: evaluations since. `ended`: why
    it is over, "" while it is not.
    """

    step: int
    weights: Weights
    optimiser: Mapping[str, Weights]
    best: Weights
    best_step: int | None
    best_value: float | None
    worse: int
    steps: tuple[StepRecord, ...]
    evaluations: tuple[Evaluation, ...]
    examples: int
    seconds: float
    ended: str


def save(folder: Path, identity: Identity, state: TrainingState) -> None:
    """Put the state in the place of the last one, or leave that as it is. Raises StorageError."""
    named = {f"weights/{name}": tensor for name, tensor in state.weights.items()}
    named |= {f"best/{name}": tensor for name, tensor in state.best.items()}
    for key, remembered in state.optimiser.items():
        named |= {f"optimiser/{key}/{name}": tensor for name, tensor in remembered.items()}
    about = {
        **identity.as_json(),
        "step": state.step,
        "best_step": state.best_step,
        "best_value": state.best_value,
        "worse": state.worse,
        "steps": _columns(state.steps),
        "evaluations": [asdict(evaluation) for evaluation in state.evaluations],
        "examples": state.examples,
        "seconds": state.seconds,
        "ended": state.ended,
    }
    with replacing(folder / STATE) as partial:
        tensors.write(partial, named, about)


def load(folder: Path, identity: Identity) -> TrainingState | None:
    """The state in a folder, or None where there is none. Raises InputError where it is of another training."""
    for left_over in folder.glob(f"{STATE}.*{PARTIAL}"):  # by a process that was killed while it wrote
        left_over.unlink()
    if not (folder / STATE).exists():
        return None
    named, about = tensors.read(folder / STATE)
    _check(folder / STATE, about, identity.as_json())
    optimiser: dict[str, dict[str, torch.Tensor]] = {}
    for name, tensor in _below("optimiser", named).items():
        key, _, parameter = name.partition("/")
        optimiser.setdefault(key, {})[parameter] = tensor
    return TrainingState(
        about["step"],
        _below("weights", named),
        optimiser,
        _below("best", named),
        about["best_step"],
        about["best_value"],
        about["worse"],
        _rows(about["steps"]),
        tuple(Evaluation(**item) for item in about["evaluations"]),
        about["examples"],
        about["seconds"],
        about["ended"],
    )


def _check(path: Path, data: Any, wanted: Mapping[str, Any]) -> None:
    """Refuse what another training left; the order of the questions is that of what people change."""
    again = "go on as before, or begin anew in another folder"
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"{path} is no state of a training that this Fabula knows; name another folder.")
    if data["data"] != wanted["data"]:
        raise InputError(f"{path} is of a training on other data; {again}.")
    if data["parameters"] != wanted["parameters"]:
        raise InputError(f"{path} is of a training of other parameters; {again}.")
    for name, value in wanted["recipe"].items():
        if data["recipe"].get(name) != value:
            raise InputError(
                f"{path} is of a training with the {name} {data['recipe'].get(name)}, not {value}; {again}."
            )


def _below(group: str, named: Weights) -> dict[str, torch.Tensor]:
    return {name.removeprefix(f"{group}/"): tensor for name, tensor in named.items() if name.startswith(f"{group}/")}


def _columns(steps: tuple[StepRecord, ...]) -> dict[str, Any]:
    """A row is four numbers and the parts, None for one that the step has not."""
    names = list(dict.fromkeys(name for step in steps for name in step.parts))
    rows = [[step.step, step.loss, step.rate, step.seconds, *map(step.parts.get, names)] for step in steps]
    return {"parts": names, "rows": rows}


def _rows(columns: Mapping[str, Any]) -> tuple[StepRecord, ...]:
    names = columns["parts"]
    return tuple(
        StepRecord(
            step, loss, {n: part for n, part in zip(names, parts, strict=True) if part is not None}, rate, seconds
        )
        for step, loss, rate, seconds, *parts in columns["rows"]
    )
