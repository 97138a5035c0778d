"""Which metrics of a study are tested against one another. All their pairs are one family of tests, so that a pair has
one verdict, whichever page asks: which metric is the best is known only after looking, and so is what else is asked.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.significance.tests import PairTest, Significance, SignificanceSettings, compare_table, settings
from core.analysis.verdict.parts import enough_prompts
from core.analysis.verdict.sentences import claimed
from core.arrays import Bools
from core.scores import ScoreTable


@dataclass(frozen=True)
class Family:
    """`places`: of the columns that are tested, in the table's order. `few`, `trained`: of those that are not, as they
    have scores of too few stories beside the others, or were trained on stories of the study where others were not.
    `large`: whether the stories of the largest are enough to claim anything.
    """

    places: tuple[int, ...]
    few: tuple[int, ...]
    trained: tuple[int, ...]
    large: bool

    def left_out(self, names: Sequence[str]) -> str:
        """Which are in no test, and why; "" where all are. `names`: of the table's columns."""
        sentences = []
        for places, why in ((self.few, TOO_FEW), (self.trained, TRAINED)):
            if places:
                are = "is" if len(places) == 1 else "are"
                listed = ", ".join(names[place] for place in places)
                sentences.append(f"{listed} {are} in no test: {why[len(places) > 1]}.")
        return " ".join(sentences)


TOO_FEW = ("it has scores of too few of these stories", "they have scores of too few of these stories")
TRAINED = ("it was trained on stories of this study", "they were trained on stories of this study")


def family_of(table: ScoreTable, trained_on: Collection[str]) -> Family:
    """Of a study's metrics. `trained_on`: signatures of those that were trained on some of its stories.

    Too few are fewer than half as many as another metric's, and fewer than a claim takes where another has as many: a
    judge that was tried on a few would come first by luck, or be told apart from nothing. So are fewer than another's
    while more are still to come.
    """
    rated = np.isfinite(table.human)
    numbers = [int((np.isfinite(column.values) & rated).sum()) for column in table.columns]
    enough = [claimed(n, enough_prompts(table, one.values)) for n, one in zip(numbers, table.columns, strict=True)]
    most, large = max(numbers, default=0), any(enough)
    few = {place for place, n in enumerate(numbers) if 2 * n < most or (large and not enough[place])}
    few |= {place for place, n in enumerate(numbers) if n < most and table.is_under_way(table.columns[place])}
    rest = [place for place in range(len(numbers)) if place not in few]
    fair = [place for place in rest if table.columns[place].signature not in trained_on]
    varied = any(np.ptp(table.columns[place].values[_both(table, place)]) > 0 for place in fair if numbers[place])
    trained = [place for place in rest if place not in fair] if varied else []
    return Family(
        tuple(fair if varied else rest),
        tuple(place for place in sorted(few) if numbers[place]),
        tuple(trained),
        large,
    )


def compare_family(
    table: ScoreTable, names: Sequence[str], family: Family, chosen: SignificanceSettings
) -> Significance:
    """The tests of every pair of it. `names`: of the table's columns."""
    columns = tuple(table.columns[place] for place in family.places)
    return compare_table(replace(table, columns=columns), [names[place] for place in family.places], chosen)


def usual_tests(table: ScoreTable, names: Sequence[str], family: Family, *, seed: int, resamples: int) -> Significance:
    """The tests that findings and reports name: of Pearson's r, with as many permutations as usual."""
    chosen = settings("pearson", len(family.places), resamples=resamples, seed=seed)
    return compare_family(table, names, family, chosen)


def one_with_others(significance: Significance, name: str) -> tuple[PairTest, ...]:
    """Those of one metric, always the `a`, with each other, these in the order of the ranking."""
    mine = {row.b: row for row in significance.rows if row.a == name}
    mine |= {row.a: row.turned for row in significance.rows if row.b == name}
    return tuple(mine[other.metric] for other in significance.ranking if other.metric in mine)


def _both(table: ScoreTable, place: int) -> Bools:
    return np.asarray(np.isfinite(table.columns[place].values) & np.isfinite(table.human))
