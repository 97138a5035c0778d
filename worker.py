"""The process that runs jobs, in three lanes: claims a row, lets core work, stores through db.

Started by the server once there is some work; leaves when there has been none for a while, and with it all that its
models hold, and when its standard input closes, so that it never outlives the server.
"""

import asyncio
import importlib
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import DeviceLostError, FabulaError, InputError
from core.home import home, private_home
from core.jobs import Job, JobState
from core.prolific.settings import surroundings_without
from core.serving.cores import use_all
from core.serving.memory import end_me_first
from db.jobs import jobs
from db.jobs.lanes import Lane, unmarked
from db.migrate import migrate
from work.watch import Cancelled, OutOfLane, Watch

logger = logging.getLogger("fabula.worker")
POLL_SECONDS, QUICK_POLL_SECONDS = 0.3, 0.1
BEAT_SECONDS = 5.0
ALREADY_RUNNING, IDLE, DEVICE_LOST = 3, 4, 5
"""Exit statuses: of a worker that finds another one at work, of one that had nothing to do for a while, and of one that
has lost a GPU, which the next one may find again.
"""
_device_lost = threading.Event()
IDLE_SETTING, IDLE_SECONDS = "FABULA_WORKER_IDLE", 300.0
"""After so long without work the worker leaves: memory that models have held does not all go back to the system while
the process lives (docs/performance.md). The environment may say otherwise.
"""
STALE_SECONDS = 30.0
CLOSING_SECONDS = 20.0
"""How long a worker that has lost a GPU waits for its other lanes, whose work may need none."""
NO_MEMORY = "this machine's memory was not enough; choose a smaller model or fewer stories. What was done is kept"
KILLED = "the process was killed, most likely because memory ran out"

KINDS = {
    "score": "work.scoring:score_study",
    "biases": "work.judge_biases:measure_biases",
    "tokens": "work.tokens:read_text",
    "sentences": "work.sentences:score_sentences",
    "explain": "work.explanation:explain_story",
    "train": "work.train:train_metric",
    "perception": "work.perception:train_critics",
    "test set": "work.test_sets:make_set",
    "capability": "work.test_sets:read_set",
}
"""What does each kind of work; imported when there is some, so that a worker starts in a second."""


def idle_seconds() -> float:
    """How long a worker stays without work. Raises InputError where the environment says no such thing."""
    given = os.environ.get(IDLE_SETTING) or str(IDLE_SECONDS)
    try:
        result = float(given)
    except ValueError:
        result = -1.0
    if not 0 <= result < float("inf"):
        raise InputError(f"{IDLE_SETTING} is the seconds that an idle worker stays, such as 300, not {given!r}.")
    return result


def runner_here() -> str:
    """What the jobs' rows call the worker of this home."""
    return f"worker {socket.gethostname()} {home()}"


class Lanes:
    """Who may claim a job, and when all may leave.

    Nobody claims while it is decided, and nobody after it: a job that comes then stays queued, for the next worker.
    """

    def __init__(self, runner: str, idle: float) -> None:
        self._runner = runner
        self._idle = idle
        self._turn = threading.Lock()
        self._busy = 0
        self._free_since = time.monotonic()
        self._left = self._closed = False

    def claim(self, lane: Lane) -> Job | None:
        """The lane's next job; None where there is none, or all have left."""
        with self._turn:
            job = None if self._left or self._closed else jobs.claim(self._runner, lane=lane)
            self._busy += job is not None
            return job

    def done(self) -> None:
        """Of a job that was claimed."""
        with self._turn:
            self._busy -= 1
            self._free_since = time.monotonic()

    def close(self) -> bool:
        """Let nobody claim any more; says whether somebody could until now."""
        with self._turn:
            was_open, self._closed = not self._closed, True
            return was_open

    def wait(self, most: float) -> None:
        """Let others come to the end of what they do, for so many seconds at most."""
        last = time.monotonic() + most
        while self._busy and time.monotonic() < last:
            time.sleep(POLL_SECONDS)

    def left(self) -> bool:
        """Whether all lanes have been free for so long, and nothing waits, so that nothing is claimed any more."""
        with self._turn:
            if not self._left and not self._busy and time.monotonic() - self._free_since >= self._idle:
                self._left = not jobs.wanting(self._runner)
            return self._left


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
            module, name = KINDS[job.kind].split(":")
            result = getattr(importlib.import_module(module), name)(job, watch)
        jobs.finish(job.id, JobState.DONE, "finished", result)
    except Cancelled:
        jobs.finish(job.id, JobState.CANCELLED, "what was done is kept")
    except OutOfLane:
        jobs.put_back(job.id, unmarked(job.settings))
    except KeyboardInterrupt:
        jobs.finish(job.id, JobState.INTERRUPTED, "what was done is kept")
        raise
    except FabulaError as error:
        if isinstance(error, DeviceLostError):
            _device_lost.set()
        jobs.finish(job.id, JobState.FAILED, str(error))
    except MemoryError:
        logger.exception("job %s had too little memory", job.id)
        jobs.finish(job.id, JobState.FAILED, NO_MEMORY)
    except Exception:
        logger.exception("job %s failed", job.id)
        jobs.finish(job.id, JobState.FAILED, f"an unexpected error; the log of job {job.id} has the details")
    return jobs.get(job.id)


