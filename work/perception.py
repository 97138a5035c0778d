"""Train the critics of a Perception Score, system by system and seed by seed; each that is done is kept on the way."""

import json
import shutil
import time
from collections.abc import Callable, Collection
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from core.analysis.perception import Trained
from core.durations import duration
from core.errors import InputError, NotFound
from core.files import replacing
from core.jobs import Job
from core.models.catalogue import ModelSource, Role, answers_at_once, locate
from core.notices import collecting
from core.people import TERMINAL
from core.training.history import Progress as Stepped
from core.training.perception_order import PerceptionOrder, perception_order, speed_key, work
from core.training.perception_pairs import SystemPairs, others, pairs_of
from db import perceptions, studies, texts
from work.watch import Cancelled, Progress, Watch

RATED = "rated"
"""In the order's folder: keys of the prompts that had been rated when the training began."""


def train_critics(job: Job, watch: Watch) -> dict[str, Any]:
    """Train what the job's settings ask for and keep what the critics say; returns the id of that.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot be done. What is done of it stays in the
    order's folder, so that the same job goes on there.
    """
    order = perception_order(job.settings)
    progress = Progress(job.id, 0, watch)
    progress.say(lambda: "Looking at the stories", now=True)
    pairs, groups, rated = _pairs(order)
    here = answers_at_once(order.base, Role.BASE)
    progress.say(lambda: "Looking for the model" if here else "Fetching the model", now=True)
    source = locate(order.base, Role.BASE)
    order.folder.mkdir(parents=True, exist_ok=True)
    with replacing(order.folder / RATED) as partial:
        partial.write_text(json.dumps(sorted(rated)), encoding="utf-8")
    with collecting() as notices:
        trained, fresh, passed = _until_deleted(order, lambda: _train(order, pairs, groups, source, progress))
    number = perceptions.add(TERMINAL, order.study, {**order.settings(), "model": source.at_revision}, trained)
    shutil.rmtree(order.folder)
    left_out = {one.system: one.left_out for one in pairs if one.left_out}
    seconds = round(sum(one.seconds for one in trained), 3)
    step = {"key": speed_key(order), "characters": work(order, fresh), "seconds": passed}
    return {
        "perception": number,
        "seconds": seconds,
        "left_out": left_out,
        "notices": notices,
        "steps": [step] if fresh else [],
    }


Groups = Callable[[SystemPairs], dict[str, Any]]
Told = tuple[list[Trained], int, float]


def _until_deleted(order: PerceptionOrder, train: Callable[[], Told]) -> Told:
    """What it has trained; where its study is deleted meanwhile, nothing of it stays: nobody could go on with it."""
    try:
        return train()
    except Cancelled:
        try:
            studies.get(order.study)
        except NotFound:
            order.discard()
        raise


def _pairs(order: PerceptionOrder) -> tuple[list[SystemPairs], Groups, Collection[str]]:
    """Of all systems, before anything costs time; and the prompts that had been rated when the training began, which
    decide what is tested on, however many are rated by now. Raises InputError in one sentence.
    """
    if texts.version(order.study) != order.version:
        raise InputError("The stories of this study are not those any more that this training was to use: start anew.")
    if not order.systems:
        raise InputError("Choose a system: a Perception Score is trained for one at a time.")
    records, rated = perceptions.records(TERMINAL, order.study)
    if (order.folder / RATED).is_file():
        rated = frozenset(json.loads((order.folder / RATED).read_text(encoding="utf-8")))
    pairs = [pairs_of(system, records, order.plan, rated) for system in order.systems]
    return pairs, lambda one: dict(others(one, records, order.plan)) if order.groups else {}, rated


def _train(
    order: PerceptionOrder, pairs: list[SystemPairs], groups: Groups, source: ModelSource, progress: Progress
) -> Told:
    """What the critics say; and of those that this run has trained from their beginning, which tell its speed, how many
    characters their texts have and how many seconds they took.
    """
    from core.training.train_perception import train_perception  # torch, which a worker may never need

    wanted = [(one, seed) for one in pairs for seed in order.plan.seeds]
    telling = _Telling(progress, len(wanted))
    found: list[Trained] = []
    fresh, seconds = 0, 0.0
    for one, seed in wanted:
        name = sha256(f"{one.system}/{seed}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        kept = order.folder / f"{name}.json"
        if kept.is_file():
            found.append(perceptions.trained_from(json.loads(kept.read_text(encoding="utf-8"))))
            telling.there()
            continue
        telling.begin(f"{one.system}, seed {seed}")
        resumed, begun = (order.folder / name).exists(), time.perf_counter()
        trained = train_perception(
            one,
            order.plan,
            seed,
            source,
            order.folder / name,
            telling.stepped,
            order.device,
            groups(one),
            telling.judging,
        )
        with replacing(kept) as partial:
            partial.write_text(json.dumps(asdict(trained)), encoding="utf-8")
        shutil.rmtree(order.folder / name)
        found.append(trained)
        if not resumed:
            fresh += one.characters
            seconds += time.perf_counter() - begun
    return found, fresh, seconds


class _Telling:
    """Writes into the job's row which critic is under way, and the time left in all."""

    def __init__(self, progress: Progress, critics: int) -> None:
        self._progress, self._critics = progress, critics
        self._number, self._before = 0, 0
        self._what = ""
        self._begun = time.perf_counter()

    def there(self) -> None:
        """One was there from before."""
        self._number += 1
        self._before += 1

    def begin(self, what: str) -> None:
        """The next one."""
        self._number += 1
        self._what = what

    def judging(self, group: str) -> None:
        """Raises Cancelled likewise."""
        self._progress.say(lambda: f"{self._what}: judging texts of {group}")

    def stepped(self, now: Stepped) -> None:
        """Raises Cancelled when somebody has asked the job to stop."""
        done = self._number - 1 + now.step / now.steps
        passed = time.perf_counter() - self._begun
        left = passed / (done - self._before) * (self._critics - done)
        self._progress.done, self._progress.total = round(done * now.steps), self._critics * now.steps
        self._progress.say(
            lambda: f"{self._what}: loss {now.loss:.3f}, about {duration(left)} left", now=now.step == now.steps
        )
