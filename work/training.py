"""What every training in the worker does: looks at stories and base, tells how far it is, keeps what it made."""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.durations import duration
from core.errors import InputError
from core.models.catalogue import ModelSource, Role, answers_at_once, locate
from core.notices import collecting
from core.people import TERMINAL
from core.training.checkpoint import Checkpoint
from core.training.curve import curve_of
from core.training.estimate import Work
from core.training.history import Progress as Trained
from core.training.history import Run
from core.training.order import Order
from core.training.overlap import judged_among, said
from db import checkpoints, corpora, overlap
from work.watch import Progress

TRAINING = "Training"
Train = Callable[["Telling"], tuple[Checkpoint, Run]]


def human_stories(order: Order, progress: Progress) -> tuple[dict[str, list[str]], str]:
    """The stories by corpus, and what the card says of those that people have rated.

    Raises InputError where the name is taken, or stories were rated and may not be: before anything costs time.
    """
    progress.say(lambda: "Looking at the stories", now=True)
    checkpoints.check_free(TERMINAL, order.name)
    found = {one.name: corpora.texts_of(TERMINAL, one, order.folder) for one in order.stories}
    judged = judged_among((text for texts in found.values() for text in texts), overlap.judged(TERMINAL))
    if judged and not order.overlap_allowed:
        raise InputError(f"{said(judged)} Take these stories out, or train on them all the same.")
    return found, said(judged)


def base_of(order: Order, progress: Progress) -> ModelSource:
    """The model that it stands on, once it is clear that the same training was not done before."""
    here = answers_at_once(order.base or None, Role.BASE)
    progress.say(lambda: "Looking for the base" if here else "Fetching the base", now=True)
    source = locate(order.base or None, Role.BASE)
    checkpoints.check_untrained(TERMINAL, order.settings(), source.at_revision)
    return source


def kept(order: Order, progress: Progress, train: Train) -> tuple[dict[str, Any], "Telling", Run]:
    """Train, keep the checkpoint, and say what a job's row does of it: name, figures, curve."""
    shutil.rmtree(order.folder / "checkpoint", ignore_errors=True)  # of a process that died before it was kept
    telling = Telling(progress)
    with collecting() as notices:
        made, run = train(telling)
    card = checkpoints.add(TERMINAL, made, order.name).card
    shutil.rmtree(order.folder)
    result = {
        "name": order.name,
        "weights": card.weights,
        "pairs": sum(one.size for one in card.data),
        "figures": {one.what: one.value for one in card.figures},
        "curve": curve_of(run.planned, run.steps, run.evaluations, run.best).as_json(),
        "ended": run.ended,
        "seconds": round(run.seconds, 3),
        "notices": notices,
    }
    return result, telling, run


def speeds(works: Sequence[Work], took: Mapping[str, float]) -> list[dict[str, Any]]:
    """What each phase took, from which later trainings are estimated; `took`: seconds by phase."""
    return [
        {"key": one.key, "characters": one.characters, "seconds": round(took[one.phase], 3)}
        for one in works
        if one.phase in took
    ]


class Telling:
    """Writes into the job's row what a trainer tells: the phase, the time left in it, the curve so far."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._what = ""
        self._begun, self._before = 0.0, 0
        self._trained: Trained | None = None
        self.seconds: dict[str, float] = {}

    def stepped(self, trained: Trained) -> None:
        """Of the step that is told next."""
        self._trained = trained

    def tell(self, what: str, done: int, whole: int) -> None:
        """Raises Cancelled when somebody has asked the job to stop."""
        if self._trained is not None:
            what = TRAINING
        if what != self._what:
            self._what, self._begun, self._before = what, time.perf_counter(), done
        left = None
        if more := done - self._before:  # what was there before, or came with the first word of it, says no pace
            passed = time.perf_counter() - self._begun
            left = passed / more * (whole - done)
            self.seconds[what] = passed / more * whole
        self._progress.done, self._progress.total = done, whole
        self._progress.say(
            lambda: self._message(left), now=done == whole, so_far=self._so_far if self._trained else None
        )

    def _message(self, left: float | None) -> str:
        told = [self._what]
        if self._trained is not None:
            auc = self._trained.figures.get("auc")
            told = [f"Training: loss {self._trained.loss:.3f}", *([] if auc is None else [f"held-out AUC {auc:.3f}"])]
        return ", ".join(told + ([] if left is None else [f"about {duration(left)} left"]))

    def _so_far(self) -> dict[str, Any]:
        trained = self._trained
        if trained is None:
            return {}
        return {"curve": curve_of(trained.steps, trained.history, trained.evaluations).as_json()}
