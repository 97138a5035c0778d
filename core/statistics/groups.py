"""Stories by group (a system's, human, or damaged), and the reason where a group is too small."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.draws import Draws
from core.statistics.intervals import estimate

Name = TypeVar("Name", str, int)


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


def numbered(names: Sequence[Name]) -> tuple[list[Name], Ints]:
    """The distinct names in order, and the index of each given name among them: like np.unique."""
    different = sorted(set(names))
    places = {name: number for number, name in enumerate(different)}
    return different, np.fromiter(map(places.__getitem__, names), dtype=np.intp, count=len(names))


def members(groups: Sequence[str]) -> dict[str, Ints]:
    """Indices of each group's stories, groups by name."""
    names, codes = numbered(groups)
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))[:-1]
    return dict(zip(names, np.split(np.argsort(codes, kind="stable"), ends), strict=True)) if names else {}


def group_summaries(groups: Sequence[str], means: Floats, prompts: Ints, draws: Draws) -> dict[str, GroupSummary]:
    """Every group, by name. `groups`, `means`, `prompts`: of each story, its group, mean rating, and the number of its
    prompt in the draws.
    """
    summaries = {}
    for group, mine in members(groups).items():
        own = means[mine]
        sums = draws.sums(np.column_stack([own, np.ones(len(own))]), prompts[mine])
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = estimate(float(own.mean()), sums[:, 0] / sums[:, 1], prompts[mine])
        sd = float(own.std(ddof=1)) if len(own) > 1 else None
        summaries[group] = GroupSummary(len(own), float(own.mean()), sd, mean.low, mean.high)
    return summaries


def rank_clusters(ranking: Sequence[str], apart: Collection[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Runs of a ranking, best first, within which nothing is told apart: WMT's rank clusters.

    The rule of mt-metrics-eval: from the best one down, one that is told apart from any member of the cluster so far
    opens the next. So members of one cluster are never told apart; those of two may or may not be. `apart`: pairs, the
    higher one first; look-ups should be quick.
    """
    clusters: list[tuple[str, ...]] = []
    for name in ranking:
        if not clusters or any((other, name) in apart for other in clusters[-1]):
            clusters.append(())
        clusters[-1] += (name,)
    return tuple(clusters)


def too_few(n: int, single: str, several: str, what: str, needed: int) -> str:
    """`only 2 stories have a rating; 3 are needed`. `single`, `several`: noun and verb."""
    if n == 0:
        return f"no {single} {what}; {needed} are needed"
    return f"only {n:,} {single if n == 1 else several} {what}; {needed} are needed"
