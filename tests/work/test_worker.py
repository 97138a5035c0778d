"""The worker leaves when it has nothing to do, and nothing that is asked of it is lost: a real process, real jobs."""

import asyncio
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

import worker
from core.errors import InputError
from core.home import ROOT
from core.jobs import Job, JobState
from core.people import TERMINAL
from db.engine import engine
from db.jobs import jobs
from db.jobs.lanes import Lane
from db.transfer import imports
from tests.db.conftest import small_corpus
from tests.db.jobs.jobs import SLOW, big_corpus
from work.watch import Watch

BLEU = {"metrics": ["bleu"]}


def queue_one(study: int) -> int:
    return jobs.add(TERMINAL, "score", study, BLEU).id


async def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not await asyncio.to_thread(holds):
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.02)


def kept(work: Callable[[Path], Coroutine[Any, Any, None]], log: Path) -> None:
    """Do something while a server's keeper is there."""

    async def both() -> None:
        keeper = asyncio.create_task(worker.keep_worker(log))
        try:
            await work(log)
        finally:
            keeper.cancel()
            with suppress(asyncio.CancelledError):
                await keeper

    # in a thread of its own: this one has a running loop already where a browser was opened before
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(both())).result()


def workers() -> list[psutil.Process]:
    """The worker processes of this test."""
    result = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if child.status() != psutil.STATUS_ZOMBIE and "worker.py" in " ".join(child.cmdline()):
                result.append(child)
    return result


def done(job_id: int) -> bool:
    return jobs.get(job_id).state is JobState.DONE


