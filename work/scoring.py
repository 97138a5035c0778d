"""Score a study: step by step, batch by batch, each batch stored as soon as it is done.

Stories are read a page at a time, so that memory does not grow with their number.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from core.durations import Pace, duration
from core.errors import FabulaError
from core.jobs import Job
from core.metrics import build
from core.metrics.base import Metric
from core.metrics.batches import STORIES_A_BATCH, Pending, plan, score_batch
from core.metrics.run import Sources, Step, parts_of, settings_of, sources_of, steps
from core.notices import collecting, notice
from db.jobs import jobs
from db.scores import scores
from work.derivation import follow, known
from work.watch import Cancelled, Progress, Watch

STORIES_A_PAGE = 2048


@dataclass
class _Wanted:
    """A metric of the run, and what it has cost so far."""

    name: str
    metric: Metric
    signature_id: int
    pending: int
    characters: int
    scored: int = 0
    seconds: float = 0.0


@dataclass
class _Running:
    """A step under way."""

    step: Step
    wanted: list[_Wanted]
    then: Sequence[str]
    """Metrics of the steps after it."""
    later: float | None
    """Seconds that these will take; None where one of them never ran here."""
    pace: Pace = field(default_factory=Pace)

    @property
    def total(self) -> int:
        return sum(one.pending for one in self.wanted)

    def message(self, done: int) -> str:
        """Which metrics, stories a second, and the time left, in all or until others have their turn."""
        names = ", ".join(one.metric.name for one in self.wanted)
        rate = self.pace.rate(done, time.perf_counter())
        if rate is None:
            return names
        left, then = (self.total - done) / rate, ""
        if self.later is None:
            then = f", then {', '.join(self.then)}"
        else:
            left += self.later
        return f"{names}: {rate / len(self.wanted):,.1f} stories a second, about {duration(left)} left{then}"


def score_study(job: Job, watch: Watch) -> dict[str, Any]:
    """Run the job's metrics on its study; returns what `score --json` prints, a row a metric in the order asked for.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot go on; what was scored is stored.
    """
    study_id = job.study_id
    if study_id is None:
        raise FabulaError("The study of this job has been deleted.")
    with collecting() as notices:
        sources = sources_of(job.settings)
        planned = [(step, _prepare(job, study_id, step, sources)) for step in steps(job.settings)]
        measured = jobs.speeds()
        times = [_time(step, wanted, measured) for step, wanted in planned]
        progress = Progress(job.id, sum(one.pending for _, wanted in planned for one in wanted), watch)
        ran = []
        for number, (step, wanted) in enumerate(planned):
            known = [time for time in times[number + 1 :] if time is not None]
            later = sum(known) if len(known) == len(times) - number - 1 else None
            then = [one.metric.name for _, after in planned[number + 1 :] for one in after if one.pending]
            running = _Running(step, wanted, then, later)
            progress.say(partial(running.message, 0), now=True)
            _run(study_id, running, progress, sources)
            ran.append(_cost(running))
        for name in job.settings["metrics"]:
            if parts := parts_of(name):
                _blend(study_id, build(name, settings_of(job.settings, name)), parts)
    progress.say(lambda: "finished", now=True)
    rows = [_row(study_id, one, sources) for _, wanted in planned for one in wanted]
    rows.sort(key=lambda row: job.settings["metrics"].index(row.pop("asked")))
    return {"rows": rows, "steps": [one for one in ran if one["characters"]], "notices": notices}


def _prepare(job: Job, study_id: int, step: Step, sources: Sources) -> list[_Wanted]:
    found = []
    for name in step.metrics:
        if jobs.beat(job.id, message=f"preparing {name}"):
            raise Cancelled
        metric = build(name, settings_of(job.settings, name, lambda: scores.reference_texts(study_id)))
        signature_id = scores.begin_run(study_id, metric.name, metric.signature)
        _follow(study_id, metric, signature_id, sources)
        ((pending, characters),) = scores.count_pending(study_id, [[signature_id]], sources)
        found.append(_Wanted(name, metric, signature_id, pending, characters))
    return found


def _follow(study_id: int, metric: Metric, signature_id: int, sources: Sources) -> None:
    """Store what follows from stored scores, before anything is read."""
    for derivation in known(metric):
        position = -1
        while (found := scores.pending(study_id, [signature_id], position, STORIES_A_PAGE, sources))[1] != position:
            page, position = found
            hashes, made = follow(derivation, {one.content_hash: one.story for one in page})
            scores.store(study_id, signature_id, hashes, made)


def _time(step: Step, wanted: Sequence[_Wanted], measured: Mapping[str, float]) -> float | None:
    """Seconds that a step will take, None where nobody has seen how fast it is here."""
    characters = max(one.characters for one in wanted)
    if not characters:
        return 0.0
    return characters / measured[step.key] if step.key in measured else None


def _blend(study_id: int, blend: Metric, parts: Sequence[str]) -> None:
    """Remember in which way it is wanted: there is nothing to store of it."""
    scores.begin_run(study_id, blend.name, blend.signature)
    notice(f"{blend.name} is made of {' and '.join(parts)} in every analysis of the study: these were scored.")


def _run(study_id: int, running: _Running, progress: Progress, sources: Sources) -> None:
    before = progress.done
    position, ids = -1, [one.signature_id for one in running.wanted if one.pending]
    size = _batch_size(running.wanted)
    while ids:
        page, reached = scores.pending(study_id, ids, position, STORIES_A_PAGE, sources)
        if reached == position:
            return
        position = reached
        for batch in plan(page, size):
            for one in running.wanted:
                _score(study_id, one, [p for p in batch if one.signature_id in p.missing], running, progress, before)


def _batch_size(wanted: Sequence[_Wanted]) -> int:
    """A GPU needs many texts at once to be busy."""
    if not any(one.metric.role for one in wanted):
        return STORIES_A_BATCH
    from core.models.network import resolve_device

    return STORIES_A_PAGE if resolve_device(wanted[0].metric.settings.device) == "cuda" else STORIES_A_BATCH


def _score(
    study_id: int, one: _Wanted, batch: Sequence[Pending], running: _Running, progress: Progress, before: int
) -> None:
    if not batch:
        return
    told = 0

    def on_progress(count: int) -> None:
        nonlocal told
        told += count
        progress.done += count
        if told < len(batch):  # a finished batch is stored before anybody can stop the run
            progress.say(lambda: running.message(progress.done - before))

    begun = time.perf_counter()
    found = score_batch(one.metric, [p.story for p in batch], on_progress)
    one.seconds += time.perf_counter() - begun
    one.scored += len(batch)
    progress.done += len(batch) - told
    scores.store(study_id, one.signature_id, [p.content_hash for p in batch], found)
    progress.say(lambda: running.message(progress.done - before))


def _cost(running: _Running) -> dict[str, Any]:
    """What the step took, from which later runs are estimated."""
    characters = max(one.characters for one in running.wanted)
    return {
        "key": running.step.key,
        "characters": characters,
        "seconds": round(sum(one.seconds for one in running.wanted), 3),
    }


def _row(study_id: int, one: _Wanted, sources: Sources) -> dict[str, Any]:
    reasons = scores.undefined(study_id, one.signature_id, sources)
    return {
        "asked": one.name,
        "metric": one.metric.name,
        "signature": one.metric.signature,
        "scored": one.scored,
        "reused": max(0, scores.count_stories(study_id, sources) - one.scored),
        "undefined": sum(reasons.values()),
        "reasons": reasons,
        "seconds": round(one.seconds, 3),
    }
