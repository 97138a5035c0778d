"""The loop against the same written out, and what may stop it."""

import math
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import torch
from torch import nn

from core.errors import FabulaError, InputError, StorageError
from core.home import ROOT
from core.models.network import device_turn
from core.training.engine.history import TrainingProgress
from core.training.engine.loop import train
from core.training.engine.recipe import Criterion, Recipe
from core.training.engine.state import STATE
from core.training.engine.task import Losses
from tests.core.training.tiny import Points, Tiny, same

PLAIN = Recipe(epochs=3, learning_rate=0.05, warm_up=0.2, weight_decay=0.1, clip=0.5, accumulation=2)


def by_hand(task: Tiny, recipe: Recipe) -> list[float]:
    """The same training, slowly: each step one large batch, with AdamW as its paper has it; returns the losses.

    Loshchilov and Hutter (2019), algorithm 2.
    """
    losses = []
    steps = [
        (torch.cat([x for x, _ in part]), torch.cat([y for _, y in part]))
        for epoch in range(recipe.epochs or 0)
        for batches in [task.batches(epoch, recipe.seed)]
        for part in [batches[i : i + recipe.accumulation] for i in range(0, len(batches), recipe.accumulation)]
    ]
    first = {name: torch.zeros_like(item) for name, item in task.module.named_parameters()}
    second = {name: torch.zeros_like(item) for name, item in task.module.named_parameters()}
    for t, batch in enumerate(steps, 1):
        warm = round(len(steps) * recipe.warm_up)
        share = t / (warm + 1) if t <= warm else (len(steps) - t + 1) / (len(steps) - warm)
        task.module.zero_grad()
        loss = task.loss(batch).total
        loss.backward()
        losses.append(loss.item())
        norm = math.sqrt(sum(float(item.grad.double().pow(2).sum()) for item in task.module.parameters()))
        with torch.no_grad():
            for name, parameter in task.module.named_parameters():
                gradient = parameter.grad * min(1.0, recipe.clip / norm)
                first[name] = 0.9 * first[name] + 0.1 * gradient
                second[name] = 0.999 * second[name] + 0.001 * gradient**2
                update = (first[name] / (1 - 0.9**t)) / ((second[name] / (1 - 0.999**t)).sqrt() + 1e-8)
                decay = recipe.weight_decay if parameter.ndim > 1 else 0
                parameter -= recipe.learning_rate * share * (update + decay * parameter)
    return losses


def test_it_is_the_loop_that_one_would_write_by_hand(tmp_path: Path) -> None:
    ours, theirs = (
        Tiny(37, dropout=0),
        Tiny(37, dropout=0),
    )  # the last batch of an epoch has five points, the others eight
    run = train(ours, PLAIN, tmp_path)
    losses = by_hand(theirs, PLAIN)
    assert run.planned == len(run.steps) == len(losses) == 9
    assert [step.loss for step in run.steps] == pytest.approx(losses, abs=1e-6)
    for name, weight in theirs.weights().items():
        assert torch.allclose(ours.weights()[name], weight, atol=1e-6), name
    assert [step.step for step in run.steps] == list(range(1, 10))
    assert [step.rate for step in run.steps] == [PLAIN.rate(step, 9) for step in range(1, 10)]
    assert run.examples == 3 * 37
    assert run.steps[-1].parts.keys() == {"entropy", "size"}
    assert run.steps[0].loss == pytest.approx(run.steps[0].parts["entropy"] + 0.01 * run.steps[0].parts["size"])
    assert not ours.module.training
    assert run.best == 9
    assert run.ended == "all steps are done"


def test_several_batches_are_as_one_large_one(tmp_path: Path) -> None:
    small, large = Tiny(24, 3, dropout=0), Tiny(24, 12, dropout=0)
    recipe = {"epochs": 2, "learning_rate": 0.05, "clip": 0.0}
    train(small, Recipe(accumulation=4, **recipe), tmp_path / "small")
    train(large, Recipe(**recipe), tmp_path / "large")
    for name, weight in large.weights().items():
        assert torch.allclose(small.weights()[name], weight, atol=1e-6), name


def test_epochs_and_steps_say_the_same(tmp_path: Path) -> None:
    tiny, other = Tiny(), Tiny()
    assert train(tiny, Recipe(epochs=2, learning_rate=0.05), tmp_path / "1").planned == 10
    train(other, Recipe(steps=10, learning_rate=0.05), tmp_path / "2")
    assert same(tiny.weights(), other.weights())
    assert len(train(Tiny(), Recipe(steps=7), tmp_path / "3").steps) == 7


