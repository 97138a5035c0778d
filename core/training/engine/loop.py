"""The one training loop of all trainers: it resumes after a kill exactly where it stood, and shares the device."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Generic

import torch
from torch import nn

from core.errors import FabulaError, InputError, StorageError
from core.files import unwritable
from core.models.network import DTYPES, device_turn, resolve_device
from core.training.engine import state
from core.training.engine.history import Evaluation, Run, StepRecord, TrainingProgress
from core.training.engine.recipe import Criterion, Recipe
from core.training.engine.state import Identity, TrainingState
from core.training.engine.task import Batch, Task
from core.training.engine.weights import adamw, copy_into, enough_memory, numbers, trainable

OnProgress = Callable[[TrainingProgress], None]
FINISHED = "all steps are done"


def train(
    task: Task[Batch], recipe: Recipe, folder: Path, on_progress: OnProgress | None = None, device: str = "auto"
) -> Run:
    """Train a task's module; its best weights are in it afterwards, in evaluation mode.

    `folder` keeps the state of the training: another call with the same task, recipe and folder goes on from there, on
    the CPU to bit-identical weights. `on_progress` is called after every step and may raise anything to stop, as may
    the task's evaluation: the state is saved, and what was raised goes on. Raises InputError where there is nothing to
    train, or the folder holds another training, StorageError where the state cannot be written, and FabulaError where
    the loss is no number any more or the memory too small.
    """
    training = _Training(task, recipe, folder, resolve_device(device))
    training.resume()
    if not training.ended:
        training.work(on_progress)
    return training.finish()


class _Pace:
    """When this stretch of a run began, and what had been done before it."""

    def __init__(self, step: int, examples: int, seconds: float) -> None:
        self.step, self.examples, self.before = step, examples, seconds
        self.begun = time.perf_counter()

    def passed(self) -> float:
        return time.perf_counter() - self.begun

    def seconds(self) -> float:
        """Of the whole run."""
        return self.before + self.passed()


class _Training(Generic[Batch]):
    """A run under way."""

    def __init__(self, task: Task[Batch], recipe: Recipe, folder: Path, device: str) -> None:
        self.task, self.recipe, self.folder, self.device = task, recipe, folder, device
        self.parameters = trainable(task.module)
        shapes = {name: tuple(parameter.shape) for name, parameter in self.parameters.items()}
        self.identity = Identity(recipe, task.data_hash, shapes)
        self.choice: Criterion = recipe.chosen_by or task.chosen_by
        self.planned = self._plan()
        with device_turn(device), enough_memory("The model"):
            task.module.to(device)
            self.optimiser = adamw(self.parameters.values(), recipe)
        self.step = 0
        self.steps: list[StepRecord] = []
        self.evaluations: list[Evaluation] = []
        self.best: dict[str, torch.Tensor] = {}
        self.best_step: int | None = None
        self.best_value: float | None = None
        self.worse = 0
        self.examples = 0
        self.seconds = 0.0
        self.ended = ""
        self.saved: int | None = None

    def _plan(self) -> int:
        """How many steps there are."""
        recipe = self.recipe
        lengths = [len(self.task.batches(epoch, recipe.seed)) for epoch in range(recipe.epochs or 1)]
        if not all(lengths):
            raise InputError("There is nothing to train on: the data has no batch; give it stories.")
        return recipe.steps or sum(math.ceil(length / recipe.accumulation) for length in lengths)

    def resume(self) -> None:
        """Take up what the folder holds."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(unwritable(self.folder, error)) from error
        resumed = state.load(self.folder, self.identity)
        if resumed is None:
            return
        self.step = self.saved = resumed.step
        self.steps, self.evaluations = list(resumed.steps), list(resumed.evaluations)
        self.best_step, self.best_value = resumed.best_step, resumed.best_value
        self.best = dict(resumed.weights if resumed.best_step == resumed.step else resumed.best)
        self.worse, self.examples, self.seconds, self.ended = (
            resumed.worse,
            resumed.examples,
            resumed.seconds,
            resumed.ended,
        )
        with device_turn(self.device):
            copy_into(resumed.weights, self.parameters)
            for key, remembered in resumed.optimiser.items():
                for name, tensor in remembered.items():
                    parameter = self.parameters[name]
                    self.optimiser.state[parameter][key] = tensor.to(parameter.device, copy=True)

    def work(self, on_progress: OnProgress | None) -> None:
        """Step after step, to the end."""
        every, module = self.recipe.checkpoint_every, self.task.module
        pace = _Pace(self.step, self.examples, self.seconds)
        module.train()
        if self.step:
            self._look()  # it may have been stopped in the middle of an evaluation
        for batches in () if self.ended else self._batches():
            row = self._advance(batches, pace)
            self.step, self.seconds = row.step, row.seconds
            self.steps.append(row)
            try:
                self._look()
                if on_progress:
                    on_progress(self._progress(pace))
            except BaseException:
                self._save()
                raise
            if self.ended:
                break
            if every and self.step % every == 0:
                self._save()
        self._save()

    def _batches(self) -> Iterator[list[Batch]]:
        """The batches of each step that is still to come; an epoch's last step may have fewer."""
        together, passed = self.recipe.accumulation, 0
        for epoch in count():
            batches = self.task.batches(epoch, self.recipe.seed)
            for begin in range(0, len(batches), together):
                passed += 1
                if passed > self.step:
                    yield [batches[i] for i in range(begin, min(begin + together, len(batches)))]
                if passed == self.planned:
                    return
            if not len(batches):
                raise InputError(f"There is nothing to train on in epoch {epoch + 1}: its data has no batch.")

    def _advance(self, batches: Sequence[Batch], pace: "_Pace") -> StepRecord:
        """One step of the optimiser; raises FabulaError where it would spoil the weights, and leaves them alone."""
        step = self.step + 1
        rate = self.recipe.rate(step, self.planned)
        seeded = numbers(self.device, self.recipe.seed, "step", step)
        with device_turn(self.device), seeded, enough_memory(f"Step {step}"):
            loss, parts, weight = self._gradient(batches)
            norm = self._clip()
            if math.isfinite(loss) and math.isfinite(norm):
                for group in self.optimiser.param_groups:
                    group["lr"] = rate
                self.optimiser.step()
            self.optimiser.zero_grad()
        if not (math.isfinite(loss) and math.isfinite(norm)):
            what = f"loss is {loss}" if not math.isfinite(loss) else f"gradient's norm is {norm}"
            other = ", or float32" if self.recipe.precision != "float32" else ""
            raise FabulaError(f"Training stopped at step {step}, where the {what}: try a smaller learning rate{other}.")
        self.examples += weight
        return StepRecord(step, loss, parts, rate, pace.seconds())

    def _gradient(self, batches: Sequence[Batch]) -> tuple[float, dict[str, float], int]:
        """The gradient of the mean over all examples of these batches, as if they were one batch; mean loss, parts."""
        total, parts, weight = 0.0, dict[str, float](), 0
        for batch in batches:
            with torch.autocast(self.device, DTYPES[self.recipe.precision], self.recipe.precision != "float32"):
                losses = self.task.loss(batch)
            (losses.total if len(batches) == 1 else losses.total * losses.weight).backward()  # type: ignore[no-untyped-call]
            weight += losses.weight
            total += _plain(losses.total) * losses.weight
            for name, part in losses.parts.items():
                parts[name] = parts.get(name, 0.0) + _plain(part) * losses.weight
        if len(batches) > 1:
            for parameter in self.parameters.values():
                if parameter.grad is not None:
                    parameter.grad /= weight
        return total / weight, {name: part / weight for name, part in parts.items()}, weight

    def _clip(self) -> float:
        """The gradient's norm; the gradient is shortened where that is longer than the recipe says."""
        norm = nn.utils.get_total_norm(
            [parameter.grad for parameter in self.parameters.values() if parameter.grad is not None]
        )
        length = float(norm)
        if self.recipe.clip and length > self.recipe.clip:  # else a pass over all weights would multiply them by 1
            nn.utils.clip_grads_with_norm_(self.parameters.values(), self.recipe.clip, norm)
        return length

    def _look(self) -> None:
        """Evaluate where that is due after the present step and was not done, and see whether it was the last one."""
        last, every = self.step == self.planned, self.recipe.evaluate_every
        due = last or (every and self.step % every == 0)
        if due and not (self.evaluations and self.evaluations[-1].step == self.step):
            self._evaluate()
        if last and not self.ended:
            self.ended = FINISHED

    def _evaluate(self) -> None:
        """Ask the task how good it is, keep the best weights, and end where there has been nothing better for long."""
        module = self.task.module
        module.eval()
        seeded = numbers(self.device, self.recipe.seed, "evaluation", self.step)
        with torch.no_grad(), seeded, enough_memory(f"The evaluation after step {self.step}"):
            figures = {name: float(value) for name, value in self.task.evaluate().items()}
        module.train()
        if self.choice.figure not in figures:
            known = ", ".join(figures) or "none"
            raise InputError(f"There is no figure {self.choice.figure!r} to choose the weights by; there is {known}.")
        self.evaluations.append(Evaluation(self.step, figures))
        self.saved = None  # the state of this step may have been, without the evaluation
        if self.choice.better(figures[self.choice.figure], self.best_value):
            self.best_value, self.best_step, self.worse = figures[self.choice.figure], self.step, 0
            self.best = self._weights()
        else:
            self.worse += 1
            if self.recipe.patience and self.worse >= self.recipe.patience:
                self.ended = f"no better {self.choice.figure} in {self.worse} evaluations"

    def _weights(self) -> dict[str, torch.Tensor]:
        """A copy, in the machine's own memory."""
        with device_turn(self.device):
            return {name: parameter.detach().to("cpu", copy=True) for name, parameter in self.parameters.items()}

    def _progress(self, pace: "_Pace") -> TrainingProgress:
        passed = pace.passed()
        return TrainingProgress(
            self.step,
            self.planned,
            self.steps[-1].loss,
            self.evaluations[-1].figures if self.evaluations else {},
            (self.examples - pace.examples) / passed,
            passed / (self.step - pace.step) * (self.planned - self.step),
            self.steps,
            self.evaluations,
        )

    def _save(self) -> None:
        if self.saved == self.step:
            return
        remembered: dict[str, dict[str, torch.Tensor]] = {}
        for name, parameter in self.parameters.items():
            for key, value in self.optimiser.state[parameter].items():
                remembered.setdefault(key, {})[name] = value
        present = TrainingState(
            self.step,
            {name: item.detach() for name, item in self.parameters.items()},
            remembered,
            {} if self.best_step == self.step else self.best,
            self.best_step,
            self.best_value,
            self.worse,
            tuple(self.steps),
            tuple(self.evaluations),
            self.examples,
            self.seconds,
            self.ended,
        )
        state.save(self.folder, self.identity, present)
        self.saved = self.step

    def finish(self) -> Run:
        """Put the best weights in the model."""
        with device_turn(self.device):
            copy_into(self.best, self.parameters)
        self.task.module.eval()
        return Run(
            self.planned,
            tuple(self.steps),
            tuple(self.evaluations),
            self.best_step,
            self.ended,
            self.examples,
            self.seconds,
        )


def _plain(value: torch.Tensor | float) -> float:
    return float(value.detach() if isinstance(value, torch.Tensor) else value)