def test_an_idle_worker_leaves_and_comes_back_with_the_next_job(
    database: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(worker.IDLE_SETTING, "1")
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id

    async def work(log: Path) -> None:
        await asyncio.sleep(0.5)
        assert not workers()  # a server that only shows pages needs no second process
        ids = []
        for _ in range(2):
            job = queue_one(study)
            await until(lambda job=job: done(job))  # type: ignore[misc]
            (item,) = workers()
            ids.append(item.pid)
            await until(lambda: not workers())
        assert ids[0] != ids[1]
        assert log.read_text().count("nothing to do") == 2

    kept(work, home / "worker.log")
    engine().dispose()


@pytest.mark.slow
def test_a_worker_that_the_kernel_kills_goes_before_its_server_and_says_why(home: Path, database: str) -> None:
    before = Path("/proc/self/oom_score_adj").read_text()
    study = imports.import_corpora(TERMINAL, "s", [big_corpus()]).id
    (home / "slow.py").write_text(SLOW)

    async def work(_log: Path) -> None:
        job = jobs.add(TERMINAL, "score", study, {"metrics": [f"{home / 'slow.py'}:Slow"]}).id
        await until(lambda: jobs.get(job).done >= 256)
        (first,) = workers()
        assert Path(f"/proc/{first.pid}/oom_score_adj").read_text().strip() == "1000"
        assert Path("/proc/self/oom_score_adj").read_text() == before
        first.kill()  # as the kernel does
        await until(lambda: jobs.get(job).state is JobState.INTERRUPTED)
        assert jobs.get(job).message == f"{worker.KILLED}; what was done is kept"
        await until(lambda: bool(workers()))
        await asyncio.sleep(2)  # no worker takes it up by itself: it might end as the first one did, again and again
        assert jobs.get(job).state is JobState.INTERRUPTED
        jobs.resume(TERMINAL, job)
        await until(lambda: done(job))

    kept(work, home / "worker.log")
    engine().dispose()


@pytest.mark.slow
def test_a_metric_without_a_model_does_not_wait_for_heavy_work(home: Path, database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [big_corpus()]).id
    (home / "slow.py").write_text(SLOW.replace("0.002", "0.02"))

    async def work(_log: Path) -> None:
        heavy = jobs.add(TERMINAL, "score", study, {"metrics": [f"{home / 'slow.py'}:Slow"]}).id
        await until(lambda: jobs.get(heavy).state is JobState.RUNNING)
        light = jobs.add(TERMINAL, "score", study, {"metrics": ["words", "bleu"]}).id
        await until(lambda: done(light))
        assert jobs.get(heavy).state is JobState.RUNNING
        assert jobs.get(heavy).done < 1500
        assert len(workers()) == 1
        jobs.cancel(TERMINAL, heavy)
        await until(lambda: jobs.get(heavy).state is JobState.CANCELLED)

    kept(work, home / "worker.log")
    engine().dispose()


@pytest.mark.slow
def test_a_worker_that_has_lost_a_gpu_makes_way_for_one_that_may_find_it(home: Path, database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    slow = "time.sleep(0.002)"
    assert slow in SLOW
    (home / "gone.py").write_text(SLOW.replace(slow, "raise RuntimeError('CUDA error: unspecified launch failure')"))

    async def work(log: Path) -> None:
        job = jobs.add(TERMINAL, "score", study, {"metrics": [f"{home / 'gone.py'}:Slow"]}).id
        following = queue_one(study)
        await until(lambda: done(following) and not jobs.get(job).state.active)
        assert jobs.get(job).state is JobState.FAILED
        assert jobs.get(job).message.startswith("The GPU does not answer any more while slow is scored (CUDA error:")
        await until(lambda: "the GPU is lost to this worker" in log.read_text())
        await until(lambda: not workers())
        new = queue_one(study)
        await until(lambda: done(new))
        assert log.read_text().count("the GPU is lost to this worker") == 1

    kept(work, home / "worker.log")
    engine().dispose()


def test_work_without_memory_fails_in_one_sentence(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(worker.KINDS, "hungry", f"{__name__}:hungry")
    ended = worker.run_job(jobs.add(TERMINAL, "hungry", None, {}, runner="test"))
    assert (ended.state, ended.message) == (JobState.FAILED, worker.NO_MEMORY)


def hungry(_job: Job, _watch: Watch) -> None:
    bytearray(2**62)


def test_a_worker_says_why_it_left(home: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(worker.IDLE_SETTING, "0.2")
    process = subprocess.Popen([sys.executable, "worker.py"], cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.wait(timeout=60) == worker.IDLE
    for stream in (process.stdin, process.stderr):
        assert stream is not None
        stream.close()


@pytest.mark.both_databases
def test_jobs_that_come_while_the_worker_leaves_are_all_done(
    database: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At moments around its leaving, again and again: it leaves after so short a time that many meet it on its way."""
    monkeypatch.setenv(worker.IDLE_SETTING, "0.2")
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    rng = random.Random(3)

    async def work(_log: Path) -> None:
        ids = []
        for _ in range(6):
            ids.append(queue_one(study))
            await until(lambda: done(ids[-1]))
            await asyncio.sleep(0.15 + 0.15 * rng.random())  # about when it leaves
        ids.append(queue_one(study))
        await until(lambda: all(map(done, ids)))
        await until(lambda: not workers())

    kept(work, home / "worker.log")
    engine().dispose()


@pytest.mark.both_databases
def test_nothing_is_claimed_once_it_is_decided_to_leave(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that comes in the moment of the decision: after it was seen that nothing waits, and before all know."""
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    lanes = worker.Lanes("worker here", 0.0)
    queued: list[int] = []
    looked, asked = jobs.wanting, threading.Event()

    def wanting(runner: str) -> bool:
        result = looked(runner)
        queued.append(queue_one(study))
        asked.set()
        time.sleep(0.3)  # the other lane is at the door meanwhile
        return result

    monkeypatch.setattr(jobs, "wanting", wanting)
    claimed: list[object] = []

    def other_lane() -> None:
        asked.wait(20)
        claimed.append(lanes.claim(Lane.LIGHT))

    thread = threading.Thread(target=other_lane)
    thread.start()
    assert lanes.left()
    thread.join()
    assert claimed == [None]
    assert jobs.get(queued[0]).state is JobState.QUEUED
    monkeypatch.setattr(jobs, "wanting", looked)
    assert jobs.wanting("worker here")  # and so the keeper starts the next worker, which takes it
    job = worker.Lanes("worker here", 0.0).claim(Lane.LIGHT)
    assert job is not None
    assert worker.run_job(job).state is JobState.DONE


@pytest.mark.both_databases
def test_a_worker_that_has_or_will_have_something_to_do_stays(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    lanes = worker.Lanes("worker here", 0.0)
    queue_one(study)
    assert not lanes.left()  # it waits for its turn
    job = lanes.claim(Lane.LIGHT)
    assert job is not None
    worker.run_job(job)
    assert not lanes.left()  # another lane may look while this one puts its things away
    lanes.done()
    assert lanes.left()
    patient = worker.Lanes("worker here", 60.0)
    assert not patient.left()


@pytest.mark.both_databases
def test_a_worker_is_wanted_for_what_waits_and_for_what_lost_its_process(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    assert not jobs.wanting("worker here")
    running = jobs.add(TERMINAL, "score", study, BLEU, runner="worker elsewhere")
    assert not jobs.wanting("worker here")  # its heart beats
    assert jobs.wanting("worker elsewhere")
    jobs.finish(running.id, JobState.DONE, "finished")
    assert not jobs.wanting("worker elsewhere")
    queue_one(study)
    assert jobs.wanting("worker here")


@pytest.mark.parametrize("given", ["soon", "-1", "inf", "nan"])
def test_an_idle_time_that_is_none(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(worker.IDLE_SETTING, given)
    with pytest.raises(InputError, match=f"{worker.IDLE_SETTING} is the seconds that an idle worker stays"):
        worker.idle_seconds()
    monkeypatch.delenv(worker.IDLE_SETTING)
    assert worker.idle_seconds() == worker.IDLE_SECONDS
