"""How far a run of metrics says that it is."""

import pytest

import worker
from core.durations import ShownSpeed
from core.jobs import JobState
from core.metrics.run import steps
from core.people import TERMINAL
from db.jobs import jobs
from db.transfer import imports
from tests.db.jobs.jobs import big_corpus

RUN = {"metrics": ["bleu", "rouge-l"]}


def test_a_slow_metric_is_most_of_a_run(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have as many scores to make, and one of them reads a hundred times as fast."""
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    study = imports.import_corpora(TERMINAL, "tales", [big_corpus(40)])
    first, second = (step.key for step in steps(RUN))
    monkeypatch.setattr(jobs, "speeds", lambda: {first: ShownSpeed(1, 1, 1), second: ShownSpeed(99, 99, 99)})
    job = jobs.add(TERMINAL, "score", study.id, RUN, runner="test")
    told: list[tuple[int, float]] = []

    def look(_done: int, _total: int, _what: str) -> None:  # the row has what was told before
        row = jobs.get(job.id)
        told.append((row.done, row.share))

    ended = worker.run_job(job, look)
    assert (ended.state, ended.share) == (JobState.DONE, 1.0)
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert {round(share, 6) for done, share in told if done == ended.total // 2} == {0.99}
