"""Stories by group: those of a system, of people, or damaged ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.annotation.draws import Draws, Floats, Ints, estimate


@dataclass(frozen=True)
class GroupSummary:
    """Stories of one system (or of people, or the negatives): how many, mean and SD of their mean ratings.

    `low`, `high`: the mean's 95 % bootstrap interval by prompt.
    """

    n: int
    mean: float
    sd: float | None
    low: float | None = None
    high: float | None = None


def members(groups: Sequence[str]) -> dict[str, Ints]:
    """Numbers of the stories of each group, groups by name."""
    names, codes = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    return {name: np.flatnonzero(codes == code) for code, name in enumerate(names.tolist())}


def group_summaries(groups: Sequence[str], means: Floats, prompts: Ints, draws: Draws) -> dict[str, GroupSummary]:
    """Every group, by name. `groups`, `means`, `prompts`: of each story, its group, mean rating, and the number of its
    prompt in the draws.
    """
    found = {}
    for group, mine in members(groups).items():
        own = means[mine]
        sums = draws.sums(np.column_stack([own, np.ones(len(own))]), prompts[mine])
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = estimate(float(own.mean()), sums[:, 0] / sums[:, 1], prompts[mine])
        sd = float(own.std(ddof=1)) if len(own) > 1 else None
        found[group] = GroupSummary(len(own), float(own.mean()), sd, mean.low, mean.high)
    return found
