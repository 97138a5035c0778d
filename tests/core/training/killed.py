"""Train in processes that are killed at many moments, one after another, and compare with a training left alone.

A program of its own: the processes are forked before torch has threads, so that each starts in milliseconds.
"""

import os
import signal
import sys
import tempfile
from pathlib import Path
from unittest import mock

from core import files
from core.checkpoints import tensors
from core.training.engine import state
from core.training.engine.history import TrainingProgress
from core.training.engine.loop import train
from core.training.engine.recipe import Recipe
from core.training.engine.state import STATE
from tests.core.training.tiny import Tiny

RECIPE = Recipe(epochs=4, learning_rate=0.05, evaluate_every=3, checkpoint_every=4, accumulation=2)
MOMENTS = ["step 1", "step 3", "step 4", "write 1", "half 1", "rename 1", "kept 1", "step 6", "half 2", "rename 1"]
MOMENTS += ["step 12", "half 1"]
"""One process each: after a step; before, in the middle of or after its n-th write of the state; after the rename."""


def die() -> None:
    """As the kernel does it when memory is short."""
    os.kill(os.getpid(), signal.SIGKILL)


def trained(folder: Path, moment: str = "") -> None:
    """Train to the end, or to the moment, and write the weights into a file."""
    what, _, number = moment.partition(" ")
    writes = 0
    real, settle = tensors.write, files.on_the_disk

    def on_progress(progress: TrainingProgress) -> None:
        if what == "step" and progress.step >= int(number):
            die()

    def write(path: Path, *rest: object) -> None:
        nonlocal writes
        writes += 1
        if what == "write" and writes == int(number):
            die()
        real(path, *rest)  # type: ignore[arg-type]
        if what == "half" and writes == int(number):
            path.write_bytes(path.read_bytes()[:-999])
            die()
        if what == "rename" and writes == int(number):
            die()

    def on_the_disk(path: Path) -> None:
        settle(path)
        if what == "kept" and path == folder and writes == int(number):
            die()

    task = Tiny()
    with mock.patch.object(tensors, "write", write), mock.patch.object(files, "on_the_disk", on_the_disk):
        train(task, RECIPE, folder, on_progress)
    tensors.write(folder / "weights", task.weights())


def process(folder: Path, moment: str = "") -> bool:
    """Do so in a process of its own; whether it was killed."""
    child = os.fork()
    if not child:
        try:
            trained(folder, moment)
        finally:
            os._exit(int(not (folder / "weights").exists()))
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.waitstatus_to_exitcode(status):
        sys.exit(f"the process to be killed at {moment!r} failed")
    return os.WIFSIGNALED(status)


def main() -> None:
    """Print how many were killed, and whether the weights are the same."""
    with tempfile.TemporaryDirectory() as name:
        whole, cut = Path(name) / "whole", Path(name) / "cut"
        process(whole)
        killed = sum(process(cut, moment) for moment in MOMENTS)
        process(cut)
        left = sorted(file.name for file in cut.iterdir())
        equal = (whole / "weights").read_bytes() == (cut / "weights").read_bytes()
        print(killed, "kills,", "same" if equal and left == [STATE, "weights"] else f"other {left}", "weights")


if __name__ == "__main__":
    assert state.tensors is tensors
    main()
