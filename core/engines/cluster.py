"""The engine of a Ray cluster, as who asks for results sees it; Ray itself is in `core.engines.driver`."""

import importlib.util
import os
import pickle
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from core.engines.driver import SECONDS_TO_END, Cluster, Said, drive
from core.engines.processes import PAUSE
from core.engines.work import Died, Item, Meanwhile, Ready, Result, Work, nothing, unpacked
from core.errors import FabulaError, InputError


def installed() -> bool:
    """Whether Ray is."""
    return importlib.util.find_spec("ray") is not None


class RayEngine:
    """Actors on a cluster. `address`: of its head, or None for `RAY_ADDRESS`, and without that for one that is made of
    this machine and ends with the run. `workers`: how many actors, None for one a GPU; `gpus`: of a GPU's share for
    each, 0 for none, None for a whole one where the cluster has any.
    """

    def __init__(self, address: str | None, workers: int | None = None, gpus: float | None = 0.0) -> None:
        self._address = address or os.environ.get("RAY_ADDRESS") or None
        self._workers = workers
        self._gpus = gpus

    def results(
        self, work: Work[Item, Ready, Result], items: Iterable[Item], meanwhile: Meanwhile = nothing
    ) -> Iterator[Result | Died[Item]]:
        """See `Engine`. Raises InputError where Ray is not installed, the cluster does not answer, or no worker has
        room there.
        """
        coming = iter(items)
        first = list(islice(coming, 1))
        if not first:
            return
        if not installed():
            raise InputError("Ray is not installed here: pip install -r requirements-ray.txt.")
        with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
            cluster = Cluster(self._address, self._workers, self._gpus, folder)
            with _driver(work, cluster) as connection:
                said, _ = _heard(connection, meanwhile)
                for item in chain(first, coming):
                    connection.send(pickle.dumps(item))
                    meanwhile()
                connection.send(None)
                while True:
                    said, content = _heard(connection, meanwhile)
                    if said is Said.END:
                        return
                    yield unpacked(content) if said is Said.DONE else Died(pickle.loads(content))


@contextmanager
def _driver(work: Work[Any, Any, Any], cluster: Cluster) -> Iterator["Connection[Any, Any]"]:
    """The other end of the process that speaks with Ray; it ends with the block, whatever it does."""
    spawn = get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=drive, args=(theirs, work, cluster), daemon=True)
    process.start()
    theirs.close()  # so that its end is seen here
    try:
        yield ours
    finally:
        ours.close()
        process.terminate()  # Ray hears it, and takes its own processes along
        process.join(SECONDS_TO_END)
        process.kill()
        process.join()


def _heard(connection: "Connection[Any, Any]", meanwhile: Meanwhile) -> tuple[Said, Any]:
    """What the process says next. Raises FabulaError where it failed, or is gone."""
    while not connection.poll(PAUSE):
        meanwhile()
    try:
        said, content = connection.recv()
    except (EOFError, OSError):
        raise FabulaError("The process that speaks with Ray ended without a word: run it again to go on.") from None
    if said is Said.FAILED:
        raise content
    return said, content
