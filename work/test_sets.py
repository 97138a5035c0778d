"""Makes test sets from a study's human stories, and lets metrics read them; each batch of scores is stored when it is
done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.analysis.capability.scoring import lay_out
from core.errors import FabulaError, InputError
from core.jobs import Job
from core.judges.study import JudgedStudy
from core.metrics import build
from core.metrics.base import Metric, Scores
from core.metrics.batches import STORIES_A_BATCH
from core.metrics.run import ScoringStep, endpoint_of, settings_of, steps
from core.notices import collecting
from core.people import TERMINAL
from core.perturb.cases import human_stories
from core.perturb.test_sets.generation import description_of, generate, settings_from
from core.stories import Story
from db.judges.judged import StoredReplies
from db.studies import story_list
from db.test_sets import set_scores, test_sets
from db.transfer.demonstration import demonstration
from work.derivation import follow, known_derivations
from work.steps import RunningStep
from work.watch import ProgressWriter, Watch

EVERY = 10**9
"""All of a study's stories."""


def make_set(job: Job, watch: Watch) -> dict[str, Any]:
    """Make the test set that the job's settings order, and keep it under their `name`; returns its id and how many
    cases it has.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot be done: then nothing is kept.
    """
    order = settings_from(job.settings)
    name = test_sets.check_name(TERMINAL, job.settings["name"])  # before the work, not after
    progress = ProgressWriter(job.id, 0, watch)
    if job.study_id is None and job.settings.get("study"):
        raise FabulaError("The study of this job has been deleted.")
    if job.study_id is None:
        records = human_stories(demonstration().stories)
    else:
        records, _ = story_list.whole(TERMINAL, job.study_id, job.settings["group"], most=EVERY)

    def report(what: str, done: int, number: int) -> None:
        progress.done, progress.total = done, number
        progress.say(lambda: what.capitalize())

    with collecting() as notices:
        result = generate(records, order, report)
    kept = description_of(result, order, job.settings.get("study", ""), job.settings.get("group", "")).as_json()
    number = test_sets.add(TERMINAL, name, result.cases, kept)
    return {"test_set": number, "cases": len(result.cases), "stories": result.stories, "notices": notices}


@dataclass
class _Reader:
    """A metric at work on a set, and the texts that it has still to read."""

    metric: Metric
    signature_id: int
    left: list[tuple[str, Story]]


def read_set(job: Job, watch: Watch) -> dict[str, Any]:
    """Have the job's metrics read its test set; returns one row per metric, and what each step took.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot go on; what was scored is stored.
    """
    if endpoint_of(job.settings):
        raise InputError("On a server judges read the stories of studies only, as an owner agrees for a study.")
    number = int(job.settings["test_set"])
    kept = test_sets.cases(TERMINAL, number, struck=False)
    layout = lay_out([row.case for row in kept])
    hashes = [story.content_hash for story in layout.stories]
    progress = ProgressWriter(job.id, 0, watch)
    with collecting() as notices:
        planned = [(step, _readers(job, step, number, hashes, layout.stories)) for step in steps(job.settings)]
        progress.total = sum(len(reader.left) for _, readers in planned for reader in readers)
        rows: list[dict[str, Any]] = []
        costs = []
        for step, readers in planned:
            left = sum(len(reader.left) for reader in readers)
            running = RunningStep([reader.metric for reader in readers], left, progress, "texts")
            _run(number, readers, running)
            rows += _rows(readers, running)
            costs.append(running.cost(step, _characters(readers)))
    progress.say(lambda: "finished", now=True)
    worked = [cost for cost in costs if cost["characters"]]
    return {"rows": rows, "steps": worked, "texts": len(hashes), "notices": [*layout.notices, *notices]}


def _readers(
    job: Job, step: ScoringStep, number: int, hashes: Sequence[str], stories: Sequence[Story]
) -> list[_Reader]:
    readers = []
    for name in step.metrics:
        metric = build(name, settings_of(job.settings, name, judged=JudgedStudy(replies=StoredReplies())))
        signature_id = set_scores.begin(number, metric.name, metric.signature)
        scored_hashes = set(set_scores.stored_scores(signature_id, hashes))
        for derivation in known_derivations(metric):
            lacking = {key: story for key, story in zip(hashes, stories, strict=True) if key not in scored_hashes}
            followed, values = follow(derivation, lacking)
            set_scores.store(number, signature_id, followed, values)
            scored_hashes.update(followed)
        left = [(key, story) for key, story in zip(hashes, stories, strict=True) if key not in scored_hashes]
        readers.append(_Reader(metric, signature_id, left))
    return readers


def _run(number: int, readers: Sequence[_Reader], running: RunningStep) -> None:
    def store(place: int, hashes: Sequence[str], batch: Scores) -> None:
        set_scores.store(number, readers[place].signature_id, hashes, batch)

    most = max((len(reader.left) for reader in readers), default=0)
    rounds = (
        [reader.left[start : start + STORIES_A_BATCH] for reader in readers]
        for start in range(0, most, STORIES_A_BATCH)
    )
    running.score(rounds, store)


def _characters(readers: Sequence[_Reader]) -> int:
    """Count the characters that are read; a text that several metrics read counts once."""
    return sum({key: len(story.text) for reader in readers for key, story in reader.left}.values())


def _rows(readers: Sequence[_Reader], running: RunningStep) -> list[dict[str, Any]]:
    return [
        {
            "metric": reader.metric.name,
            "signature": reader.metric.signature,
            "scored": scored,
            "seconds": round(seconds, 3),
        }
        for reader, scored, seconds in zip(readers, running.scored, running.seconds, strict=True)
    ]
