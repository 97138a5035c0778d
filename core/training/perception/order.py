"""A requested training of a Perception Score, as a job's row keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.models.catalogue import MINILM
from core.settings import as_json, from_json, setting
from core.training.engine.working_folder import ResumableTraining
from core.training.perception.pairs import Generated
from core.training.perception.scores import Weights, Without
from core.training.perception.settings import PerceptionPlan

GUESS = 4_000
"""Characters a second on two cores, where this machine has not shown its speed yet."""
JUDGING = 0.35
"""What it costs to judge a text once, of what it costs to learn from it (`make bench ONLY=perception`)."""


@dataclass(frozen=True)
class PerceptionOrder(ResumableTraining):
    """A critic a system and seed. `study` with the `version` of its texts; `base`: a bundled model, a folder or a hub
    name. `groups`: each critic also judges the other systems' texts (Table 3).
    """

    study: int
    version: str
    systems: tuple[str, ...]
    base: str = setting(MINILM, "What a critic stands on: a bundled model, a folder or a hub name.", label="Base")
    device: str = setting("auto", "auto, cpu or cuda.", choices=("auto", "cpu", "cuda"))
    groups: bool = setting(False, "Critics also judge the other systems' texts.", label="Judge other systems too")
    plan: PerceptionPlan = field(default_factory=PerceptionPlan)

    def as_json(self) -> dict[str, Any]:
        """Return the settings that a job keeps."""
        return as_json(self)


def speed_key(order: PerceptionOrder) -> str:
    """Names all that the speed of a training depends on."""
    plan = order.plan
    pairs = " on all pairs" if plan.penalty and plan.penalised >= plan.batch else ""
    return f"perception {order.base} {order.device} {plan.precision} {plan.tuning} {bool(plan.penalty)}{pairs}"


def work(plan: PerceptionPlan, trained: float, tested: float) -> int:
    """Characters that critics go through, as if all were learnt from: those of the systems' texts, once a critic, and
    of references, which are about as long. `trained`, `tested`: characters of texts that are learnt from and judged.
    """
    beside = 1 if plan.conditional else plan.references
    return round(2 * trained * plan.epochs + JUDGING * (1 + beside) * tested * (plan.passes + 1))


def pass_steps(plan: PerceptionPlan, pairs: Sequence[Generated]) -> float:
    """What it costs to judge these pairs once, in steps of training."""
    return JUDGING * sum(1 + len(pair.references) for pair in pairs) / (2 * plan.batch)


def perception_order(settings: Mapping[str, Any]) -> PerceptionOrder:
    """Read the order from a job's settings."""
    return from_json(PerceptionOrder, settings)


def signature(settings: Mapping[str, Any], how: Weights, without: Without, critics_of: str | None = None) -> str:
    """All that the scores of a training depend on, in the manner of metrics; `settings`: as they are kept with it."""
    plan = settings["plan"]
    parts = {
        "model": settings["model"],
        "dtype": plan["precision"],
        **{key: plan[key] for key in sorted(plan) if key not in ("precision", "seeds")},
        "seeds": len(plan["seeds"]),
        "weights": how.value,
        "without": (Without.NOTHING if how is Weights.NONE else without).value,
        **({} if critics_of is None else {"critics-of": critics_of}),
    }
    return "|".join(["perception", *(f"{key}:{value}" for key, value in parts.items()), "v:1"])