def test_neither_evaluations_nor_the_process_change_the_numbers_drawn(tmp_path: Path) -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    tiny = Tiny()
    train(tiny, Recipe(epochs=2, learning_rate=0.05), tmp_path / "1")
    assert torch.equal(torch.get_rng_state(), before)
    torch.rand(100)
    other = Tiny()
    run = train(other, Recipe(epochs=2, learning_rate=0.05, evaluate_every=3), tmp_path / "2")
    assert [evaluation.step for evaluation in run.evaluations] == [3, 6, 9, 10]
    if run.best == 10:
        assert same(tiny.weights(), other.weights())
    third = Tiny()
    train(third, Recipe(epochs=2, learning_rate=0.05, seed=1), tmp_path / "3")
    assert not same(tiny.weights(), third.weights())


class Told(Tiny):
    """A task whose evaluations are told beforehand."""

    def __init__(self, values: Sequence[float]) -> None:
        super().__init__()
        self.values, self.seen = list(values), list[dict[str, torch.Tensor]]()
        self.chosen_by = Criterion("told")

    def evaluate(self) -> Mapping[str, float]:
        self.seen.append(self.weights())
        return {"told": self.values[len(self.seen) - 1], "human": -len(self.seen)}


def test_the_best_weights_are_kept_and_it_stops_when_nothing_gets_better(tmp_path: Path) -> None:
    task = Told([0.1, 0.5, math.nan, 0.5, 0.2, 0.9])
    recipe = Recipe(epochs=9, learning_rate=0.05, evaluate_every=2, patience=3)
    run = train(task, recipe, tmp_path)
    assert (run.best, len(run.steps), run.planned) == (4, 10, 45)
    assert run.ended == "no better told in 3 evaluations"
    assert same(task.weights(), task.seen[1])
    again = Told([])
    assert train(again, recipe, tmp_path).best == 4  # what has ended is there at once
    assert same(again.weights(), task.seen[1])


def test_human_judgments_choose_only_where_the_recipe_says_so(tmp_path: Path) -> None:
    recipe = Recipe(steps=3, learning_rate=0.05, evaluate_every=1, chosen_by=Criterion("human"))
    assert train(Told([1, 2, 3]), recipe, tmp_path / "1").best == 1
    with pytest.raises(InputError, match="no figure 'mood' to choose the weights by; there is told, human"):
        train(Told([1]), Recipe(steps=1, chosen_by=Criterion("mood")), tmp_path / "2")
    run = train(Told([math.nan]), Recipe(steps=1), tmp_path / "3")
    assert run.best is None


class Cancelled(BaseException):
    """As the worker raises it."""


def test_cancel_and_resume_is_as_if_nothing_had_been(tmp_path: Path) -> None:
    recipe = Recipe(epochs=3, learning_rate=0.05, evaluate_every=2, accumulation=2, checkpoint_every=0)
    whole = Tiny()
    expected = train(whole, recipe, tmp_path / "whole")
    steps: list[TrainingProgress] = []

    def stop(progress: TrainingProgress) -> None:
        steps.append(progress)
        if (
            progress.step in (1, 4, 9)
            and [training_progress.step for training_progress in steps].count(progress.step) == 1
        ):
            raise Cancelled

    for step in (1, 4, 9):
        task = Tiny()
        with pytest.raises(Cancelled):
            train(task, recipe, tmp_path / "cut", stop)
        assert steps[-1].step == step
        assert [file.name for file in (tmp_path / "cut").iterdir()] == [STATE]
    last = Tiny()
    run = train(last, recipe, tmp_path / "cut", stop)
    assert same(last.weights(), whole.weights())
    assert [training_progress.step for training_progress in steps] == list(range(1, 10))
    assert [(step_record.step, step_record.loss, step_record.parts, step_record.rate) for step_record in run.steps] == [
        (step_record.step, step_record.loss, step_record.parts, step_record.rate) for step_record in expected.steps
    ]
    assert (run.evaluations, run.best, run.examples) == (expected.evaluations, expected.best, expected.examples)
    seconds = [step_record.seconds for step_record in run.steps]
    assert seconds == sorted(seconds)
    assert steps[0].figures == {}
    assert steps[1].figures == dict(expected.evaluations[0].figures)
    assert all(
        training_progress.rate > 0 and training_progress.seconds_left >= 0 and training_progress.steps == 9
        for training_progress in steps
    )
    assert steps[-1].seconds_left == 0


