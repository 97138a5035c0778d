"""Where a story stands among a study's stories, by people and by each metric."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import Floats
from core.metrics.naming import unique_names
from core.scores import NOT_YET, ScoreColumn, ScoreTable
from core.wording import so_many

PEOPLE = "People"


@dataclass(frozen=True)
class Standing:
    """A story's value and its rank among the `among` stories that have one: 1 is the best, equal ones share the mean of
    their ranks. Without a value both are None, and `reason` says why. `to_come`: how many stories a metric has neither
    scored yet nor left without a score for a reason.
    """

    name: str
    value: float | None
    rank: float | None
    among: int
    reason: str = ""
    to_come: int = 0


def standings(table: ScoreTable, place: int) -> tuple[Standing, ...]:
    """Of the story in this row of the table: people's judgment first, then every metric, in the table's order."""
    people = _standing(PEOPLE, table.human, place, "nobody's rating of it counts yet")
    names = unique_names([(column.metric, column.signature) for column in table.columns])
    return (
        people,
        *(_of_metric(name, column, place) for name, column in zip(names, table.columns, strict=True)),
    )


def mid_rank(values: Floats, place: int) -> float:
    """The rank of one of these values, which is a number, among those that are: 1 for the greatest; equal ones have
    the mean of their ranks.
    """
    above = np.count_nonzero(values > values[place])
    equal = np.count_nonzero(values == values[place])
    return float(above + (equal + 1) / 2)


def in_upper_half(standing: Standing) -> bool:
    """Whether the story stands higher than the middle of those that are ranked."""
    return standing.rank is not None and standing.rank <= (standing.among + 1) / 2


def ranked_so_far(every: Sequence[Standing]) -> str:
    """Which of these rank the story among fewer than there will be, in a sentence; "" where none does."""
    few = [standing for standing in every if standing.rank is not None and standing.to_come]
    if not few:
        return ""
    first, *others = few
    each = [f"{first.name} has scored {so_many(first.among, 'story', 'stories')}"]
    each += [f"{other.name} {other.among:,}" for other in others]
    listed = " and ".join(filter(None, (", ".join(each[:-1]), each[-1])))
    return f"So far {listed}: {'their ranks are' if others else 'its rank is'} among these."


def _of_metric(name: str, column: ScoreColumn, place: int) -> Standing:
    standing = _standing(name, column.values, place, column.reasons.get(place, NOT_YET))
    return replace(standing, to_come=len(column.values) - standing.among - len(column.reasons))


def _standing(name: str, values: Floats, place: int, reason: str) -> Standing:
    among = int(np.isfinite(values).sum())
    if not np.isfinite(values[place]):
        return Standing(name, None, None, among, reason)
    return Standing(name, float(values[place]), mid_rank(values, place), among)
