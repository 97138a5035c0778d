"""Trains the critic of one system with one seed, and lets it judge unseen texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from core.checkpoints.kinds import RANK, Tuning
from core.models.catalogue import ModelSource
from core.models.heads.perception import Critic
from core.models.network import resolve_device
from core.models.shape import shape_of
from core.models.trunk import TunableTrunk
from core.training.engine.history import TrainingProgress
from core.training.engine.loop import train
from core.training.engine.weights import numbers
from core.training.perception.pairs import Generated, SystemPairs
from core.training.perception.scores import CriticScores, Trained
from core.training.perception.settings import PerceptionPlan
from core.training.perception.task import Encoded, PerceptionTask, judge_pairs

JUDGING = 32
"""Pairs at once."""


def train_perception(
    pairs: SystemPairs,
    plan: PerceptionPlan,
    seed: int,
    base: ModelSource,
    folder: Path,
    stepped: Callable[[TrainingProgress], None] | None = None,
    device: str = "auto",
    groups: Mapping[str, Sequence[Generated]] | None = None,
    judging: Callable[[str], None] | None = None,
) -> Trained:
    """Train on the pairs' training part, judge their test part and other `groups` of texts of the same contexts.

    Called again with the same folder after an interruption it goes on where it was. `stepped` hears of every step,
    `judging` of every pass over a group, by its name; both may raise anything to stop. Raises what `train` does.
    """
    device = resolve_device(device)
    with numbers("cpu", seed, "critic", 0):
        top = shape_of(base).layers
        critic = Critic(TunableTrunk(base, (top,), RANK if plan.tuning is Tuning.ADAPTER else 0))
    task = PerceptionTask(critic, pairs, plan)
    run = train(task, plan.recipe(seed), folder, stepped, device)
    figures = dict(task.evaluate())
    texts_by_group = {pairs.system: pairs.tested, **(groups or {})}
    hear = judging or (lambda _group: None)
    scores = tuple(_judge(name, some, critic, plan, seed, hear) for name, some in texts_by_group.items())
    return Trained(pairs.system, seed, len(pairs.trained), len(pairs.held_out), figures, round(run.seconds, 3), scores)


def _judge(
    name: str,
    pairs: Sequence[Generated],
    critic: Critic,
    plan: PerceptionPlan,
    seed: int,
    hear: Callable[[str], None],
) -> CriticScores:
    """P_generated and c without dropout, m = 1 - Var(P_generated) over passes with it (equation 9)."""
    hear(name)
    encoded = Encoded(critic, pairs)
    critic.eval()
    generated, confidence = judge_pairs(critic, encoded, JUDGING)
    critic.train()
    passes = []
    for number in range(plan.passes):
        hear(name)
        with numbers(critic.device, seed, f"pass of {name}", number):
            passes.append(np.array([values.mean() for values in judge_pairs(critic, encoded, JUDGING)[0]]))
    critic.eval()
    spread = np.var(passes, axis=0) if passes else np.zeros(len(pairs))
    return CriticScores(
        name,
        tuple(pair.key for pair in pairs),
        tuple(pair.context for pair in pairs),
        tuple(float(values.mean()) for values in generated),
        tuple(float(values.mean()) for values in confidence),
        tuple((1 - spread).tolist()),
    )
