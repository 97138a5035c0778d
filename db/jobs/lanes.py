"""Lanes of jobs: within one they run one after another, and none waits for what another lane does.

Threads of one process share a device batch by batch (`core.models.concurrency`); what two lanes could want at once is
the memory of a GPU, and so all that loads a large model for long shares a lane.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from core.metrics import registered
from core.metrics.base import Need

QUICK = ("tokens", "sentences", "explain")
"""Kinds of work that somebody sits and waits for."""
OWN_LIGHT = "without_model"
"""Of a run's settings: its metrics of one's own that need no model. No file is run to find out who waits for whom."""
STORED = "stored"
"""Of a run's settings: its metrics whose scores were all stored when it was asked for, so that no model is loaded."""


class Lane(StrEnum):
    """`QUICK`: somebody sits and waits for it. `LIGHT`: metrics that need no model, or have nothing to compute, done
    in seconds. `HEAVY`: the rest, of minutes to days; a metric of one's own is there unless the run says that it needs
    no model.
    """

    QUICK = "quick"
    LIGHT = "light"
    HEAVY = "heavy"


def lane_of(kind: str, settings: Mapping[str, Any]) -> Lane:
    """The lane that a job of this kind takes with these settings."""
    if is_quick(kind):
        return Lane.QUICK
    metrics = settings.get("metrics", [])
    light = metrics and all(_loads_no_model(name, settings) for name in metrics)
    return Lane.LIGHT if light else Lane.HEAVY


def apart(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A run of metrics as two: of those that load no model, and of the others; as one where it has one kind alone."""
    light = [name for name in run["metrics"] if _loads_no_model(name, run)]
    heavy = [name for name in run["metrics"] if name not in light]
    return [{**run, "metrics": names} for names in (light, heavy) if names]


def unmarked(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run as it was asked for, without what its settings say of its lane."""
    return {key: value for key, value in run.items() if key not in (OWN_LIGHT, STORED)}


def is_quick(kind: str) -> bool:
    """Whether a kind of work takes the quick lane."""
    return kind in QUICK


def _loads_no_model(name: str, run: Mapping[str, Any]) -> bool:
    if name in run.get(STORED, ()):
        return True
    metric = registered(name)
    return name in run.get(OWN_LIGHT, ()) if metric is None else Need.MODEL not in metric.needs