class Halting(Tiny):
    """Somebody stops it in the middle of the evaluations of these numbers."""

    def __init__(self, *halts: int) -> None:
        super().__init__()
        self.halts, self.evaluated = halts, 0

    def evaluate(self) -> Mapping[str, float]:
        self.evaluated += 1
        if self.evaluated in self.halts:
            raise Cancelled
        return super().evaluate()


def test_an_evaluation_that_was_stopped_is_made_up_for(tmp_path: Path) -> None:
    recipe = Recipe(epochs=2, learning_rate=0.05, evaluate_every=4, checkpoint_every=0)
    whole = Tiny()
    expected = train(whole, recipe, tmp_path / "whole")
    assert [evaluation.step for evaluation in expected.evaluations] == [4, 8, 10]
    for halts in ((2,), (1,), (2,)):  # after step 8, again after step 8, after step 10
        with pytest.raises(Cancelled):
            train(Halting(*halts), recipe, tmp_path / "cut")
    last = Tiny()
    run = train(last, recipe, tmp_path / "cut")
    assert same(last.weights(), whole.weights())
    assert (run.evaluations, run.best, run.ended) == (expected.evaluations, expected.best, expected.ended)
    assert [step.loss for step in run.steps] == [step.loss for step in expected.steps]
    again = train(
        Halting(1), recipe, tmp_path / "cut"
    )  # which would stop if it evaluated: what was made up for is kept
    assert again.evaluations == expected.evaluations


def test_best_weights_are_kept_over_an_interruption(tmp_path: Path) -> None:
    recipe = Recipe(steps=6, learning_rate=0.05, evaluate_every=2)

    def stop(progress: TrainingProgress) -> None:
        if progress.step % 2 == 0:
            raise Cancelled

    first, second, third = Told([0.9]), Told([0.1]), Told([0.2])
    for task in (first, second):
        with pytest.raises(Cancelled):
            train(task, recipe, tmp_path, stop)
    run = train(third, recipe, tmp_path)
    assert run.best == 2
    assert same(third.weights(), first.seen[0])
    assert not same(third.weights(), third.seen[0])


