"""May a judge stand in for a person? The alternative annotator test of Calderon, Reichart and Dror (2025).

One person after another is set aside, and the judge beside them: whose values are nearer to those of the others? A
judge that is nearer, or as near, more often than not, less an allowance for what a person costs, wins against them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy import special, stats

from core.arrays import Bools, Floats
from core.errors import InputError

FEWEST_INSTANCES, FEWEST_PEOPLE, FEWEST_BESIDE = 30, 3, 2
"""Instances of a person for the t-test, people for a verdict, and people of an instance, so that somebody is beside."""
FALSE_DISCOVERIES = 0.05
"""Rate at which Benjamini and Yekutieli's correction over people is done."""
PASSES = 0.5
"""Winning rate from which a judge may stand in."""
ALIKE = 1e-12
"""Root mean square differences so near to one another are the same number."""


class Alignment(StrEnum):
    """How near a value is to the others' values of an instance: the share that is equal to it, or minus the root mean
    square difference.
    """

    ACCURACY = "accuracy"
    RMSE = "neg_rmse"


class Annotators(StrEnum):
    """Who the people are."""

    EXPERT = "expert"
    SKILLED = "skilled"
    CROWD = "crowd"


EPSILON = {Annotators.EXPERT: 0.2, Annotators.SKILLED: 0.15, Annotators.CROWD: 0.1}
"""How much more often a person may be nearer, and the judge still wins: what expert time costs more than a crowd's."""


@dataclass(frozen=True)
class PersonComparison:
    """The judge beside one person, on `n` instances that both and others have.

    `judge`, `human`: the shares of these on which the judge, and the person, is at least as near to the others; equally
    near counts for both. `p`: of the hypothesis that the person is nearer by epsilon or more often, one-sided; by
    Wilcoxon's test where there are fewer than 30 instances (`few`). `won`: whether it is rejected, with
    Benjamini and Yekutieli's correction over people. None where `n` is 0.
    """

    person: str
    n: int
    judge: float | None
    human: float | None
    p: float | None
    won: bool
    few: bool


@dataclass(frozen=True)
class AlternativeTest:
    """Whether a judge may stand in for one of these people.

    `winning_rate`: the share of people against whom the judge wins, of those with 30 instances or more, or of all where
    nobody has so many. `advantage_probability`: the mean over them of the share of instances on which the judge is at
    least as near to the others. `passed`: winning rate of a half or more. `undefined`: why there is no test.
    """

    epsilon: float
    alignment: Alignment
    people: tuple[PersonComparison, ...]
    winning_rate: float | None
    advantage_probability: float | None
    passed: bool | None
    undefined: str | None = None

    @property
    def cautions(self) -> tuple[str, ...]:
        """What must be known to read it, a sentence each."""
        tested = [row for row in self.people if row.p is not None]
        result = []
        if tested and len(tested) < FEWEST_PEOPLE:
            result.append(
                f"Only {len(tested)} {'person was' if len(tested) == 1 else 'people were'} compared with the judge; "
                f"the test wants {FEWEST_PEOPLE} or more."
            )
        if few := sum(row.few for row in tested):
            result.append(
                f"{few} of {len(tested)} people have fewer than {FEWEST_INSTANCES} instances; Wilcoxon's test took the "
                "place of the t-test there."
            )
        return tuple(result)


