"""What several tests of subsets share."""

import numpy as np

from core.scores import ScoreTable
from core.stories import NAMELESS
from tests.core.analysis.drift.quality import table_of

SYSTEMS = ["one", "two", NAMELESS, "one", "two"]


def two_systems(prompts: int = 30, seed: int = 0) -> ScoreTable:
    """Five stories a prompt by two systems and one without a name; the second metric lacks some scores."""
    rng = np.random.default_rng(seed)
    human = np.round(rng.uniform(1, 5, 5 * prompts), 1)
    human[::7] = np.nan
    gaps = human + rng.normal(size=len(human))
    gaps[::4] = np.nan
    names = [str(number // 5) for number in range(len(human))]
    return table_of(human, {"noise": rng.normal(size=len(human)), "gaps": gaps}, SYSTEMS * prompts, names)
