"""Where two metrics disagree: the stories that one puts far higher than the other, with people's rank beside."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from core.analysis.stories.standing import Standing
from core.arrays import Floats
from core.scores import ScoreTable


@dataclass(frozen=True)
class Disagreement:
    """A story, by its row in the table, with its ranks by two metrics among the `among` stories that both score, and by
    people among those of them that are rated, None where it is not: 1 is the best, equal ones share the mean.
    """

    place: int
    ranks: tuple[float, float]
    people: float | None
    among: int


def disagreements(table: ScoreTable, first: int, second: int, most: int = 10) -> tuple[Disagreement, ...]:
    """The stories whose ranks by two columns of the table lie furthest apart, the furthest first."""
    one, other = table.columns[first].values, table.columns[second].values
    both = np.flatnonzero(np.isfinite(one) & np.isfinite(other))
    ranks = _ranks(one[both]), _ranks(other[both])
    people = np.full(len(both), np.nan)
    rated = np.isfinite(table.human[both])
    people[rated] = _ranks(table.human[both][rated])
    apart = np.abs(ranks[0] - ranks[1])
    order = np.argsort(-apart, kind="stable")[:most]
    return tuple(
        Disagreement(
            int(both[at]),
            (float(ranks[0][at]), float(ranks[1][at])),
            float(people[at]) if rated[at] else None,
            len(both),
        )
        for at in order.tolist()
        if apart[at]
    )


def furthest_apart(standings: tuple[Standing, ...]) -> tuple[int, int] | None:
    """The two of these whose ranks of a story lie furthest apart, as shares of those that are ranked: the one that puts
    it higher first. None where fewer than two rank it.
    """
    shares = [
        ((one.rank - 0.5) / one.among, number)
        for number, one in enumerate(standings)
        if one.rank is not None and one.among
    ]
    if len(shares) < 2:
        return None
    (_, best), (_, worst) = min(shares), max(shares)
    return best, worst


Ranked = tuple[str, float, int]
"""Who ranks a story, its rank, and of how many."""


def in_words(first: Ranked, second: Ranked, people: tuple[float, int] | None) -> str:
    """What two metrics and people, by rank and number of stories, say of a story."""
    name, rank, among = first
    said = [f"{name} puts it {ordinal(rank)} of {among:,}"]
    for name, rank, number in (second, *([("people", *people)] if people else [])):
        said.append(f"{name} {ordinal(rank)}" + (f" of {number:,}" if number != among else ""))
    return ", ".join(said) + ("" if people else "; nobody has rated it")


def ordinal(rank: float) -> str:
    """A rank as a word: 1st, 12th, 23rd; a shared one that is none as tables have it: 54.5 (tied)."""
    whole = int(rank)
    if whole != rank:
        return f"{rank:,.1f} (tied)"
    ending = "th" if whole % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(whole % 10, "th")
    return f"{whole:,}{ending}"


def _ranks(values: Floats) -> Floats:
    return np.asarray(rankdata(-values), dtype=np.float64)
