"""Trains the critics of a Perception Score, system by system and seed by seed; each finished critic is stored on the
way.
"""

import json
import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from core.durations import WorkPace
from core.errors import InputError, NotFound
from core.files import replacing
from core.jobs import Job
from core.models.catalogue import ModelRole, ModelSource, answers_at_once, locate
from core.notices import collecting
from core.people import TERMINAL
from core.training.engine.history import TrainingProgress
from core.training.perception.order import PerceptionOrder, pass_steps, perception_order, speed_key, work
from core.training.perception.pairs import Generated, SystemPairs, others, pairs_of
from core.training.perception.scores import Trained
from db.studies import story_texts, studies
from db.training import perceptions
from work.watch import Cancelled, ProgressWriter, Watch

RATED = "rated"
"""In the order's folder: keys of the prompts that had been rated when the training began."""


def train_critics(job: Job, watch: Watch) -> dict[str, Any]:
    """Train what the job's settings ask for and keep what the critics say; returns the id of that.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot be done. What is done of it stays in the
    order's folder, so that the same job goes on there.
    """
    order = perception_order(job.settings)
    progress = ProgressWriter(job.id, 0, watch)
    progress.say(lambda: "Looking at the stories", now=True)
    pairs, groups, rated = _pairs(order)
    here = answers_at_once(order.base, ModelRole.BASE)
    progress.say(lambda: "Looking for the model" if here else "Fetching the model", now=True)
    source = locate(order.base, ModelRole.BASE)
    order.folder.mkdir(parents=True, exist_ok=True)
    with replacing(order.folder / RATED) as partial:
        partial.write_text(json.dumps(sorted(rated)), encoding="utf-8")
    with collecting() as notices:
        trained, fresh, passed = _until_deleted(order, lambda: _train(order, pairs, groups, source, progress))
    number = perceptions.add(TERMINAL, order.study, {**order.as_json(), "model": source.at_revision}, trained)
    shutil.rmtree(order.folder)
    left_out = {pair.system: pair.left_out for pair in pairs if pair.left_out}
    seconds = round(sum(item.seconds for item in trained), 3)
    step = {"key": speed_key(order), "characters": fresh, "seconds": passed}
    return {
        "perception": number,
        "seconds": seconds,
        "left_out": left_out,
        "notices": notices,
        "steps": [step] if fresh else [],
    }


Groups = Callable[[SystemPairs], dict[str, Any]]
CriticRun = tuple[list[Trained], int, float]


def _until_deleted(order: PerceptionOrder, train: Callable[[], CriticRun]) -> CriticRun:
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
    if story_texts.version(order.study) != order.version:
        raise InputError("The stories of this study are not those any more that this training was to use: start anew.")
    if not order.systems:
        raise InputError("Choose a system: a Perception Score is trained for one at a time.")
    records, rated = perceptions.records(TERMINAL, order.study)
    if (order.folder / RATED).is_file():
        rated = frozenset(json.loads((order.folder / RATED).read_text(encoding="utf-8")))
    pairs = [pairs_of(system, records, order.plan, rated) for system in order.systems]
    return pairs, lambda system_pairs: dict(others(system_pairs, records, order.plan)) if order.groups else {}, rated


def _train(
    order: PerceptionOrder, pairs: list[SystemPairs], groups: Groups, source: ModelSource, progress: ProgressWriter
) -> CriticRun:
    """What the critics say; and of those that this run has trained from their beginning, which tell its speed, how many
    characters they went through and how many seconds they took.
    """
    from core.training.perception.train import train_perception  # torch, which a worker may never need

    wanted = [(pair, seed) for pair in pairs for seed in order.plan.seeds]
    report = _CriticsReport(progress, len(wanted), order.plan.passes + 1)
    results: list[Trained] = []
    fresh, seconds = 0, 0.0
    for system_pairs, seed in wanted:
        name = sha256(f"{system_pairs.system}/{seed}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        kept = order.folder / f"{name}.json"
        if kept.is_file():
            results.append(perceptions.trained_from(json.loads(kept.read_text(encoding="utf-8"))))
            report.ended()
            continue
        other = groups(system_pairs)
        judged = {system_pairs.system: system_pairs.tested, **other}
        costs = {group: pass_steps(order.plan, texts) for group, texts in judged.items()}
        report.begin(f"{system_pairs.system}, seed {seed}", costs)
        resumed, begun = (order.folder / name).exists(), time.perf_counter()
        trained = train_perception(
            system_pairs,
            order.plan,
            seed,
            source,
            order.folder / name,
            report.stepped,
            order.device,
            other,
            report.judging,
        )
        with replacing(kept) as partial:
            partial.write_text(json.dumps(asdict(trained)), encoding="utf-8")
        shutil.rmtree(order.folder / name)
        results.append(trained)
        report.ended()
        if not resumed:
            fresh += work(order.plan, _length(system_pairs.trained), sum(map(_length, judged.values())))
            seconds += time.perf_counter() - begun
    report.whole()
    return results, fresh, seconds


def _length(pairs: Sequence[Generated]) -> int:
    return sum(len(pair.text) for pair in pairs)


class _CriticsReport:
    """Writes into the job's row which critic is under way, and the time left in all. Each judges so many `passes`."""

    def __init__(self, progress: ProgressWriter, critics: int, passes: int) -> None:
        self._progress, self._critics, self._passes = progress, critics, passes
        self._ended = 0
        self._what = ""
        self._costs: Mapping[str, float] = {}
        self._steps, self._judged = 0, 0.0
        self._pace = WorkPace()

    def begin(self, what: str, costs: Mapping[str, float]) -> None:
        """The next one; `costs`: of a pass over each group, in steps of training."""
        self._what, self._costs = what, costs
        self._steps, self._judged = 0, 0.0

    def stepped(self, now: TrainingProgress) -> None:
        """Raises Cancelled when somebody has asked the job to stop."""
        self._steps = now.steps
        self._say(now.step, f"loss {now.loss:.3f}", now.step == now.steps)

    def judging(self, group: str) -> None:
        """A pass over a group begins. Raises Cancelled likewise."""
        self._say(self._steps + self._judged, f"judging texts of {group}")
        self._judged += self._costs[group]

    def ended(self) -> None:
        """One is done, now or by an earlier run."""
        self._ended += 1

    def whole(self) -> None:
        """All are. Raises Cancelled likewise."""
        self._progress.done = self._progress.total
        self._progress.say(lambda: "Keeping what the critics say", now=True)

    def _say(self, step: float, doing: str, now: bool = False) -> None:
        steps = self._steps + self._passes * sum(self._costs.values())
        done = self._ended + step / steps
        self._progress.done, self._progress.total = round(done * steps), round(self._critics * steps)
        left = self._pace.left_text(done, self._critics, time.perf_counter())
        self._progress.say(lambda: f"{self._what}: {doing}{left}", now=now)
