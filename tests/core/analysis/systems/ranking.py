"""What several tests of ranking share."""

from collections.abc import Sequence

import numpy as np

from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable


def random_table(
    prompts: int = 12, systems: int = 4, seed: int = 0, steps: float = 0.4
) -> tuple[list[str], list[str], Floats, Floats]:
    """Prompts, systems, ratings and scores; each system is better than the one before by `steps` points."""
    rng = np.random.default_rng(seed)
    names = [f"system {s}" for _ in range(prompts) for s in range(systems)]
    asked = [f"prompt {p}" for p in range(prompts) for _ in range(systems)]
    quality = np.tile(np.arange(systems), prompts) * steps
    human = np.round(np.clip(2 + quality + rng.normal(size=len(names)), 1, 5) * 5) / 5
    return asked, names, human, quality + rng.normal(size=len(names))


def table(prompts: Sequence[str], systems: Sequence[str], human: Floats, *metrics: Floats) -> ScoreTable:
    keys = tuple(f"story {i}" for i in range(len(systems)))
    columns = tuple(ScoreColumn(f"metric {i}", f"metric {i}|v:1", x, {}) for i, x in enumerate(metrics))
    return ScoreTable(keys, tuple(prompts), tuple(systems), keys, human, columns)


def of_means(*metric: float) -> ScoreTable:
    """People's mean of the first system is 1, of the second 2 and so on; two stories each."""
    names = [f"system {place}" for place in range(len(metric)) for _ in range(2)]
    human: Floats = np.repeat(np.arange(1.0, len(metric) + 1), 2)
    return table(["p", "q"] * len(metric), names, human, np.repeat(metric, 2))
