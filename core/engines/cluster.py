"""The engine of a Ray cluster: Ray Data streams items through tasks that read them and actors that hold the models.

Nothing else imports Ray (requirements-ray.txt).
"""

import logging
import os
import pickle
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from core.engines.work import Died, Item, Ready, Result, Work
from core.errors import InputError
from core.home import ROOT

TRIES = 2
"""How often an item is begun: one that two actors do not outlive is given up."""
STORE = 200 * 2**20
"""Bytes of the object store of a cluster that is only made for a run: items wait there, and no model."""


def _read(work: Work[Any, Any, Any], row: dict[str, Any]) -> dict[str, Any]:
    """A task: the first step of an item."""
    return {"place": row["place"], "ready": pickle.dumps(_outcome(work.read, pickle.loads(row["item"])))}


class _Actor:
    """Holds what the work needs."""

    def __init__(self, work: Work[Any, Any, Any], threads: int) -> None:
        import torch

        torch.set_num_threads(threads)
        self._work = work
        self._do: Any = None

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        ready, error = pickle.loads(batch["ready"][0])
        result = (None, error) if error is not None else _outcome(self._done, ready)
        return {"place": batch["place"], "result": [pickle.dumps(result)]}

    def _done(self, ready: Any) -> Any:
        if self._do is None:
            self._do = self._work.make()
        return self._do(ready)


def _outcome(do: Any, given: Any) -> tuple[Any, Exception | None]:
    """A result, or the error that is raised where it is wanted: Ray would wrap it, and try again."""
    try:
        return do(given), None
    except Exception as error:
        return None, error


class RayEngine:
    """Actors on a cluster. `address`: of its head, or None for `RAY_ADDRESS`, and without that for one that is made of
    this machine and ends with the run. `workers`: how many actors; `gpus`: of a GPU's share for each, 0 for none;
    `threads`: processors for each.
    """

    def __init__(self, address: str | None, workers: int, gpus: float, threads: int) -> None:
        self._address = address
        self._workers = workers
        self._gpus = gpus
        self._threads = threads

    def results(self, work: Work[Item, Ready, Result], items: Sequence[Item]) -> Iterator[Result | Died[Item]]:
        """See `Engine`. Raises InputError where Ray is not installed or the cluster does not answer."""
        if not items:
            return
        missing = set(range(len(items)))
        with _connected(self._address, self._workers * self._threads):
            for place, outcome in self._outcomes(work, items):
                result, error = outcome
                if error is not None:
                    raise error
                missing.discard(place)
                yield result
        for place in sorted(missing):
            yield Died(items[place])

    def _outcomes(self, work: Work[Any, Any, Any], items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        import ray
        from ray.data import ActorPoolStrategy, DataContext

        context = DataContext.get_current()
        context.enable_progress_bars = False
        context.max_errored_blocks = -1  # what is missing at the end has died too often
        rows = [{"place": place, "item": pickle.dumps(item)} for place, item in enumerate(items)]
        read = ray.data.from_items(rows, override_num_blocks=len(rows)).map(partial(_read, work))
        with warnings.catch_warnings():
            # By its own will Ray Data tries for ever, and has no other way to say how often.
            warnings.simplefilter("ignore")
            scored = read.map_batches(
                _Actor,
                fn_constructor_args=(work, self._threads),
                batch_size=1,
                # One at a time: those that wait at an actor that dies would have been begun as well.
                compute=ActorPoolStrategy(size=self._workers, max_tasks_in_flight_per_actor=1),
                num_cpus=self._threads,
                num_gpus=self._gpus or None,
                max_task_retries=TRIES - 1,
            )
        for batch in scored.iter_batches(batch_size=None, prefetch_batches=0, batch_format="numpy"):
            for place, result in zip(batch["place"], batch["result"], strict=True):
                yield int(place), pickle.loads(result)


@contextmanager
def _connected(address: str | None, cores: int) -> Iterator[None]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise InputError("Ray is not installed here: pip install -r requirements-ray.txt.") from None
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.ERROR)
    known = address or os.environ.get("RAY_ADDRESS")
    own: dict[str, Any] = {"include_dashboard": False, "num_cpus": max(cores + 2, 4), "object_store_memory": STORE}
    try:
        ray.init(
            address=known,
            log_to_driver=False,
            logging_level=logging.ERROR,
            runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
            **({} if known else own),
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(
            f"The Ray cluster at {known} does not answer: start it, or name its head's address."
        ) from error
    try:
        yield
    finally:
        ray.shutdown()
