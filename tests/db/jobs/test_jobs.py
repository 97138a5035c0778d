"""Work survives whatever happens to its process."""

import os
import signal
import time
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import update

import worker
from core.durations import ShownSpeed
from core.errors import NotAllowed
from core.jobs import JobState
from core.metrics import METRICS
from core.metrics.bleu import Bleu
from core.people import TERMINAL, Role
from db.audit import now
from db.engine import engine, writing
from db.jobs import jobs
from db.migrate import migrate
from db.people import people
from db.schema import job as job_table
from db.scores import tables
from db.transfer import imports
from tests.db.conftest import small_corpus
from tests.db.jobs.jobs import SLOW, big_corpus, start_worker, stop, wait_for

BLEU = {"metrics": ["bleu"]}


def test_a_job_runs_and_a_second_run_reuses_everything(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    first = worker.run_job(jobs.add(TERMINAL, "score", study.id, BLEU, runner="test"))
    assert first.state is JobState.DONE
    assert first.result is not None
    assert (first.result["rows"][0]["scored"], first.result["rows"][0]["reused"]) == (10, 0)
    second = worker.run_job(jobs.add(TERMINAL, "score", study.id, BLEU, runner="test"))
    assert second.result is not None
    assert (second.result["rows"][0]["scored"], second.result["rows"][0]["reused"]) == (0, 10)


def test_a_missing_model_fails_in_one_sentence(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    settings = {"metrics": ["perplexity"], "models": {"language": "nobody/no-such-model"}}
    ended = worker.run_job(jobs.add(TERMINAL, "score", study.id, settings, runner="test"))
    assert ended.state is JobState.FAILED
    assert "nobody/no-such-model is not on this machine" in ended.message


def test_an_unexpected_error_fails_the_job_and_not_the_worker(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Bleu):
        name = "broken"

        def __init__(self, settings=None):  # type: ignore[no-untyped-def]
            raise ZeroDivisionError

    monkeypatch.setitem(METRICS, "broken", Broken)
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    ended = worker.run_job(jobs.add(TERMINAL, "score", study.id, {**BLEU, "metrics": ["broken"]}, runner="test"))
    assert ended.state is JobState.FAILED
    assert "unexpected error" in ended.message


@pytest.mark.both_databases
def test_a_queued_job_goes_to_one_worker_only(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    queued = jobs.add(TERMINAL, "score", study.id, BLEU)
    taken = jobs.claim("a")
    assert taken is not None
    assert taken.id == queued.id
    assert jobs.claim("b") is None


def test_cancelling_a_queued_job_ends_it(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    queued = jobs.add(TERMINAL, "score", study.id, BLEU)
    jobs.cancel(TERMINAL, queued.id)
    assert jobs.get(queued.id).state is JobState.CANCELLED
    assert jobs.claim("a") is None


@pytest.mark.slow
def test_a_cancelled_run_keeps_what_it_scored_and_resumes(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    study = imports.import_corpora(TERMINAL, "s", [big_corpus(300)])
    running = jobs.add(TERMINAL, "score", study.id, BLEU, runner="test")

    def cancel_after_a_batch(done: int, total: int, what: str) -> None:
        if done >= 128:
            jobs.cancel(TERMINAL, running.id)

    ended = worker.run_job(running, cancel_after_a_batch)
    assert ended.state is JobState.CANCELLED
    stored = tables.table(study.id).columns[0].scored
    assert 128 <= stored < 300
    jobs.resume(TERMINAL, running.id)
    again = jobs.claim("test")
    assert again is not None
    finished = worker.run_job(again)
    assert finished.result is not None
    assert finished.result["rows"][0]["scored"] == 300 - stored
    assert finished.result["rows"][0]["reused"] == stored


@pytest.mark.both_databases
def test_a_job_without_a_heartbeat_is_marked(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    dead = jobs.add(TERMINAL, "score", study.id, BLEU, runner="terminal 1")
    alive = jobs.add(TERMINAL, "score", study.id, BLEU, runner="terminal 2")
    with writing() as connection:
        old = now() - timedelta(minutes=5)
        connection.execute(update(job_table).where(job_table.c.id == dead.id).values(heartbeat_at=old))
    assert jobs.mark_interrupted() == 1
    assert jobs.get(dead.id).state is JobState.INTERRUPTED
    assert jobs.get(alive.id).state is JobState.RUNNING


@pytest.mark.slow
def test_a_killed_worker_loses_no_stored_score_and_the_next_one_resumes(home: Path) -> None:
    migrate()
    study = imports.import_corpora(TERMINAL, "s", [big_corpus()])
    (home / "slow.py").write_text(SLOW)
    queued = jobs.add(TERMINAL, "score", study.id, {"metrics": [f"{home / 'slow.py'}:Slow"]})
    first = start_worker()
    try:
        wait_for(lambda: jobs.get(queued.id).done >= 256)
        os.kill(first.pid, signal.SIGKILL)
    finally:
        stop(first)
    stored = tables.table(study.id).columns[0].scored
    assert 128 <= stored < 1500
    assert jobs.get(queued.id).state is JobState.RUNNING
    second = start_worker()
    try:
        wait_for(lambda: jobs.get(queued.id).state is JobState.INTERRUPTED)
        assert tables.table(study.id).columns[0].scored == stored
        jobs.resume(TERMINAL, queued.id)
        wait_for(lambda: jobs.get(queued.id).state is JobState.DONE)
    finally:
        stop(second)
    result = jobs.get(queued.id).result
    assert result is not None
    assert result["rows"][0]["scored"] == 1500 - stored
    assert not np.isnan(tables.table(study.id).columns[0].values).any()
    engine().dispose()


@pytest.mark.slow
def test_the_worker_leaves_when_its_server_is_gone(home: Path) -> None:
    migrate()
    process = start_worker()
    wait_for(lambda: (home / "worker.lock").exists())
    time.sleep(1.0)
    assert process.poll() is None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=10) == 0
    assert process.stdout is not None
    process.stdout.close()
    engine().dispose()


def test_a_metric_of_ones_own_is_for_owners(home: Path) -> None:
    migrate()
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    researcher = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id]))
    assert researcher is not None
    with pytest.raises(NotAllowed, match="role owner"):
        jobs.add(researcher, "score", study.id, {"metrics": ["bleu", "/tmp/own.py:Own"]})
    assert jobs.of_study(study.id) == []
    queued = jobs.add(TERMINAL, "score", study.id, {"metrics": ["/tmp/own.py:Own"]})
    jobs.cancel(researcher, queued.id)
    with pytest.raises(NotAllowed, match="role owner"):
        jobs.resume(researcher, queued.id)
    assert jobs.get(queued.id).state is JobState.CANCELLED
    jobs.add(researcher, "score", study.id, BLEU)
    engine().dispose()


def test_a_metric_of_ones_own_that_fails_says_how(database: str, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(SLOW.replace("len(story.text)", "1 / 0"))
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    settings = {"metrics": [f"{tmp_path / 'own.py'}:Slow"]}
    ended = worker.run_job(jobs.add(TERMINAL, "score", study.id, settings, runner="test"))
    assert ended.state is JobState.FAILED
    line = next(n for n, text in enumerate((tmp_path / "own.py").read_text().splitlines(), 1) if "1 / 0" in text)
    said = f"ZeroDivisionError: division by zero (line {line} of own.py)"
    assert ended.message == f"The metric slow failed on every story: {said}"


@pytest.mark.both_databases
def test_all_that_is_not_over_comes_before_the_newest_that_is(database: str) -> None:
    ids = [jobs.add(TERMINAL, "capability", None, {}).id for _ in range(9)]
    jobs.add(TERMINAL, "test set", None, {})
    for number in ids[:3]:
        jobs.cancel(TERMINAL, number)
    assert jobs.claim("worker", ids[4]) is not None
    assert [job.id for job in jobs.recent("capability", 2)] == [ids[i] for i in (4, 3, 5, 6, 7, 8, 2, 1)]
    assert [job.id for job in jobs.recent("capability", 0)] == [ids[i] for i in (4, 3, 5, 6, 7, 8)]


def test_speeds_are_those_of_the_latest_runs(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    for seconds in (0.1, 4.0, 1.0, 2.0, 2.0, 2.0):
        job = jobs.add(TERMINAL, "score", study.id, BLEU, runner="test")
        steps = [{"key": "bleu", "characters": 10_000, "seconds": seconds}]
        jobs.finish(job.id, JobState.DONE, "finished", {"rows": [], "steps": steps})
    failed = jobs.add(TERMINAL, "score", study.id, BLEU, runner="test")
    jobs.finish(failed.id, JobState.FAILED, "no")
    short = jobs.add(TERMINAL, "score", study.id, BLEU, runner="test")
    steps = [{"key": "bleu", "characters": 10, "seconds": 9.0}]  # nearly all of it spent on loading
    jobs.finish(short.id, JobState.DONE, "finished", {"rows": [], "steps": steps})
    assert jobs.speeds() == {"bleu": ShownSpeed(latest=5000.0, slowest=2500.0, fastest=10_000.0)}


def test_metrics_are_scored_step_by_step_and_listed_as_asked(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    asked = {"metrics": ["bertscore-p", "bleu", "rouge-l"]}
    lines: list[str] = []
    ended = worker.run_job(
        jobs.add(TERMINAL, "score", study.id, asked, runner="test"), lambda done, total, what: lines.append(what)
    )
    assert ended.result is not None
    assert [row["metric"] for row in ended.result["rows"]] == asked["metrics"]
    assert [step["key"] for step in ended.result["steps"]] == [
        "bleu",
        "rouge-l",
        "encoder all-minilm-l6-v2 auto float32",
    ]
    assert list(dict.fromkeys(text.split(":")[0] for text in lines if "preparing" not in text)) == [
        "bleu",
        "rouge-l",
        "bertscore-p",
        "finished",
    ]
    assert next(text for text in lines if text.startswith("bertscore-p")) == "bertscore-p: loading the model"


@pytest.mark.both_databases
def test_what_a_job_has_so_far_stays_where_it_does_not_end(database: str) -> None:
    job = jobs.add(TERMINAL, "train", None, {}, runner="test")
    jobs.add(TERMINAL, "tokens", None, {})
    jobs.beat(job.id, so_far={"curve": [1]})
    assert jobs.get(job.id).result == {"curve": [1]}
    jobs.beat(job.id, done=1)
    jobs.finish(job.id, JobState.CANCELLED, "stopped")
    assert jobs.of_kind("train") == [jobs.get(job.id)]
    assert jobs.get(job.id).result == {"curve": [1]}
    assert jobs.of_kind("train", state=JobState.DONE) == []
    jobs.resume(TERMINAL, job.id)
    assert jobs.get(job.id).result is None