def _leave_with_the_server() -> None:
    sys.stdin.buffer.read()  # returns when the server, and with it the pipe, is gone
    os._exit(0)


def main() -> None:
    """Run jobs until there are none for a while, or standard input closes.

    A file lock keeps a second worker of the same home away.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    use_all()
    end_me_first()
    os.nice(5)  # the pages come first: somebody may be annotating
    private_home()
    try:
        with FileLock(home() / "worker.lock", timeout=10):
            threading.Thread(target=_leave_with_the_server, daemon=True).start()
            migrate()
            runner = runner_here()
            interrupted = jobs.mark_interrupted(runner)
            if interrupted:
                logger.info("%s jobs were interrupted by the last stop", interrupted)
            lanes = Lanes(runner, idle_seconds())
            for lane in (Lane.QUICK, Lane.LIGHT):
                threading.Thread(target=_loop, args=(lanes, lane), name=lane, daemon=True).start()
            _loop(lanes, Lane.HEAVY)
            logger.info("nothing to do: the worker leaves, and comes back with the next job")
            logging.shutdown()
            os._exit(IDLE)  # the thread that reads standard input would hold an orderly end up
    except Timeout:
        logger.error("another worker already runs for %s", home())
        sys.exit(ALREADY_RUNNING)


def _loop(lanes: Lanes, lane: Lane) -> None:
    """A lane: its jobs, one after another, until all leave."""
    looked = 0.0
    while True:
        try:
            if time.monotonic() - looked > STALE_SECONDS:  # a terminal's run may have been killed
                jobs.mark_interrupted()
                looked = time.monotonic()
            job = lanes.claim(lane)
            if job is not None:
                try:
                    logger.info("job %s: %s", job.id, job.kind)
                    run_job(job)
                finally:
                    lanes.done()
                if _device_lost.is_set() and lanes.close():
                    logger.error("job %s: the GPU is lost to this worker; it leaves for a new one", job.id)
                    lanes.wait(CLOSING_SECONDS)
                    logging.shutdown()
                    os._exit(DEVICE_LOST)
                continue
            if lanes.left():
                return
        except FabulaError:
            logger.exception("the database cannot be used; trying again")
            time.sleep(5)
        time.sleep(QUICK_POLL_SECONDS if lane is Lane.QUICK else POLL_SECONDS)


async def keep_worker(log: Path) -> None:
    """For the server: start a worker with the first work, with the next after it has left, and at once when it dies."""
    code = IDLE
    while True:
        if code == IDLE:
            await _work()
        with log.open("ab") as stream:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                __file__,
                stdin=asyncio.subprocess.PIPE,
                stdout=stream,
                stderr=stream,
                env=surroundings_without(),  # metrics of one's own run there
            )
        try:
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if code == ALREADY_RUNNING:
            logger.warning(
                "Another Fabula on this machine runs the jobs of %s; this one takes over when it ends.", home()
            )
            while not _lock_is_free():
                await asyncio.sleep(30)
            code = IDLE
        elif code != IDLE:
            logger.warning("the worker ended with code %s and is started again; see %s", code, log)
            if code == -signal.SIGKILL:
                await asyncio.to_thread(_say_killed)
            await asyncio.sleep(2)


def _say_killed() -> None:
    """Tell those who wait for its jobs more than the next worker could."""
    try:
        jobs.mark_interrupted(runner_here(), KILLED)
    except FabulaError:
        logger.exception("the database cannot be used; the next worker marks what was interrupted")


async def _work() -> None:
    """Return when some work is there. A server that only shows pages needs no second process."""
    while True:
        try:
            if await asyncio.to_thread(jobs.wanting, runner_here()):
                return
        except FabulaError:
            logger.exception("the database cannot be used; trying again")
            await asyncio.sleep(5)
        await asyncio.sleep(QUICK_POLL_SECONDS)


def _lock_is_free() -> bool:
    try:
        with FileLock(home() / "worker.lock", timeout=0):
            return True
    except Timeout:
        return False


if __name__ == "__main__":
    main()
