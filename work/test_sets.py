"""Test sets: made from a study's human stories, and read by metrics; each batch of scores is stored when it is done."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.analysis.capability.scoring import lay_out
from core.durations import Pace, duration
from core.errors import FabulaError
from core.jobs import Job
from core.metrics import build
from core.metrics.base import Metric
from core.metrics.batches import STORIES_A_BATCH, score_batch
from core.metrics.run import Step, settings_of, steps
from core.notices import collecting
from core.people import TERMINAL
from core.perturb.negatives.sets import human_stories
from core.perturb.test_sets.about import about_made
from core.perturb.test_sets.making import made, order_from
from core.stories import Story
from db.studies import story_list
from db.test_sets import set_scores, test_sets
from db.transfer.demonstration import demonstration
from work.derivation import follow, known
from work.watch import Progress, Watch

EVERY = 10**9
"""All of a study's stories."""


def make_set(job: Job, watch: Watch) -> dict[str, Any]:
    """Make the test set that the job's settings order, and keep it under their `name`; returns its id and how many
    cases it has.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot be done: then nothing is kept.
    """
    order = order_from(job.settings)
    name = test_sets.check_name(TERMINAL, job.settings["name"])  # before the work, not after
    progress = Progress(job.id, 0, watch)
    if job.study_id is None and job.settings.get("study"):
        raise FabulaError("The study of this job has been deleted.")
    if job.study_id is None:
        records = human_stories(demonstration().stories)
    else:
        records, _ = story_list.whole(TERMINAL, job.study_id, job.settings["group"], most=EVERY)

    def told(what: str, done: int, number: int) -> None:
        progress.done, progress.total = done, number
        progress.say(lambda: what.capitalize())

    with collecting() as notices:
        found = made(records, order, told)
    kept = about_made(found, order, job.settings.get("study", ""), job.settings.get("group", "")).as_json()
    number = test_sets.add(TERMINAL, name, found.cases, kept)
    return {"test_set": number, "cases": len(found.cases), "stories": found.stories, "notices": notices}


@dataclass
class _Reader:
    """A metric at work on a set, and the texts that it has still to read."""

    metric: Metric
    signature_id: int
    left: list[tuple[str, Story]]


def read_set(job: Job, watch: Watch) -> dict[str, Any]:
    """Have the job's metrics read its test set; returns a row a metric, and what each step took.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot go on; what was scored is stored.
    """
    number = int(job.settings["test_set"])
    kept = test_sets.cases(TERMINAL, number, struck=False)
    layout = lay_out([one.case for one in kept])
    hashes = [story.content_hash for story in layout.stories]
    progress = Progress(job.id, 0, watch)
    with collecting() as notices:
        planned = [(step, _readers(job, step, number, hashes, layout.stories)) for step in steps(job.settings)]
        progress.total = sum(len(one.left) for _, readers in planned for one in readers)
        rows: list[dict[str, Any]] = []
        ran = []
        for step, readers in planned:
            read = _read(number, readers, progress)
            rows += read
            ran.append(_cost(step, readers, read))
    progress.say(lambda: "finished", now=True)
    costs = [one for one in ran if one["characters"]]
    return {"rows": rows, "steps": costs, "texts": len(hashes), "notices": [*layout.notices, *notices]}


def _readers(job: Job, step: Step, number: int, hashes: Sequence[str], stories: Sequence[Story]) -> list[_Reader]:
    found = []
    for name in step.metrics:
        metric = build(name, settings_of(job.settings, name))
        signature_id = set_scores.begin(number, metric.name, metric.signature)
        there = set(set_scores.known(signature_id, hashes))
        for derivation in known(metric):
            lacking = {key: story for key, story in zip(hashes, stories, strict=True) if key not in there}
            followed, values = follow(derivation, lacking)
            set_scores.store(number, signature_id, followed, values)
            there.update(followed)
        left = [(key, story) for key, story in zip(hashes, stories, strict=True) if key not in there]
        found.append(_Reader(metric, signature_id, left))
    return found


def _cost(step: Step, readers: Sequence[_Reader], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the step took, from which later runs are estimated; a text that several metrics read counts once."""
    read = {key: len(story.text) for one in readers for key, story in one.left}
    seconds = round(sum(row["seconds"] for row in rows), 3)
    return {"key": step.key, "characters": sum(read.values()), "seconds": seconds}


def _read(number: int, readers: Sequence[_Reader], progress: Progress) -> list[dict[str, Any]]:
    """Metrics that share a model take turns, batch by batch, so that what it has read serves all."""
    pace, before = Pace(), progress.done
    whole = sum(len(one.left) for one in readers)
    seconds = [0.0] * len(readers)

    def message() -> str:
        names = ", ".join(one.metric.name for one in readers)
        done = progress.done - before
        rate = pace.rate(done, time.perf_counter())
        if rate is None:
            return names
        return f"{names}: {rate / len(readers):,.1f} texts a second, about {duration((whole - done) / rate)} left"

    progress.say(message, now=True)
    for start in range(0, max((len(one.left) for one in readers), default=0), STORIES_A_BATCH):
        for i, one in enumerate(readers):
            batch = one.left[start : start + STORIES_A_BATCH]
            if not batch:
                continue
            since = time.perf_counter()
            found = score_batch(one.metric, [story for _, story in batch])
            seconds[i] += time.perf_counter() - since
            set_scores.store(number, one.signature_id, [key for key, _ in batch], found)
            progress.done += len(batch)
            progress.say(message)
    return [
        {
            "metric": one.metric.name,
            "signature": one.metric.signature,
            "scored": len(one.left),
            "seconds": round(took, 3),
        }
        for one, took in zip(readers, seconds, strict=True)
    ]
