"""The process that runs jobs: claims a row, lets core work, stores through db.

Started by the server; leaves when its standard input closes, so that it never outlives the server.
"""

import asyncio
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from core.errors import FabulaError
from core.home import home
from core.jobs import Job, JobState
from core.metrics import build
from core.metrics.base import Need, Settings
from core.metrics.batches import Wanted, plan, score_batch
from db import jobs, scores
from db.migrate import migrate

logger = logging.getLogger("fabula.worker")
POLL_SECONDS = 0.3
BEAT_SECONDS = 5.0
ALREADY_RUNNING = 3
"""Exit status of a worker that finds another one at work."""
STALE_SECONDS = 30.0


class Cancelled(Exception):
    """Somebody asked the job to stop."""


def metric_settings(settings: dict[str, Any], metric: str) -> Settings:
    """A job's settings for one of its metrics."""
    options = settings.get("options", {}).get(metric, {})
    return Settings(settings.get("model"), settings.get("device", "auto"), options)


Watch = Callable[[int, int, str], None]
"""Told of progress: stories done, stories in all, what is going on."""


def score_study(job: Job, watch: Watch) -> dict[str, Any]:
    """Score a study's stories with the job's metrics; each batch is stored as soon as it is done.

    Returns what `score --json` prints: a row a metric.
    """
    if job.study_id is None:
        raise FabulaError("The study of this job has been deleted.")
    total = scores.count_stories(job.study_id)
    wanted = []
    for name in job.settings["metrics"]:
        jobs.beat(job.id, message=f"preparing {name}")
        metric = build(name, metric_settings(job.settings, name))
        signature_id = scores.begin_run(job.study_id, name, metric.signature)
        wanted.append(Wanted(metric, signature_id, scores.pending(job.study_id, signature_id)))
    # Slow ones first in each batch, so that the rate never promises what only the quick ones keep.
    wanted.sort(key=lambda one: Need.MODEL not in one.metric.needs)
    seconds = dict.fromkeys((one.metric.name for one in wanted), 0.0)
    scored = dict.fromkeys(seconds, 0)
    done, work = 0, sum(len(one.pending) for one in wanted)
    jobs.beat(job.id, done=0, total=work)
    for batch in plan(wanted):
        for one in wanted:
            hashes = [h for h in batch if h in one.pending]
            if not hashes:
                continue
            if jobs.beat(job.id, done=done, message=f"scoring with {one.metric.name}"):
                raise Cancelled
            watch(done, work, one.metric.name)
            begun = time.perf_counter()
            found = score_batch(one.metric, [one.pending[h] for h in hashes])
            seconds[one.metric.name] += time.perf_counter() - begun
            scores.store(job.study_id, one.signature_id, hashes, found)
            scored[one.metric.name] += len(hashes)
            done += len(hashes)
    jobs.beat(job.id, done=done)
    watch(done, work, "finished")
    rows = [
        {
            "metric": one.metric.name,
            "signature": one.metric.signature,
            "scored": scored[one.metric.name],
            "reused": max(0, total - scored[one.metric.name]),
            "undefined": scores.count_undefined(job.study_id, one.signature_id),
            "seconds": round(seconds[one.metric.name], 3),
        }
        for one in wanted
    ]
    return {"rows": rows}


KINDS = {"score": score_study}


@contextmanager
def _heartbeat(job_id: int) -> Iterator[None]:
    """Keep the row alive while a model loads or a long batch runs."""
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(BEAT_SECONDS):
            try:
                jobs.beat(job_id)
            except FabulaError:
                logger.warning("job %s: the heartbeat could not be written", job_id)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _unwatched(_done: int, _total: int, _what: str) -> None:
    """The pages read progress from the job's row."""


def run_job(job: Job, watch: Watch = _unwatched) -> Job:
    """Run a claimed job to its end, whatever that is, and return its row."""
    try:
        with _heartbeat(job.id):
            result = KINDS[job.kind](job, watch)
        jobs.finish(job.id, JobState.DONE, "finished", result)
    except Cancelled:
        jobs.finish(job.id, JobState.CANCELLED, "what was scored is stored")
    except KeyboardInterrupt:
        jobs.finish(job.id, JobState.INTERRUPTED, "what was scored is stored")
        raise
    except FabulaError as error:
        jobs.finish(job.id, JobState.FAILED, str(error))
    except Exception:
        logger.exception("job %s failed", job.id)
        jobs.finish(job.id, JobState.FAILED, f"an unexpected error; the log of job {job.id} has the details")
    return jobs.get(job.id)


def _leave_with_the_server() -> None:
    sys.stdin.buffer.read()  # returns when the server, and with it the pipe, is gone
    os._exit(0)


def main() -> None:
    """Run jobs until standard input closes. A file lock keeps a second worker of the same home away."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.nice(5)  # the pages come first: somebody may be annotating
    home().mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with FileLock(home() / "worker.lock", timeout=10):
            threading.Thread(target=_leave_with_the_server, daemon=True).start()
            migrate()
            runner = f"worker {socket.gethostname()} {home()}"
            interrupted = jobs.mark_interrupted(runner)
            if interrupted:
                logger.info("%s jobs were interrupted by the last stop", interrupted)
            _loop(runner)
    except Timeout:
        logger.error("another worker already runs for %s", home())
        sys.exit(ALREADY_RUNNING)


def _loop(runner: str) -> None:
    looked = 0.0
    while True:
        try:
            if time.monotonic() - looked > STALE_SECONDS:  # a terminal's run may have been killed
                jobs.mark_interrupted()
                looked = time.monotonic()
            job = jobs.claim(runner)
            if job is not None:
                logger.info("job %s: %s", job.id, job.kind)
                run_job(job)
                continue
        except FabulaError:
            logger.exception("the database cannot be used; trying again")
            time.sleep(5)
        time.sleep(POLL_SECONDS)


async def keep_worker(log: Path) -> None:
    """For the server: start a worker, and again whenever it dies."""
    while True:
        with log.open("ab") as stream:
            process = await asyncio.create_subprocess_exec(
                sys.executable, __file__, stdin=asyncio.subprocess.PIPE, stdout=stream, stderr=stream
            )
        try:
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
        if code == ALREADY_RUNNING:
            logger.warning(
                "Another Fabula on this machine runs the jobs of %s; this one takes over when it ends.", home()
            )
            while code == ALREADY_RUNNING:
                await asyncio.sleep(30)
                code = 0 if _lock_is_free() else ALREADY_RUNNING
            continue
        logger.warning("the worker ended with code %s and is started again; see %s", code, log)
        await asyncio.sleep(2)


def _lock_is_free() -> bool:
    try:
        with FileLock(home() / "worker.lock", timeout=0):
            return True
    except Timeout:
        return False


if __name__ == "__main__":
    main()
