"""A process of its own that speaks with Ray, so that what Ray prints, the signals that it takes and what it leaves
behind end with that process, whatever it is doing.

Nothing else imports Ray (requirements-ray.txt). Ray Data streams items through tasks that read them and actors that
hold the models; items wait in Ray's object store, which goes to the disk when it is full.
"""

import logging
import os
import pickle
import shutil
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from multiprocessing.connection import Connection
from secrets import token_hex
from typing import Any

from core.engines.device import check_device, heeding_the_device
from core.engines.processes import TRIES, leave_with_parent
from core.engines.work import Work, packed, unpacked
from core.errors import FabulaError, InputError
from core.home import ROOT, home

STORE = 200 * 2**20
"""Bytes of the object store of a cluster that is only made for a run: items wait there, and no model."""
TO_READ = 0.05
"""Of a processor, to Ray: readers run beside the workers, which would else take all there are and wait for them."""
READERS_A_WORKER = 2
SECONDS_TO_ANSWER = 5.0
SECONDS_TO_END = 10.0
"""How long a cluster of our own has to end in order."""
SECONDS_TO_BE_LET_IN = "10"
"""A try a second."""
_OWN = ("auto", "local")
"""Addresses that are none."""
_WANTS_TOKEN = "InvalidAuthToken"


class Said(StrEnum):
    """What the process says: that it is connected; a result, packed; the item of one that died, pickled; the end; or
    an error.
    """

    CONNECTED = "connected"
    DONE = "done"
    DIED = "died"
    END = "end"
    FAILED = "failed"


@dataclass(frozen=True)
class Cluster:
    """What is asked of a cluster; see `core.engines.cluster.RayEngine`. `folder`: for the files of one of our own."""

    address: str | None
    workers: int | None
    gpus: float | None
    folder: str


def drive(connection: "Connection[Any, Any]", work: Work[Any, Any, Any], cluster: Cluster) -> None:
    """In the new process: connect, take pickled items until None comes, and answer."""
    leave_with_parent(SECONDS_TO_END)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    warnings.simplefilter("ignore")
    try:
        with _connected(cluster):
            shaped = _shaped(cluster)
            connection.send((Said.CONNECTED, None))
            blocks = list(_blocks(connection))
            missing = set(range(len(blocks)))
            # Where a node dies, what its workers had done is lost with what they were doing.
            for _ in range(TRIES):
                left = [blocks[place] for place in sorted(missing)]
                for place, answer in _answers(work, left, shaped) if left else ():
                    missing.discard(place)
                    connection.send((Said.DONE, answer))
            for place in sorted(missing):
                connection.send((Said.DIED, _item(blocks[place])))
        connection.send((Said.END, None))
    except FabulaError as error:
        connection.send((Said.FAILED, error))
    except Exception as error:  # of Ray's own
        connection.send((Said.FAILED, FabulaError(f"Ray stopped: {_first_line(error)} Run it again to go on.")))
    finally:
        shutil.rmtree(cluster.folder, ignore_errors=True)


