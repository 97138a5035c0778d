"""How a trainer reports its progress."""

from collections.abc import Callable

from core.training.engine.history import TrainingProgress

OnProgress = Callable[[str, int, int], None]
"""Told what is going on, how much of it is done, and of how much: of 0 while what that needs is loaded. It may raise
anything to stop.
"""
READING_STORIES = "Reading stories"


def nobody(_what: str, _done: int, _whole: int) -> None:
    """Hears it where nobody else does."""


def counter(say: OnProgress, what: str, whole: int) -> Callable[[int], None]:
    """Return a function that is called with how much more is done of the step `what`."""
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        say(what, done, whole)

    return count


def step_reporter(
    say: OnProgress, stepped: Callable[[TrainingProgress], None] | None, fold: int = 0, folds: int = 1
) -> Callable[[TrainingProgress], None]:
    """To be called with every step of the loop. Of several folds it speaks as of one training, since each takes about
    as many steps as this one.
    """
    which = f"model {fold + 1} of {folds}, " if folds > 1 else ""

    def step(progress: TrainingProgress) -> None:
        if stepped:
            stepped(progress)
        message = f"Training: {which}loss {progress.loss:.3f}"
        say(message, fold * progress.steps + progress.step, folds * progress.steps)

    return step