def alternative_test(
    values: Floats,
    judge: Floats,
    people: Sequence[str],
    *,
    alignment: Alignment = Alignment.RMSE,
    epsilon: float = EPSILON[Annotators.CROWD],
) -> AlternativeTest:
    """Test one judge. `values` (people x instances): each one's value, NaN where there is none, codes of categories
    where the alignment is accuracy; `judge` (instances), likewise; `people`: a name each.

    Raises InputError where shapes do not fit, or epsilon is not in 0 to 1.
    """
    if values.shape != (len(people), len(judge)):
        raise InputError(f"There are {len(people)} people and {len(judge)} instances, but values of {values.shape}.")
    if not 0 <= epsilon <= 1:
        raise InputError(f"Epsilon is a share from 0 to 1, not {epsilon:g}.")
    nearer, as_near = _compared(values, judge, alignment)
    known = np.isfinite(nearer)
    n = known.sum(1)
    if not n.any():
        why = "no instance has the judge's value and those of two people"
        return AlternativeTest(epsilon, alignment, (), None, None, None, why)
    enough = n >= FEWEST_INSTANCES if (n >= FEWEST_INSTANCES).any() else n > 0
    p = np.where(enough, _p(np.where(known, as_near - nearer, 0.0), known, epsilon), np.nan)
    won = np.zeros(len(n), dtype=np.bool_)
    won[enough] = _rejected(p[enough])
    with np.errstate(invalid="ignore"):
        of_judge, of_person = (np.nansum(side, 1) / np.where(n > 0, n, np.nan) for side in (nearer, as_near))
    rows = tuple(
        PersonComparison(
            name,
            int(n[i]),
            float(of_judge[i]) if n[i] else None,
            float(of_person[i]) if n[i] else None,
            float(p[i]) if enough[i] else None,
            bool(won[i]),
            bool(n[i] < FEWEST_INSTANCES),
        )
        for i, name in enumerate(people)
    )
    rate = float(won[enough].mean())
    return AlternativeTest(epsilon, alignment, rows, rate, float(of_judge[enough].mean()), rate >= PASSES)


def _compared(values: Floats, judge: Floats, alignment: Alignment) -> tuple[Floats, Floats]:
    """People x instances: 1 where the judge is at least as near to the others as the person, and where the person is as
    the judge, else 0; NaN where the person, the judge or the others have no value.
    """
    given = np.isfinite(values)
    others = given.sum(0) - given
    usable = given & np.isfinite(judge) & (others >= FEWEST_BESIDE - 1)
    if alignment is Alignment.ACCURACY:
        of_judge, of_person = _equal(values, judge, given)
        nearer, as_near = of_judge >= of_person, of_person >= of_judge
    else:
        of_judge, of_person = _squares(values, judge, given, others)
        close = np.abs(of_judge - of_person) <= ALIKE * np.maximum(1, of_person)
        nearer, as_near = (of_judge <= of_person) | close, (of_person <= of_judge) | close
    return _where(usable, nearer), _where(usable, as_near)


def _where(usable: Bools, held: Bools) -> Floats:
    return np.where(usable, held.astype(np.float64), np.nan)


def _equal(values: Floats, judge: Floats, given: Bools) -> tuple[Floats, Floats]:
    """How many others say the same as the judge, and as the person."""
    same_as_judge = (values == judge) & given
    of_judge = same_as_judge.sum(0) - same_as_judge
    of_person = np.zeros(values.shape)
    for value in np.unique(values[given]):
        says = values == value
        of_person += says * (says.sum(0) - 1.0)
    return of_judge.astype(np.float64), of_person


def _squares(values: Floats, judge: Floats, given: Bools, others: Floats) -> tuple[Floats, Floats]:
    """The mean square difference of the judge's, and of the person's, value from the others'."""
    filled = np.where(given, values, 0.0)
    sums, squares = filled.sum(0) - filled, (filled**2).sum(0) - filled**2
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, mean_square = sums / others, squares / others
        return judge**2 - 2 * judge * mean + mean_square, filled**2 - 2 * filled * mean + mean_square


def _p(differences: Floats, known: Bools, epsilon: float) -> Floats:
    """Each person's one-sided p of the hypothesis that the mean difference is epsilon or more; `differences` (people x
    instances) are 0 where not `known`.
    """
    n = known.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = differences.sum(1) / n
        spread = np.sqrt((np.where(known, differences - mean[:, None], 0.0) ** 2).sum(1) / (n - 1))
        result = special.stdtr(n - 1, (mean - epsilon) / (spread / np.sqrt(n)))
    for i in np.flatnonzero(n):
        own = differences[i, known[i]]
        if own.min() == own.max():  # no test has a standard error of 0; what is certain is certain
            result[i] = 0.0 if own[0] < epsilon else 1.0
        elif n[i] < FEWEST_INSTANCES:
            result[i] = stats.wilcoxon(own - epsilon, alternative="less", method="approx").pvalue
    return np.asarray(result)


def _rejected(p: Floats) -> Bools:
    """Benjamini and Yekutieli (2001), at the rate above: whichever way the tests depend on one another."""
    return np.asarray(stats.false_discovery_control(p, method="by") <= FALSE_DISCOVERIES)
