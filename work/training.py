"""What every training in the worker does: looks at stories and base, tells how far it is, keeps what it made."""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.checkpoints.checkpoint import Checkpoint
from core.checkpoints.overlap import judged_among, said
from core.durations import Pace, duration
from core.errors import InputError
from core.models.catalogue import ModelSource, answers_at_once, locate
from core.notices import collecting
from core.people import TERMINAL
from core.training.engine.cost import NEGATIVES, READING, TRAINING, Work
from core.training.engine.curve import curve_of
from core.training.engine.history import Progress as Trained
from core.training.engine.history import Run
from core.training.engine.order import Order
from db.studies import story_texts
from db.training import checkpoints, corpora, overlap
from work.watch import Progress

_PHASES = {"Making": NEGATIVES, "Reading": READING}
"""Before a training itself, by the word that what is told of them begins with."""
HELD_OUT = {"auc": "AUC", "nll": "loss"}
"""Figures of evaluations by which the best weights are told, and what they are called."""
Train = Callable[["Telling"], tuple[Checkpoint, Sequence[Run]]]
"""What it made, and its runs: one a model that the loop has trained."""


def human_stories(order: Order, progress: Progress) -> tuple[dict[str, list[str]], str]:
    """The stories by corpus, and what the card says of those that people have rated.

    Raises InputError where the name is taken, or stories were rated and may not be: before anything costs time.
    """
    progress.say(lambda: "Looking at the stories", now=True)
    checkpoints.check_free(TERMINAL, order.name)
    found = {one.name: corpora.texts_of(TERMINAL, one, order.folder) for one in order.stories}
    judged = judged_among((text for some in found.values() for text in some), overlap.judged(TERMINAL))
    if judged and not order.overlap_allowed:
        raise InputError(f"{said(judged)} Take these stories out, or train on them all the same.")
    return found, said(judged)


def characters(stories: Mapping[str, Sequence[str]]) -> int:
    """Of all stories."""
    return sum(len(text) for some in stories.values() for text in some)


def base_of(order: Order, progress: Progress) -> ModelSource:
    """The model that it stands on, once it is clear that the same training was not done before."""
    here = answers_at_once(order.base or None, order.role)
    progress.say(lambda: "Looking for the base" if here else "Fetching the base", now=True)
    source = locate(order.base or None, order.role)
    if not order.of_ratings:
        checkpoints.check_untrained(TERMINAL, order.settings(), source.at_revision)
    return source


def study_ids(order: Order) -> dict[str, int]:
    """The studies that an order is of, by name.

    Raises InputError where the checkpoint's name is taken, or a study's stories are not those any more.
    """
    checkpoints.check_free(TERMINAL, order.name)
    found = {}
    for one in order.stories:
        if one.study is None or story_texts.version(one.study) != one.version:
            raise InputError(corpora.CHANGED.format(one.name))
        found[one.name] = one.study
    return found


def kept(order: Order, progress: Progress, train: Train, works: Sequence[Work] = ()) -> dict[str, Any]:
    """Train, keep the checkpoint, and say what a job's row does of it: name, figures, curve, and the speeds of its
    phases, of which `works` tells how much there was to do. Where several models were trained the curve is the first's.
    """
    shutil.rmtree(order.folder / "checkpoint", ignore_errors=True)  # of a process that died before it was kept
    telling = Telling(progress)
    with collecting() as notices:
        made, trained = train(telling)
    card = checkpoints.add(TERMINAL, made, order.name).card
    shutil.rmtree(order.folder)
    first = next(iter(trained), None)
    took = {TRAINING: sum(run.seconds for run in trained)}
    for what, seconds in telling.seconds.items():
        if phase := _PHASES.get(what.split()[0]):
            took[phase] = took.get(phase, 0.0) + seconds
    return {
        "name": order.name,
        "weights": card.weights,
        "pairs": sum(one.size for one in card.data),
        "figures": {one.what: one.value for one in card.figures},
        "curve": first and curve_of(first.planned, first.steps, first.evaluations, first.best).as_json(),
        "ended": first.ended if first else "",
        "seconds": round(took[TRAINING], 3),
        "notices": notices,
        "steps": [
            {"key": one.key, "characters": one.characters, "seconds": round(took[one.phase], 3)}
            for one in works
            if took.get(one.phase)
        ],
    }


def one_run(made: tuple[Checkpoint, Run]) -> tuple[Checkpoint, tuple[Run]]:
    """Of a trainer that trains one model."""
    return made[0], (made[1],)


class Telling:
    """Writes into the job's row what a trainer tells: the phase, the time left in it, the curve so far."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._what = ""
        self._begun, self._before = 0.0, 0
        self._pace = Pace()
        self._trained: Trained | None = None
        self.seconds: dict[str, float] = {}

    def stepped(self, trained: Trained) -> None:
        """Of the step that is told next."""
        self._trained = trained

    def tell(self, what: str, done: int, whole: int) -> None:
        """Raises Cancelled when somebody has asked the job to stop."""
        what = what.split(":")[0]  # what follows changes with every step
        if what != self._what:
            self._what, self._begun, self._before = what, time.perf_counter(), done
            self._pace = Pace()
        now = time.perf_counter()
        left = self._pace.left(done, whole, now)
        if more := done - self._before:  # what was there before, or came with the first word of it, says no pace
            self.seconds[what] = (now - self._begun) / more * whole
        self._progress.done, self._progress.total = done, whole
        self._progress.say(
            lambda: self._message(left), now=done == whole, so_far=self._so_far if self._trained else None
        )

    def _message(self, left: float | None) -> str:
        told = [self._what]
        if self._trained is not None:
            figures = self._trained.figures
            told[0] += f": loss {self._trained.loss:.3f}"
            told += [f"held-out {name} {figures[key]:.3f}" for key, name in HELD_OUT.items() if key in figures]
        return ", ".join(told + ([] if left is None else [f"about {duration(left)} left"]))

    def _so_far(self) -> dict[str, Any]:
        trained = self._trained
        if trained is None:
            return {}
        return {"curve": curve_of(trained.steps, trained.history, trained.evaluations).as_json()}
