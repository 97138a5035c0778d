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


def in_words(first: tuple[str, float], second: tuple[str, float], people: float | None, among: int) -> str:
    """What two metrics and people say of a story: each metric's name and rank, of so many stories."""
    sentence = f"{first[0]} puts it {ordinal(first[1])} of {among:,}, {second[0]} {ordinal(second[1])}"
    return f"{sentence}, people {ordinal(people)}" if people is not None else f"{sentence}; nobody has rated it"


def ordinal(rank: float) -> str:
    """A rank as a word, shared ones to the nearest whole one: 1st, 12th, 23rd."""
    whole = int(rank + 0.5)
    ending = "th" if whole % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(whole % 10, "th")
    return f"{whole:,}{ending}"


def _ranks(values: Floats) -> Floats:
    return np.asarray(rankdata(-values), dtype=np.float64)
