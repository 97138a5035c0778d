"""Measures the biases of judges that can be asked, on a sample of a study's stories; each check is stored once done."""

import time
from collections.abc import Callable
from typing import Any

from core.analysis.judges.bias_runs import drawn_by, judges_in
from core.analysis.judges.probes import draw_stories, measured, probes_of
from core.durations import WorkPace
from core.errors import FabulaError, InputError
from core.jobs import Job
from core.metrics.batches import ROUNDING
from core.metrics.judging.judge import Judge
from core.metrics.run import endpoint_of
from core.notices import collecting
from db.judges import consent, probes
from db.judges.judged import judged_study
from work.scoring import tell_costs
from work.watch import ProgressWriter, Watch


def measure_biases(job: Job, watch: Watch) -> dict[str, Any]:
    """Measure the biases of the job's judges; returns a row a judge.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot go on: every reply so far is kept, so that
    it goes on there.
    """
    study_id = job.study_id
    if study_id is None:
        raise FabulaError("The study of this job has been deleted.")
    if endpoint := endpoint_of(job.settings):
        consent.check(study_id, endpoint.address)
    most, seed = drawn_by(job.settings)
    sample = draw_stories(probes.stories(study_id), most, seed=seed)
    if not sample:
        raise InputError("This study has no stories to ask a judge about.")
    progress = ProgressWriter(job.id, 0, watch)
    progress.say(lambda: "changing the stories", now=True)
    with collecting() as notices:
        judges = judges_in(job.settings, judged_study(study_id))
        planned = [(judge, probes_of(judge.question, sample, seed=seed)) for judge in judges]
        progress.total = sum(len(sample) + len(asked) for _, asked in planned)
        rows = []
        for judge, asked in planned:
            begun = time.perf_counter()
            for of in measured(
                judge.question,
                judge.backend,
                judge.called,
                judge.settings.judged.replies,
                sample,
                asked,
                _reporting(judge, progress),
            ):
                probes.keep(study_id, judge.name, judge.signature, of)
            rows.append(
                {
                    "metric": judge.name,
                    "signature": judge.signature,
                    "stories": len(sample),
                    "questions": len(sample) + len(asked),
                    "seconds": round(time.perf_counter() - begun, 3),
                }
            )
        tell_costs(judges)
    progress.say(lambda: "finished", now=True)
    return {"rows": rows, "seed": seed, "notices": notices}


def _reporting(judge: Judge, progress: ProgressWriter) -> Callable[[float], None]:
    """What is told how many questions more have their replies."""
    pace, before, answered = WorkPace(), progress.done, 0.0

    def report(more: float) -> None:
        nonlocal answered
        answered += more
        progress.done = before + int(answered + ROUNDING)
        progress.share = (before + answered) / progress.total
        left = pace.left_text(answered, progress.total - before, time.perf_counter())
        progress.say(lambda: f"{judge.name}{left}")

    return report