@contextmanager
def _connected(cluster: Cluster) -> Iterator[None]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", SECONDS_TO_BE_LET_IN)
    # Of the nodes of a cluster that is there already: the same program and models lie at the same place everywhere.
    surroundings = {"PYTHONPATH": str(ROOT), "FABULA_HOME": str(home())}
    more: dict[str, Any] = {"runtime_env": {"env_vars": surroundings}}
    if cluster.address is None:
        os.environ.update(surroundings)  # quicker: its workers begin with them
        os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token_hex(32)})  # nobody else's
        processors = (cluster.workers or 1) + 1
        more = {"include_dashboard": False, "num_cpus": processors, "object_store_memory": STORE}
        more["_temp_dir"] = cluster.folder
    else:
        _check_answers(cluster.address)
    import ray

    try:
        ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR, **more)
    except Exception as error:  # of many kinds
        what = f"The Ray cluster at {cluster.address}" if cluster.address else "A Ray cluster of this machine"
        why = "it wants its token: set RAY_AUTH_MODE=token." if _WANTS_TOKEN in _all_of(error) else _first_line(error)
        raise InputError(f"{what} cannot be used: {why} See docs/ray.md.") from error
    try:
        yield
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Ray itself would try for a minute."""
    if address in _OWN:
        return
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or "/" in host:
        raise InputError(f"{address!r} is no address of a Ray cluster: give its head's, such as 10.0.0.1:6379.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        raise InputError(
            f"No Ray cluster answers at {address}: start it with ray start --head, or name its head's address."
        ) from error


def _all_of(error: BaseException) -> str:
    """What it says, and what is said of its cause."""
    return f"{error}\n{_all_of(error.__cause__) if error.__cause__ else ''}"


def _first_line(error: Exception) -> str:
    text = str(error).strip().partition("\n")[0].strip()
    return f"{text or type(error).__name__}{'' if text.endswith('.') else '.'}"


def _shaped(cluster: Cluster) -> Cluster:
    """With the workers and the share of a GPU that it comes to there. Raises InputError where not one has room."""
    import ray

    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    most = max((node.get("GPU", 0.0) for node in nodes), default=0.0)
    gpus = cluster.gpus if cluster.gpus is not None else float(min(most, 1.0))
    if gpus > most:
        raise InputError(f"A worker is to have {gpus:g} GPUs, and no node of the Ray cluster has more than {most:g}.")
    if not any(node.get("CPU", 0.0) >= 1 and node.get("GPU", 0.0) >= gpus for node in nodes):
        raise InputError("No node of the Ray cluster has a processor for a worker: start one with --num-cpus.")
    usual = sum(int(node.get("GPU", 0.0) / gpus) for node in nodes) if gpus else 1
    return replace(cluster, workers=cluster.workers or usual, gpus=gpus)


def _blocks(connection: "Connection[Any, Any]") -> Iterator[Any]:
    """A reference to each item in the object store."""
    import pyarrow
    import ray

    place = 0
    while (item := connection.recv()) is not None:
        yield ray.put(pyarrow.table({"place": [place], "item": pyarrow.array([item], pyarrow.large_binary())}))
        place += 1


def _item(block: Any) -> bytes:
    import ray

    item: bytes = ray.get(block).column("item")[0].as_py()
    return item


def _answers(work: Work[Any, Any, Any], blocks: list[Any], cluster: Cluster) -> Iterator[tuple[int, bytes]]:
    import ray
    from ray.data import ActorPoolStrategy, DataContext

    context = DataContext.get_current()
    context.enable_progress_bars = False
    context.max_errored_blocks = -1  # an item whose process ended is missing
    workers = cluster.workers or 1
    read = ray.data.from_arrow_refs(blocks).map(
        partial(_read, work), num_cpus=TO_READ, concurrency=READERS_A_WORKER * workers
    )
    scored = read.map_batches(
        _Worker,
        fn_constructor_args=(work, bool(cluster.gpus)),
        batch_size=1,
        # One at a time: those that wait at an actor that dies would have been begun as well.
        compute=ActorPoolStrategy(size=workers, max_tasks_in_flight_per_actor=1),
        num_cpus=1 - TO_READ,
        num_gpus=cluster.gpus or None,
        max_task_retries=0,  # else Ray tries for ever, or counts tries that were none: see `drive`
    )
    for batch in scored.iter_batches(batch_size=None, prefetch_batches=0, batch_format="numpy"):
        for place, answer in zip(batch["place"], batch["answer"], strict=True):
            yield int(place), answer


def _read(work: Work[Any, Any, Any], row: dict[str, Any]) -> dict[str, Any]:
    """A task: the first step of an item."""
    return {"place": row["place"], "ready": packed(work.read, pickle.loads(row["item"]))}


class _Worker:
    """An actor: holds what the work needs. Ray gives it a thread for its processor."""

    def __init__(self, work: Work[Any, Any, Any], gpu: bool) -> None:
        self._work = work
        self._gpu = gpu
        self._do: Any = None

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        return {"place": batch["place"], "answer": [packed(self._done, batch["ready"][0])]}

    def _done(self, ready: bytes) -> Any:
        with heeding_the_device():
            self._do = self._do or self._made()
            return self._do(unpacked(ready))

    def _made(self) -> Any:
        if self._gpu:
            check_device()
        return self._work.make()
