"""Train a metric: from an order to a checkpoint that is kept; stopped, the same job goes on where it was."""

import shutil
import time
from typing import Any

from core.durations import duration
from core.errors import InputError
from core.jobs import Job
from core.models.catalogue import ModelSource, Role, answers_at_once, locate
from core.models.shape import check_layers, usual_layers
from core.notices import collecting
from core.people import TERMINAL
from core.perturb.knowledge import knowledge_named
from core.training.curve import curve_of
from core.training.estimate import NEGATIVES, READING, TRAINING, check_sizes, size_of, works
from core.training.history import Progress as Trained
from core.training.order import Order, order_from
from core.training.overlap import judged_among, said
from db import checkpoints, corpora, overlap
from work.watch import Progress, Watch

_TRAINING = "Training"
_PHASES = {"Making": NEGATIVES, "Reading": READING}
"""Before it, by the word that what is told of them begins with."""


def train_metric(job: Job, watch: Watch) -> dict[str, Any]:
    """Train what the job's settings ask for and keep the checkpoint; returns its name, figures, curve and speeds.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot be done. Until the end the order's folder
    keeps what is trained; one whose training has not begun keeps nothing.
    """
    order = order_from(job.settings)
    try:
        return _union(order, Progress(job.id, 0, watch))
    except InputError:
        if not any((order.folder / part).exists() for part in ("readings", "training")):
            shutil.rmtree(order.folder, ignore_errors=True)
        raise


def _union(order: Order, progress: Progress) -> dict[str, Any]:
    progress.say(lambda: "Looking at the stories", now=True)
    stories = _stories(order)
    characters = sum(size_of(texts, order.words).characters for texts in stories.values())
    judged = judged_among((text for texts in stories.values() for text in texts), overlap.judged(TERMINAL))
    if judged and not order.overlap_allowed:
        raise InputError(f"{said(judged)} Take these stories out, or train on them all the same.")
    source = _base(order, progress)
    checkpoints.check_untrained(TERMINAL, order.settings(), source.at_revision)
    plan = order.plan(order.layers or usual_layers(source))
    check_layers(source, plan.layers)
    shutil.rmtree(order.folder / "checkpoint", ignore_errors=True)  # of a process that died before it was kept

    from core.training.train_union import train_union  # torch, which a worker without such work never needs

    telling = _Telling(progress)
    with collecting() as notices:
        made, run = train_union(
            order.name,
            stories,
            plan,
            source,
            knowledge_named(order.knowledge),
            order.folder,
            telling.tell,
            order.device,
            said(judged),
            stepped=telling.stepped,
        )
    kept = checkpoints.add(TERMINAL, made, order.name)
    shutil.rmtree(order.folder)
    return {
        "name": order.name,
        "weights": kept.card.weights,
        "pairs": sum(one.size for one in kept.card.data),
        "figures": {one.what: one.value for one in kept.card.figures},
        "curve": curve_of(run.planned, run.steps, run.evaluations, run.best).as_json(),
        "ended": run.ended,
        "seconds": round(run.seconds, 3),
        "steps": telling.speeds(order, characters, max(plan.layers), run.seconds),
        "notices": notices,
    }


def _stories(order: Order) -> dict[str, list[str]]:
    """By corpus. Raises InputError where the name is taken, or a corpus too small, before anything costs time."""
    checkpoints.check_free(TERMINAL, order.name)
    found = {one.name: corpora.texts_of(TERMINAL, one, order.folder) for one in order.stories}
    check_sizes({name: size_of(texts, order.words) for name, texts in found.items()})
    return found


def _base(order: Order, progress: Progress) -> ModelSource:
    here = answers_at_once(order.base or None, Role.BASE)
    progress.say(lambda: "Looking for the base" if here else "Fetching the base", now=True)
    return locate(order.base or None, Role.BASE)


class _Telling:
    """Writes into the job's row what a trainer tells: the phase, the time left in it, the curve so far."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._what = ""
        self._begun, self._before = 0.0, 0
        self._trained: Trained | None = None
        self._seconds: dict[str, float] = {}

    def stepped(self, trained: Trained) -> None:
        """Of the step that is told next."""
        self._trained = trained

    def tell(self, what: str, done: int, whole: int) -> None:
        """Raises Cancelled when somebody has asked the job to stop."""
        if self._trained is not None:
            what = _TRAINING
        if what != self._what:
            self._what, self._begun, self._before = what, time.perf_counter(), done
        left = None
        if more := done - self._before:  # what was there before, or came with the first word of it, says no pace
            passed = time.perf_counter() - self._begun
            left = passed / more * (whole - done)
            self._seconds[what] = passed / more * whole
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

    def speeds(self, order: Order, characters: int, top: int, trained: float) -> list[dict[str, Any]]:
        """What each phase took, from which later trainings are estimated; `trained`: seconds of all steps."""
        took = {TRAINING: trained}
        for what, passed in self._seconds.items():
            if what != _TRAINING:
                phase = _PHASES[what.split()[0]]
                took[phase] = took.get(phase, 0.0) + passed
        return [
            {"key": one.key, "characters": one.characters, "seconds": round(took[one.phase], 3)}
            for one in works(order, characters, top)
            if one.phase in took
        ]
