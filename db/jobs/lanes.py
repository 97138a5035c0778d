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


class Lane(StrEnum):
    """`QUICK`: somebody sits and waits for it. `LIGHT`: metrics that need no model, done in seconds. `HEAVY`: the rest,
    of minutes to days; a metric of one's own is there, since nobody knows what it needs.
    """

    QUICK = "quick"
    LIGHT = "light"
    HEAVY = "heavy"


def lane_of(kind: str, settings: Mapping[str, Any]) -> Lane:
    """The lane that a job of this kind takes with these settings."""
    if is_quick(kind):
        return Lane.QUICK
    metrics = settings.get("metrics", [])
    return Lane.LIGHT if metrics and all(map(_needs_no_model, metrics)) else Lane.HEAVY


def apart(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A run of metrics as two: of those that need no model, and of the others; as one where it has one kind alone."""
    light = [name for name in run["metrics"] if _needs_no_model(name)]
    heavy = [name for name in run["metrics"] if name not in light]
    return [{**run, "metrics": names} for names in (light, heavy) if names]


def is_quick(kind: str) -> bool:
    """Whether a kind of work takes the quick lane."""
    return kind in QUICK


def _needs_no_model(name: str) -> bool:
    metric = registered(name)
    return metric is not None and Need.MODEL not in metric.needs
