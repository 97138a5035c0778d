"""Where a run's work is done: in this process, in several of this machine, or on a Ray cluster."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from core.engines.cluster import RayEngine, installed
from core.engines.here import HereEngine
from core.engines.processes import ProcessEngine, places
from core.engines.work import Engine
from core.errors import InputError
from core.metrics.base import DEVICES
from core.settings import as_json, described, from_json, setting


class EngineKind(StrEnum):
    """What does the work."""

    LOCAL = "local"
    RAY = "ray"


@dataclass(frozen=True)
class EngineSettings:
    """What a command, a form and a job say of the engine. Raises InputError for what does not go together."""

    kind: EngineKind = setting(EngineKind.LOCAL, "local: this machine; ray: a Ray cluster.", label="Engine")
    address: str = setting(
        "",
        "Of a Ray cluster's head, such as 10.0.0.1:6379; without it RAY_ADDRESS, else one that is made of this machine "
        "for the run.",
        label="Address of the Ray cluster",
    )
    workers: int = setting(
        0,
        "Processes that hold the models: one a GPU, and one where there is none, unless you say otherwise.",
        label="Workers",
        least=0,
        most=10_000,
    )
    gpus: float = setting(
        0.0,
        "With ray: the share of a GPU, or how many, that each worker takes; 0 for one where the device is a GPU.",
        label="GPUs for a worker",
        least=0,
        most=8,
    )

    def __post_init__(self) -> None:
        if self.workers < 0 or self.gpus < 0:
            raise InputError("An engine has no fewer than 0 workers, and each at least 0 of a GPU.")
        if self.gpus > 1 and self.gpus != int(self.gpus):
            raise InputError(f"A worker takes a share of one GPU or several whole ones, not {self.gpus:g}.")
        if self.kind is EngineKind.LOCAL and (self.address or self.gpus):
            raise InputError("An address and shares of GPUs are for Ray: choose --engine ray.")

    @classmethod
    def of(cls, run: Mapping[str, Any]) -> Self:
        """As a run keeps it under `engine`; as usual where it keeps none. Raises InputError, also for a setting that
        there is not.
        """
        given = run.get("engine", {})
        if unknown := set(given) - set(described(cls)):
            raise InputError(f"An engine has no setting {min(unknown)!r}.")
        return from_json(cls, given)

    @property
    def kept(self) -> dict[str, Any]:
        """What a run keeps of it: nothing where it is as usual."""
        return {} if self == type(self)() else {"engine": as_json(self)}

    @property
    def apart(self) -> bool:
        """Whether it needs other processes than the one that runs a job."""
        return self.kind is EngineKind.RAY or self.workers > 0

    def engine(self, device: str, *, models: bool = True) -> Engine:
        """Make it. `device`: what the run asks for; `models`: whether any of its metrics has one, and so uses a GPU.

        Raises InputError for `cuda` where there is none.
        """
        if self.kind is EngineKind.RAY:
            usual = {"cpu": 0.0, "cuda": 1.0}.get(device) if models else 0.0
            return RayEngine(self.address or None, self.workers or None, self.gpus or usual)
        gpus_here = _gpus(device) if models else 0
        if self.workers or gpus_here > 1:
            return ProcessEngine(places(gpus_here, self.workers or None, os.cpu_count() or 1))
        return HereEngine()


def choosable() -> bool:
    """Whether there is anything to choose on this machine: Ray, or several GPUs. Without torch, for pages."""
    return installed() or len(list(Path("/dev").glob("nvidia[0-9]*"))) > 1


def devices_here() -> tuple[str, ...]:
    """The devices that a page offers: no GPU where this machine has none; `auto` takes a cluster's. Without torch,
    for pages.
    """
    gpu = shutil.which("nvidia-smi") or any(Path("/dev").glob("nvidia[0-9]*"))
    return DEVICES if gpu else tuple(device for device in DEVICES if device != "cuda")


def _gpus(device: str) -> int:
    """How many GPUs this machine has for a run that may use them."""
    if device == "cpu":
        return 0
    import torch

    from core.models.network import resolve_device

    return torch.cuda.device_count() if resolve_device(device) == "cuda" else 0
