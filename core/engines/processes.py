"""The engine of several processes on this machine: one a GPU, or so many that share its processors."""

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from core.engines.device import check_device, heeding_the_device
from core.engines.work import Died, Item, Meanwhile, Ready, Result, Work, nothing, packed, unpacked
from core.errors import DeviceLostError, FabulaError
from core.notices import notice

TRIES = 2
"""How often an item is begun: one that two processes do not outlive is given up."""
NOT_LOADED = (
    "Two processes crashed while they loaded what the metrics need, most likely because memory ran out: use fewer "
    "(--workers), or a smaller model. What was scored is kept."
)
PAUSE = 0.5
"""Seconds that nothing is done while nothing comes."""
GPUS = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True)
class Place:
    """Where one process works: on which GPU, by its number in this process's list, None for processors; and how many
    threads it has.
    """

    gpu: int | None = None
    threads: int = 1


def places(gpus: int, workers: int | None, cores: int) -> list[Place]:
    """One process a GPU where there are any, else `workers` that share the cores. `workers` limits either."""
    if gpus:
        number = min(gpus, workers or gpus)
        return [Place(gpu, max(1, cores // number)) for gpu in range(number)]
    number = workers or 1
    return [Place(None, max(1, cores // number)) for _ in range(number)]


def visible_gpu(visible: str | None, number: int) -> str:
    """What `CUDA_VISIBLE_DEVICES` is to the process of a GPU, by what it is here."""
    if visible is None or not visible.strip():
        return str(number)
    return visible.split(",")[number].strip()


def leave_with_parent(seconds: float = 0.0) -> None:
    """In a process of ours: end when the one that began it ends, within so many seconds in order where there are any,
    and let that one alone hear of Ctrl-C.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def wait_for_it() -> None:
        if parent is not None:
            parent.join()
        if seconds:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(seconds)
        os._exit(1)

    threading.Thread(target=wait_for_it, daemon=True).start()


def _serve(connection: "Connection[Any, Any]", work: Work[Any, Any, Any], place: Place) -> None:
    """In the new process: a word once all is loaded, then item after item, until the other end is gone."""
    leave_with_parent()
    if place.gpu is not None:
        os.environ[GPUS] = visible_gpu(os.environ.get(GPUS), place.gpu)  # before anything looks for GPUs
    os.environ["OMP_NUM_THREADS"] = str(place.threads)  # before torch is there
    do: Any = None

    def load(_nothing: None) -> None:
        nonlocal do
        with heeding_the_device():
            if place.gpu is not None:
                check_device()
            do = work.make()

    def done(item: Any) -> Any:
        with heeding_the_device():
            return do(work.read(item))

    connection.send_bytes(packed(load, None))
    while do is not None:
        try:
            item = connection.recv()
        except EOFError:
            return
        connection.send_bytes(packed(done, item))


class _Process:
    """A process, made when it gets its first item."""

    def __init__(self, work: Work[Any, Any, Any], place: Place) -> None:
        self._work = work
        self._place = place
        self._process: BaseProcess | None = None
        self.connection: Connection[Any, Any]
        self.loaded = False

    def give(self, item: Any) -> None:
        if self._process is not None and not self._process.is_alive():  # it died while it had nothing to do
            self.end()
        if self._process is None:
            spawn = get_context("spawn")
            self.connection, theirs = spawn.Pipe()
            self.loaded = False
            self._process = spawn.Process(target=_serve, args=(theirs, self._work, self._place), daemon=True)
            self._process.start()
            theirs.close()  # so that its end is seen here
        with suppress(OSError):  # it died just now, which is seen when its answer is read
            self.connection.send(item)

    def end(self) -> None:
        """At once, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self.connection.close()
            self._process = None


class ProcessEngine:
    """One process a place. A process that dies is begun anew, and its item with it; one whose GPU is lost is not, and
    one that dies while it loads is begun once more.
    """

    def __init__(self, at: Sequence[Place]) -> None:
        self._places = list(at)

    def results(
        self, work: Work[Item, Ready, Result], items: Iterable[Item], meanwhile: Meanwhile = nothing
    ) -> Iterator[Result | Died[Item]]:
        """See `Engine`. Raises FabulaError as the work does, and DeviceLostError where no GPU is left."""
        processes = [_Process(work, place) for place in self._places]
        coming = ((item, 0) for item in items)
        again: list[tuple[Item, int]] = []
        idle = list(reversed(processes))
        at_work: dict[Any, tuple[_Process, Item, int]] = {}
        not_loaded = 0
        try:
            while True:
                while idle and (following := again or list(islice(coming, 1))):
                    item, tries = following.pop()
                    process = idle.pop()
                    process.give(item)
                    at_work[process.connection] = process, item, tries + 1
                if not at_work:
                    return
                for connection in wait(list(at_work), PAUSE):
                    process, item, tries = at_work.pop(connection)
                    try:
                        answer = process.connection.recv_bytes()
                    except (EOFError, OSError):
                        process.end()
                        idle.append(process)
                        if not process.loaded:
                            not_loaded += 1
                            if not_loaded == TRIES:
                                raise FabulaError(NOT_LOADED) from None
                            again.append((item, tries - 1))
                        elif tries >= TRIES:
                            yield Died(item)
                        else:
                            again.append((item, tries))
                        continue
                    try:
                        result = unpacked(answer)
                        if not process.loaded:  # the answer comes after this word
                            process.loaded = True
                            at_work[connection] = process, item, tries
                            continue
                    except DeviceLostError as error:
                        if not idle and not at_work:
                            raise
                        process.end()
                        again.append((item, tries - 1))
                        notice(f"{error} The others do its work.")
                    else:
                        idle.append(process)
                        yield result
                meanwhile()
        finally:
            for process in processes:
                process.end()
