"""The engine of several processes on this machine: one a GPU, or so many that share its processors."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from core.engines.work import DeviceLostError, Died, Item, Ready, Result, Work
from core.notices import notice

TRIES = 2
"""How often an item is begun: one that two processes do not outlive is given up."""
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


def _serve(connection: "Connection[Any, Any]", work: Work[Any, Any, Any], place: Place) -> None:
    """In the new process: item after item, until the other end is gone."""
    if place.gpu is not None:
        os.environ[GPUS] = visible_gpu(os.environ.get(GPUS), place.gpu)  # before anything looks for GPUs
    import torch

    torch.set_num_threads(place.threads)
    do = None
    while True:
        try:
            item = connection.recv()
        except EOFError:
            return
        answer: tuple[Any, BaseException | None]
        try:
            do = do or work.make()
            answer = do(work.read(item)), None
        except Exception as error:  # it is raised where the results are wanted
            answer = None, error
        connection.send(answer)


class _Process:
    """A process, made when it gets its first item."""

    def __init__(self, work: Work[Any, Any, Any], place: Place) -> None:
        self._work = work
        self._place = place
        self._process: BaseProcess | None = None
        self.connection: Connection[Any, Any]

    def give(self, item: Any) -> None:
        if self._process is None:
            spawn = get_context("spawn")
            self.connection, theirs = spawn.Pipe()
            self._process = spawn.Process(target=_serve, args=(theirs, self._work, self._place), daemon=True)
            self._process.start()
            theirs.close()  # so that its end is seen here
        self.connection.send(item)

    def end(self) -> None:
        """At once, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self.connection.close()
            self._process = None


class ProcessEngine:
    """One process a place. A process that dies is begun anew, and its item with it; one whose GPU is lost is not."""

    def __init__(self, at: Sequence[Place]) -> None:
        self._places = list(at)

    def results(self, work: Work[Item, Ready, Result], items: Sequence[Item]) -> Iterator[Result | Died[Item]]:
        """See `Engine`. Raises FabulaError as the work does, and DeviceLostError where no GPU is left."""
        processes = [_Process(work, place) for place in self._places]
        waiting = [(item, 0) for item in reversed(items)]
        idle = list(reversed(processes))
        at_work: dict[Any, tuple[_Process, Item, int]] = {}
        try:
            while waiting or at_work:
                while waiting and idle:
                    process, (item, tries) = idle.pop(), waiting.pop()
                    try:
                        process.give(item)
                    except OSError:  # it died while it had nothing to do
                        process.end()
                        process.give(item)
                    at_work[process.connection] = process, item, tries + 1
                for connection in wait(list(at_work)):
                    process, item, tries = at_work.pop(connection)
                    try:
                        result, error = process.connection.recv()
                    except (EOFError, OSError):
                        process.end()
                        idle.append(process)
                        if tries >= TRIES:
                            yield Died(item)
                        else:
                            waiting.append((item, tries))
                        continue
                    if isinstance(error, DeviceLostError) and (idle or at_work):
                        process.end()
                        waiting.append((item, tries - 1))
                        notice(f"{error} The others do its work.")
                        continue
                    if error is not None:
                        raise error
                    idle.append(process)
                    yield result
        finally:
            for process in processes:
                process.end()