def test_another_training_does_not_go_on_from_there(tmp_path: Path) -> None:
    train(Tiny(), Recipe(steps=2), tmp_path)
    before = (tmp_path / STATE).read_bytes()
    other = Tiny()
    other.module.append(nn.Linear(1, 1))
    for task, recipe, words in (
        (Tiny(), Recipe(steps=2, learning_rate=1e-3), "with the learning_rate 5e-05, not 0.001"),
        (Tiny(), Recipe(epochs=2), "with the epochs None, not 2"),
        (Tiny(48), Recipe(steps=2), "of a training on other data"),
        (other, Recipe(steps=2), "of a training of other parameters"),
    ):
        with pytest.raises(InputError, match=words):
            train(task, recipe, tmp_path)
    assert (tmp_path / STATE).read_bytes() == before
    for spoilt, words in ((before[: len(before) // 2], "damaged or of another kind"), (b"\x80\x04pickle", "damaged")):
        (tmp_path / STATE).write_bytes(spoilt)
        with pytest.raises(InputError, match=words):
            train(Tiny(), Recipe(steps=2), tmp_path)


class Spoilt(Tiny):
    """A task whose loss, or whose gradient alone, is no number in its seventh batch."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what, self.calls = what, 0

    def loss(self, batch: Points) -> Losses:
        self.calls += 1
        losses = super().loss(batch)
        if self.calls != 7:
            return losses
        spoilt = losses.total * math.nan if self.what == "loss" else torch.sqrt(losses.total * 0)
        return Losses(spoilt, losses.weight)


@pytest.mark.parametrize(("what", "words"), [("loss", "loss is nan"), ("gradient", "gradient's norm is")])
def test_a_loss_that_is_no_number_stops_it_and_spoils_nothing(tmp_path: Path, what: str, words: str) -> None:
    recipe = Recipe(epochs=2, learning_rate=0.05, checkpoint_every=5, precision="bfloat16")
    task = Spoilt(what)
    with pytest.raises(FabulaError, match=f"step 7, where the {words}.*: try a smaller learning rate, or float32"):
        train(task, recipe, tmp_path)
    assert all(bool(weight.isfinite().all()) for weight in task.weights().values())
    seen: list[int] = []
    train(Tiny(), recipe, tmp_path, lambda progress: seen.append(progress.step))
    assert seen == [6, 7, 8, 9, 10]


def test_few_examples_none_and_nothing_to_train(tmp_path: Path) -> None:
    run = train(Tiny(3), Recipe(epochs=2, accumulation=8), tmp_path / "few")
    assert (len(run.steps), run.examples) == (2, 6)
    with pytest.raises(InputError, match="nothing to train on"):
        train(Tiny(0), Recipe(epochs=1), tmp_path / "none")
    frozen = Tiny()
    frozen.module.requires_grad_(False)
    with pytest.raises(InputError, match="all weights of the model are frozen"):
        train(frozen, Recipe(epochs=1), tmp_path / "frozen")
    half = Tiny()
    half.module.bfloat16()
    with pytest.raises(InputError, match="load the model in float32"):
        train(half, Recipe(epochs=1), tmp_path / "half")
    with pytest.raises(InputError, match="There is no device 'tpu'"):
        train(Tiny(), Recipe(epochs=1), tmp_path / "device", device="tpu")
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        train(Tiny(), Recipe(epochs=1), tmp_path / "file" / "inside")


def test_frozen_parameters_stay_as_they_are_and_are_not_saved(tmp_path: Path) -> None:
    task = Tiny()
    task.module[0].requires_grad_(False)  # type: ignore[index]
    before = task.weights()
    train(task, Recipe(epochs=2, learning_rate=0.05), tmp_path)
    after = task.weights()
    assert [name for name in before if torch.equal(before[name], after[name])] == ["0.weight", "0.bias"]
    assert b"weights/3.weight" in (tmp_path / STATE).read_bytes()
    assert b"weights/0.weight" not in (tmp_path / STATE).read_bytes()


def test_bfloat16_learns_the_same_line(tmp_path: Path) -> None:
    task = Tiny(200, dropout=0)
    run = train(task, Recipe(epochs=4, learning_rate=0.05, precision="bfloat16"), tmp_path)
    assert {weight.dtype for weight in task.weights().values()} == {torch.float32}
    assert run.evaluations[-1].figures["right"] > 0.9


def test_others_get_the_device_between_two_steps(tmp_path: Path) -> None:
    waiting, got = threading.Event(), list[int]()
    steps: list[int] = []

    def read() -> None:
        waiting.set()
        with device_turn("cpu"):
            got.append(len(steps))

    class Shared(Tiny):
        def loss(self, batch: Points) -> Losses:
            if len(steps) == 3:
                thread.start()
                waiting.wait()
                threading.Event().wait(0.05)  # until it stands in the queue
            return super().loss(batch)

    thread = threading.Thread(target=read)
    train(Shared(), Recipe(steps=40), tmp_path, lambda progress: steps.append(progress.step))
    thread.join()
    assert 3 <= got[0] <= 5


def test_a_full_disk_is_one_sentence_and_the_last_state_stays(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("a small disk can be mounted by root only")
    try:
        recipe = Recipe(epochs=4, learning_rate=0.05, checkpoint_every=5)

        def fill(progress: TrainingProgress) -> None:
            if progress.step == 7:
                with pytest.raises(OSError, match="No space left"):
                    (disk / "filler").write_bytes(b"x" * 2**18)

        with pytest.raises(StorageError, match=rf"The disk that holds {disk / STATE} is full; free some space"):
            train(Tiny(), recipe, disk, fill)
        assert {file.name for file in disk.iterdir()} == {STATE, "filler"}
        (disk / "filler").unlink()
        seen: list[int] = []
        task, whole = Tiny(), Tiny()
        train(task, recipe, disk, lambda progress: seen.append(progress.step))
        assert seen[0] == 6
        train(whole, recipe, tmp_path / "whole")
        assert same(task.weights(), whole.weights())
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_file_that_may_not_grow_is_one_sentence_too(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, hard))
    try:
        with pytest.raises(StorageError, match=rf"{STATE} cannot be written: File too large"):
            train(Tiny(), Recipe(epochs=1), tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_is_one_sentence(tmp_path: Path) -> None:
    class Large(Tiny):
        def loss(self, batch: Points) -> Losses:
            raise torch.OutOfMemoryError("CUDA out of memory")

    with pytest.raises(FabulaError, match="Step 1 does not fit into the memory: take smaller batches"):
        train(Large(), Recipe(epochs=1), tmp_path)


def test_a_kill_anywhere_changes_no_bit() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.training.killed"],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["12", "kills,", "same", "weights"]
