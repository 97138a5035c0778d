"""Scores a study step by step and batch by batch; each batch is stored as soon as it is done.

Stories are read a page at a time, so that memory does not grow with their number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from core.durations import ShownSpeed
from core.engines.here import HereEngine
from core.engines.pages import PageTask, Round, score_pages
from core.engines.recipe import Recipe
from core.engines.settings import EngineSettings
from core.engines.work import Engine
from core.errors import FabulaError
from core.jobs import Job
from core.judges.halves import Half
from core.judges.naming import HERE
from core.judges.study import JudgedStudy
from core.metrics import build, family_of
from core.metrics.base import Metric, Scores
from core.metrics.batches import BatchScores, Pending, batch_size, plan
from core.metrics.custom import is_own
from core.metrics.judging.pairs import PairJudge
from core.metrics.run import (
    ScoringStep,
    Sources,
    at_most,
    endpoint_of,
    half_of,
    most_of,
    parts_of,
    scored_by,
    seconds,
    settings_of,
    steps,
)
from core.models.text_cache import forget_texts
from core.notices import collecting, notice
from core.wording import so_many
from db.jobs import jobs
from db.jobs.lanes import STORED, Lane, lane_of
from db.judges import consent
from db.judges.judged import judged_study
from db.scores import pair_verdicts, scores
from db.scores.pair_verdicts import ComparedPair
from work import pairs
from work.derivation import follow, known_derivations
from work.steps import RunningStep
from work.watch import Cancelled, OutOfLane, ProgressWriter, Watch

STORIES_A_PAGE = 2048


@dataclass
class _Wanted:
    """A metric of the run, the name it was asked for by, whose stories it scores, of which half of the prompts (None
    for all), what it is to read, and how many stories it leaves to a later run; of a judge of pairs, which it reads.
    """

    asked: str
    metric: Metric
    signature_id: int
    sources: Sources
    half: Half | None
    pending: int
    characters: int
    left: int
    pairs: list[ComparedPair] | None = None


def score_study(job: Job, watch: Watch) -> dict[str, Any]:
    """Run the job's metrics on its study; returns what `score --json` prints, one row per metric in the order asked
    for.

    Raises Cancelled when somebody stops it, FabulaError where it cannot go on, and OutOfLane where it would load a
    model beside another job's; what was scored is stored.
    """
    study_id = job.study_id
    if study_id is None:
        raise FabulaError("The study of this job has been deleted.")
    if endpoint := endpoint_of(job.settings):
        consent.check(study_id, endpoint.address)
    with collecting() as notices:
        usual = scores.sources(study_id)
        judged = judged_study(study_id)
        planned = [(step, _prepare(job, study_id, step, usual, judged)) for step in steps(job.settings)]
        _heed_lane(job, [item for _, wanted in planned for item in wanted])
        measured = jobs.speeds()
        times = [_time(step, wanted, measured) for step, wanted in planned]
        spans = _spans([step for step, _ in planned], [_most(wanted) for _, wanted in planned], times)
        progress = ProgressWriter(job.id, sum(metric.pending for _, wanted in planned for metric in wanted), watch)
        rows, costs = [], []
        for place, (step, wanted) in enumerate(planned):
            progress.scores_left = [item.asked for _, after in planned[place:] for item in after if item.pending]
            progress.scores_left += [name for name in job.settings["metrics"] if parts_of(name)]
            known_times = [seconds for seconds in times[place + 1 :] if seconds is not None]
            running = RunningStep(
                [item.metric for item in wanted],
                sum(item.pending for item in wanted),
                progress,
                "stories" if wanted[0].pairs is None else "pairs",
                expected=times[place],
                span=spans[place],
                then=[item.metric.name for _, after in planned[place + 1 :] for item in after if item.pending],
                later=sum(known_times) if len(known_times) == len(times) - place - 1 else None,
            )
            _run(job.settings, study_id, wanted, running)
            tell_costs([item.metric for item in wanted])
            _tell_left(wanted)
            rows += [
                (item, scored, seconds)
                for item, scored, seconds in zip(wanted, running.scored, running.seconds, strict=True)
            ]
            costs.append(running.cost(step, _most(wanted)))
        for name in job.settings["metrics"]:
            if parts := parts_of(name):
                _blend(study_id, build(name, settings_of(job.settings, name)), parts)
    progress.say(lambda: "finished", now=True)
    order = job.settings["metrics"].index
    scored_rows = [_row(study_id, *row) for row in sorted(rows, key=lambda row: order(row[0].asked))]
    return {"rows": scored_rows, "steps": [cost for cost in costs if cost["characters"]], "notices": notices}


def _heed_lane(job: Job, wanted: Sequence[_Wanted]) -> None:
    """Raise OutOfLane where scores have gone, or stories come, since the run was asked for as one that computes none:
    the light lane runs beside the heavy one, and two models at once may be more than memory holds.
    """
    lacking = {item.asked for item in wanted if item.pending}
    if lane_of(job.kind, job.settings) is Lane.LIGHT and lacking & set(job.settings.get(STORED, ())):
        raise OutOfLane


def _prepare(job: Job, study_id: int, step: ScoringStep, usual: Sources, judged: JudgedStudy) -> list[_Wanted]:
    wanted = []
    most = most_of(job.settings)
    for name in step.metrics:
        if jobs.beat(job.id, message=f"preparing {name}"):
            raise Cancelled
        metric = build(name, settings_of(job.settings, name, lambda: scores.reference_texts(study_id), judged))
        sources = scored_by(type(metric), job.settings, usual)
        signature_id = scores.begin_run(study_id, metric.name, metric.signature)
        if isinstance(metric, PairJudge):
            every = pair_verdicts.pending(study_id, signature_id)
            asked = pair_verdicts.few(every, most)
            cost = len(asked), pair_verdicts.characters(asked)
            wanted.append(_Wanted(name, metric, signature_id, (), None, *cost, len(every) - len(asked), asked))
            continue
        _follow(study_id, metric, signature_id, sources)
        half = half_of(job.settings, name)
        (lacking,) = scores.count_pending(study_id, [[signature_id]], sources, half)
        pending, characters = at_most(most, lacking.texts, lacking.characters)
        left = lacking.texts - pending
        wanted.append(_Wanted(name, metric, signature_id, sources, half, pending, characters, left))
    return wanted


def _follow(study_id: int, metric: Metric, signature_id: int, sources: Sources) -> None:
    """Store what follows from stored scores, before anything is read."""
    for derivation in known_derivations(metric):
        position = -1
        while True:
            page, reached = scores.pending(study_id, [signature_id], position, STORIES_A_PAGE, sources)
            if reached == position:
                break
            position = reached
            hashes, derived = follow(derivation, {story.content_hash: story.story for story in page})
            scores.store(study_id, signature_id, hashes, derived)


def _time(step: ScoringStep, wanted: Sequence[_Wanted], measured: Mapping[str, ShownSpeed]) -> float | None:
    """Seconds that a step will take, None where nobody has seen how fast it is here."""
    characters = _most(wanted)
    if not characters:
        return 0.0
    return characters / measured[step.key].latest if step.key in measured else None


def _most(wanted: Sequence[_Wanted]) -> int:
    """Characters that the metric of a step reads which has most to read."""
    return max(item.characters for item in wanted)


def _spans(
    steps: Sequence[ScoringStep], characters: Sequence[int], times: Sequence[float | None]
) -> list[tuple[float, float] | None]:
    """Which part of the run each step is, from where to where, 0 to 1, by the seconds that it takes: those known, else
    a guess, so that a bar goes on as evenly where one metric reads a thousand times faster than another. None for all
    where there is nothing to read.
    """
    takes = [
        seconds(step, read, {}).least if time is None else time
        for step, read, time in zip(steps, characters, times, strict=True)
    ]
    ends = np.cumsum([0.0, *takes])
    if not ends[-1]:
        return [None] * len(steps)
    return [(float(begin), float(end)) for begin, end in pairwise(ends / ends[-1])]


def _blend(study_id: int, blend: Metric, parts: Sequence[str]) -> None:
    """Remember in which way it is wanted: there is nothing to store of it."""
    scores.begin_run(study_id, blend.name, blend.signature)
    notice(f"{blend.name} is made of {' and '.join(parts)} in every analysis of the study: these were scored.")


def _run(run: Mapping[str, Any], study_id: int, wanted: Sequence[_Wanted], running: RunningStep) -> None:
    judge = wanted[0]
    if isinstance(judge.metric, PairJudge) and judge.pairs is not None:
        pairs.run(study_id, judge.metric, judge.signature_id, judge.pairs, _batch_size(wanted), running)
        pairs.tell(study_id, judge.metric, judge.left)
        return

    def store(place: int, hashes: Sequence[str], batch: Scores) -> None:
        scores.store(study_id, wanted[place].signature_id, hashes, batch)

    if engine := _engine(run, wanted):
        task = PageTask(_recipe(run, wanted))
        with ExitStack() as closed:  # so that what works elsewhere ends with a job that is stopped

            def turns(report: Callable[[float], None]) -> Iterator[BatchScores[str]]:
                pages = _pages(study_id, wanted, most_of(run), ahead=True)
                return closed.enter_context(closing(score_pages(task, engine, pages, lambda: report(0))))

            running.take(turns, lambda turn: store(turn.metric, turn.keys, turn.scores))
        return
    running.score(_rounds(study_id, wanted, most_of(run)), store)


def _rounds(study_id: int, wanted: Sequence[_Wanted], most: int | None) -> Iterator[Round]:
    """A page is read when the page before is stored, and its scores are those that any other process would give it."""
    for page in _pages(study_id, wanted, most, ahead=False):
        forget_texts()
        yield from page


def _engine(run: Mapping[str, Any], wanted: Sequence[_Wanted]) -> Engine | None:
    """Where a step is worked on elsewhere: where the run says so, or several GPUs can share its pages. None for this
    process; judges and what is asked on a server keep what is said in the database.
    """
    settings = EngineSettings.of(run)
    pages = -(-max(item.pending for item in wanted) // STORIES_A_PAGE)
    if any(family_of(item.metric.name) == HERE or item.metric.endpoint for item in wanted):
        return None
    if pages < (1 if settings.apart else 2):
        return None
    models = any(item.metric.role for item in wanted)
    engine = settings.engine(wanted[0].metric.settings.device, models=models)
    return None if isinstance(engine, HereEngine) else engine


def _recipe(run: Mapping[str, Any], wanted: Sequence[_Wanted]) -> Recipe:
    """What other processes make these metrics of."""
    metrics = [item.metric for item in wanted]
    of_step = {**run, "metrics": [item.asked for item in wanted]}
    return Recipe(of_step, tuple(metric.signature for metric in metrics), tuple(metric.fitted() for metric in metrics))


def tell_costs(metrics: Sequence[Metric]) -> None:
    """Say in a notice what the replies of each model on a server have taken."""
    for metric in metrics:
        spent = metric.spent
        if spent and spent.replies:
            cost = f", for {spent.cost:,.4f}" if spent.cost else ""
            notice(
                f"{metric.name}: {spent.replies:,} replies, of {spent.prompt_tokens:,} tokens read and "
                f"{spent.reply_tokens:,} written{cost}."
            )


def _tell_left(wanted: Sequence[_Wanted]) -> None:
    """Say in a notice what is left of a run that took a few stories alone, of each metric as it was asked for: `judge`
    is what was chosen, and `judge:overall` only what its scores are called.
    """
    for item in wanted:
        if item.left:
            what = so_many(item.left, "story", "stories") if item.pairs is None else so_many(item.left, "pair")
            name = item.metric.name if is_own(item.asked) else item.asked
            notice(f"{name}: {what} left for another run.")


def _pages(study_id: int, wanted: Sequence[_Wanted], most: int | None, *, ahead: bool) -> Iterator[list[Round]]:
    """The stories that lack scores, page by page, in rounds of one batch per metric. First those that all metrics
    score, then the others. `most`: no more stories than that; `ahead`: pages are asked for before those before them are
    stored.
    """
    size = _batch_size(wanted)
    half = wanted[0].half  # only judges have one, and each is a step of its own
    given: set[str] = set()
    for sources in _shared(wanted):
        ids = [item.signature_id for item in wanted if item.pending and set(sources) <= set(item.sources)]
        for page in _lacking(study_id, ids, most, sources, half) if ids else ():
            if ahead:  # a text that comes again later has no score yet
                page = [story for story in page if story.content_hash not in given]
                given.update(story.content_hash for story in page)
            if most is not None:
                most -= len(page)
            yield [
                [
                    [(story.content_hash, story.story) for story in batch if item.signature_id in story.missing]
                    for item in wanted
                ]
                for batch in plan(page, size)
            ]


def _lacking(
    study_id: int, ids: Sequence[int], most: int | None, sources: Sources, half: Half | None
) -> Iterator[list[Pending]]:
    """The stories of these sources that lack a score, page by page; where it is to be `most`, those of a trial."""
    if most is not None:
        places = scores.few(study_id, ids, most, sources, half) if most else []
        for first in range(0, len(places), STORIES_A_PAGE):
            at = places[first : first + STORIES_A_PAGE]
            yield scores.pending(study_id, ids, -1, len(at), sources, half, at=at)[0]
        return
    position = -1
    while True:
        page, reached = scores.pending(study_id, ids, position, STORIES_A_PAGE, sources, half)
        if reached == position:
            return
        position = reached
        yield page


def _shared(wanted: Sequence[_Wanted]) -> list[Sources]:
    """The sources that all of these metrics score, and each of the others that only some do."""
    every = list(dict.fromkeys(source for item in wanted for source in item.sources))
    shared = tuple(source for source in every if all(source in item.sources for item in wanted))
    return [shared, *((source,) for source in every if source not in shared)]


def _batch_size(wanted: Sequence[_Wanted]) -> int:
    """A server needs many texts at once to be busy, as a GPU does."""
    if any(item.metric.settings.endpoint for item in wanted):
        return STORIES_A_PAGE
    with_model = any(item.metric.role for item in wanted)
    return batch_size(with_model=with_model, device=wanted[0].metric.settings.device)


def _row(study_id: int, wanted: _Wanted, scored: int, seconds: float) -> dict[str, Any]:
    if wanted.pairs is None:
        reasons = scores.undefined(study_id, wanted.signature_id, wanted.sources, wanted.half)
        stored = scores.count_stored(study_id, wanted.signature_id, wanted.sources, wanted.half)
    else:
        reasons = pair_verdicts.undefined(study_id, wanted.signature_id)
        stored = pair_verdicts.count(study_id) - wanted.left
    return {
        "metric": wanted.metric.name,
        "signature": wanted.metric.signature,
        "unit": "stories" if wanted.pairs is None else "pairs",
        "scored": scored,
        "reused": max(0, stored - scored),
        "undefined": sum(reasons.values()),
        "reasons": reasons,
        "seconds": round(seconds, 3),
    }
